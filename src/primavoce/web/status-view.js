/** The connection, what went wrong, and what a screen reader is told. */

import { byId, setHidden } from './elements.js';
import { strings } from './strings.js';

export class StatusView {
  constructor() {
    byId('notice-close').addEventListener('click', () => {
      byId('prompt').focus(); // wherever the focus was: a click needn't have moved it
      this.clear();
    });
    this.connection({ state: 'idle' });
  }

  #lost = false;

  /** @param {{state: string, inS?: number}} told */
  connection({ state, inS }) {
    byId('connection').dataset.state = state;
    byId('connection-text').textContent = strings.connection[state] ?? state;
    if (state === 'lost' || state === 'retrying') {
      this.#lost = true;
      this.#say(inS ? strings.retryingIn(inS) : strings.connection[state]);
    } else if (state === 'open' && this.#lost) {
      this.#lost = false;
      this.clear();
      this.announce(strings.back);
    }
  }

  /** @param {{code: string, message?: string}} error */
  trouble({ code, message = '' }) {
    const known = strings.errors[code];
    this.#say(known ?? (message ? `${strings.failure} ${sentence(message)}` : strings.failure), code);
  }

  /** @param {string} text that whoever looks at the page should know */
  note(text) {
    this.#say(text);
  }

  unreachable() {
    this.#lost = true;
    byId('connection').dataset.state = 'lost';
    byId('connection-text').textContent = strings.connection.lost;
    this.#say(strings.unreachable);
  }

  reachable() {
    if (this.#lost) this.connection({ state: 'open' });
  }

  /** @param {string} text for those who don't see the page */
  announce(text) {
    byId('announcer').textContent = text;
  }

  clear() {
    setHidden(byId('notice'), true);
    byId('notice-text').textContent = '';
    byId('notice-code').textContent = '';
  }

  #say(text, code = '') {
    byId('notice').hidden = false;
    byId('notice-text').textContent = text;
    byId('notice-code').textContent = code;
    byId('notice-code').hidden = !code;
  }
}

function sentence(message) {
  const text = message[0].toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
