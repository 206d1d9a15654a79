/** Of how much audio a file can still be made: a page may be open for days. */

/** Seconds, of all answers together. */
export const KEPT_S = 1200;

/**
 * @param {import('./answer.js').Answer[]} answers in their order
 * @param {number} limitS
 * @returns {import('./answer.js').Answer[]} those that have to let their audio go: the oldest first
 */
export function beyondLimit(answers, limitS) {
  const kept = answers.filter((answer) => answer.kept);
  let keptS = kept.reduce((sum, answer) => sum + answer.audioS, 0);
  return kept.filter((answer) => {
    const goes = keptS > limitS;
    if (goes) keptS -= answer.audioS;
    return goes;
  });
}
