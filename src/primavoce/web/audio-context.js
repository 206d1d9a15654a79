/** What browsers say differently about an AudioContext. */

const SILENCE_DB = -60;

/** A clock that says it runs and stands still for this long is broken; blocks are some hundredths of a second. */
const STANDSTILL_MS = 500;

/**
 * The browser resamples better than we do; but it may refuse a rate.
 *
 * @param {number} sampleRate
 * @returns {AudioContext}
 */
export function newContext(sampleRate) {
  const options = { latencyHint: 'interactive' };
  try {
    return new AudioContext({ ...options, sampleRate });
  } catch (error) {
    if (error.name !== 'NotSupportedError') throw error;
    return new AudioContext(options);
  }
}

/** @param {AudioContext} context @returns {number} the time of the context that is being heard now, in seconds */
export function heardTime(context) {
  // WebKit has only the second, which leaves the device out.
  return context.currentTime - (context.outputLatency || context.baseLatency || 0);
}

/**
 * @param {AudioContext} context
 * @param {number} timeS of the context
 * @returns {number} when it is heard, on `performance.now()`'s clock, in seconds
 */
export function heardAt(context, timeS) {
  const { contextTime, performanceTime } = context.getOutputTimestamp?.() ?? {};
  if (contextTime > 0) return performanceTime / 1000 + timeS - contextTime;
  return performance.now() / 1000 + timeS - heardTime(context);
}

/** Whether the context lost its device without a word. @param {AudioContext} context @returns {Promise<boolean>} */
export async function standsStill(context) {
  const { currentTime } = context;
  await new Promise((resolve) => setTimeout(resolve, STANDSTILL_MS));
  return context.state === 'running' && context.currentTime === currentTime;
}

/** @param {AnalyserNode} meter @returns {number} 0 at −60 dBFS and below, 1 at full scale */
export function levelOf(meter) {
  const samples = new Float32Array(meter.fftSize);
  meter.getFloatTimeDomainData(samples);
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  return Math.min(1, Math.max(0, 1 - (10 * Math.log10(power)) / SILENCE_DB));
}
