/** What a transport told, and how to wait for what it will. */

import { connect } from '/transports.js';

export class Talk {
  events = [];
  connection = [];
  bytes = 0;
  #waiting = [];

  /** @param {'sse'|'websocket'} kind @param {object} [options] of `connect` */
  constructor(kind, options = {}) {
    this.transport = connect(kind, {
      pageInfo: { kind: 'agent', presigned: null },
      sessionId: 'a-conversation-of-a-test-0123456789',
      retryS: 0.01,
      onEvent: (event) => this.#note(this.events, event),
      onBytes: (count) => { this.bytes += count; },
      onConnection: (told) => this.#note(this.connection, told),
      ...options,
    });
  }

  /** @param {(talk: Talk) => boolean} isSo @returns {Promise<void>} */
  until(isSo) {
    if (isSo(this)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ isSo, resolve }));
  }

  /** An event of this type, of an answer, has come. @returns {Promise<object>} it */
  async event(type, id) {
    const isIt = (event) => event.type === type && (!id || event.request_id === id);
    await this.until(() => this.events.some(isIt));
    return this.events.find(isIt);
  }

  state(state, times = 1) {
    return this.until(() => this.states.filter((one) => one === state).length >= times);
  }

  get states() {
    return this.connection.map(({ state }) => state);
  }

  /** @param {string} id */
  typesOf(id) {
    const types = this.events.filter((event) => event.request_id === id).map(({ type }) => type);
    return types.filter((type, i) => type !== 'audio' || types[i - 1] !== 'audio');
  }

  samplesOf(id) {
    const audio = this.events.filter((event) => event.request_id === id && event.type === 'audio');
    return audio.flatMap(({ samples }) => Array.from(samples));
  }

  #note(list, one) {
    list.push(one);
    const ready = this.#waiting.filter(({ isSo }) => isSo(this));
    this.#waiting = this.#waiting.filter((waiting) => !ready.includes(waiting));
    ready.forEach(({ resolve }) => resolve());
  }
}
