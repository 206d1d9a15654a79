/** The figures of the answer that is under way, or of the last one. */

import { strings } from './strings.js';
import { byId, element } from './elements.js';

const NAMES = ['firstText', 'firstAudio', 'firstSound', 'total', 'bytes', 'underruns'];

export class FiguresView {
  constructor() {
    for (const name of NAMES) {
      this.#values[name] = element('dd', { id: `figure-${name}` }, strings.none);
      const label = element('dt', {}, strings.figure[name]);
      byId('figures').append(element('div', { class: `figure figure-${name}` }, [label, this.#values[name]]));
    }
  }

  #values = {};

  /** @param {import('./answer.js').Answer} answer */
  show(answer) {
    for (const name of NAMES) {
      const text = this.#text(answer, name);
      if (this.#values[name].textContent !== text) this.#values[name].textContent = text;
    }
  }

  #text(answer, name) {
    if (name === 'bytes') return answer.bytes ? strings.bytes(answer.bytes) : strings.none;
    if (name === 'underruns') return String(answer.underruns);
    const seconds = answer.times[name];
    return seconds === null ? strings.none : strings.seconds(seconds);
  }
}
