/**
 * The answers that are under way: each ends exactly once, whatever the network does, and nothing of it follows.
 *
 * @typedef {{type: string, request_id: string|null, [field: string]: unknown}} AgentEvent as docs/agent.md has them;
 *   audio is {type: 'audio', request_id, samples: Int16Array}
 */

import { SampleJoiner } from './sse.js';

const ENDINGS = ['agent_end', 'cancelled', 'error'];
/** Answers that are remembered: what was heard of one may be told when the next is under way. */
const KEPT = 8;
const CONNECTION_LOST = 'The connection was lost before the answer had ended.';

export class UnderWay {
  /**
   * `told`: an ending has been told that is the last word, which `agent_end` isn't while the listener still listens.
   *
   * @type {Map<string, {joiner: SampleJoiner, started: boolean, ended: boolean, told: boolean, cancelled: boolean}>}
   */
  #answers = new Map();

  /** @param {(event: AgentEvent) => void} onEvent */
  constructor(onEvent) {
    this._onEvent = onEvent;
  }

  /** An answer is asked for; those before it are interrupted. @param {string} id */
  begin(id) {
    for (const answer of this.#answers.values()) answer.cancelled = true;
    const [oldest] = this.#answers.keys();
    if (this.#answers.size >= KEPT) this.#answers.delete(oldest);
    this.#answers.set(id, { joiner: new SampleJoiner(), started: false, ended: false, told: false, cancelled: false });
  }

  /** Nobody wants to hear more of it. @param {string} id */
  cancel(id) {
    const answer = this.#answers.get(id);
    if (answer) answer.cancelled = true;
  }

  /** @param {string} id @returns {boolean} */
  isLive(id) {
    return this.#answers.get(id)?.ended === false;
  }

  /** Ids of the answers that have not ended. @type {string[]} */
  get live() {
    return [...this.#answers.keys()].filter((id) => this.isLive(id));
  }

  /** @param {AgentEvent} event */
  deliver(event) {
    const answer = this.#answers.get(event.request_id ?? this.#refused(event));
    if (!answer) {
      // Of no answer of ours; or of one that is long over, whose late errors concern nobody.
      if (!event.request_id) this._onEvent(event);
      return;
    }
    if (answer.ended) {
      // What was heard of it, of an answer that was cancelled in the listener's ear.
      if (event.type !== 'cancelled' || answer.told) return;
    }
    answer.started = true;
    if (ENDINGS.includes(event.type)) answer.ended = true;
    if (event.type === 'cancelled' || event.type === 'error') answer.told = true;
    this._onEvent(event.request_id ? event : { ...event, request_id: this.#idOf(answer) });
  }

  /** @param {string} id @param {Uint8Array} bytes cut anywhere */
  audio(id, bytes) {
    const answer = this.#answers.get(id);
    if (!answer || answer.ended || answer.cancelled) return;
    const samples = answer.joiner.push(bytes);
    if (samples.length > 0) this._onEvent({ type: 'audio', request_id: id, samples });
  }

  /**
   * @param {string} id
   * @param {{code?: string, message?: string, retryable?: boolean}} [why] the connection was lost, unless given
   */
  fail(id, { code = 'connection_lost', message = CONNECTION_LOST, retryable = true } = {}) {
    if (this.isLive(id)) this.deliver({ type: 'error', request_id: id, code, message, retryable });
  }

  /** @param {object} [why] as `fail` */
  failAll(why) {
    this.live.forEach((id) => this.fail(id, why));
  }

  /** It never came to be an answer: nothing was heard of it. @param {string} id */
  unheard(id) {
    this.deliver({ type: 'cancelled', request_id: id, spoken_text: '', spoken_characters: 0, audio_sent_s: 0 });
  }

  /** An error that names no answer is about the one that was asked for last, if nothing was heard of that yet. */
  #refused(event) {
    if (event.type !== 'error') return null;
    return this.live.findLast((id) => !this.#answers.get(id).started) ?? null;
  }

  #idOf(answer) {
    return [...this.#answers].find(([, other]) => other === answer)[0];
  }
}
