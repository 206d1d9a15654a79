/** What a link chooses beforehand. */

export const FIELDS = ['voice', 'blend', 'share', 'speed', 'language', 'transport', 'mode'];

const BLEND = /^([^:+]+)(?::([\d.]+))?\+([^:+]+)(?::([\d.]+))?$/;

/** @param {URLSearchParams} parameters @returns {Record<string, string>} */
export function presetsOf(parameters) {
  const presets = {};
  for (const name of FIELDS) if (parameters.has(name)) presets[name] = parameters.get(name);
  if (presets.voice) presets.blend ??= ''; // a voice that was blended in the last time isn't meant
  return presets;
}

/**
 * A voice as the form has it: by itself or with another, in hundredths. Any other blend, and what nobody knows, stands
 * for itself.
 *
 * @param {string} voice as on the wire
 * @param {string[]} known voices
 * @returns {{voice: string, blend?: string, share?: string}}
 */
export function inForm(voice, known) {
  const parts = BLEND.exec(voice);
  if (!parts) return { voice };
  const [, first, one = '1', second, other = '1'] = parts;
  const share = Number(other) / (Number(one) + Number(other));
  const hundredths = Math.round(share * 100);
  const exact = Math.abs(share * 100 - hundredths) < 1e-6 && hundredths > 0 && hundredths < 100;
  if (!exact || first === second || !known.includes(first) || !known.includes(second)) return { voice };
  return { voice: first, blend: second, share: String(hundredths / 100) };
}
