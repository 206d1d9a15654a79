/**
 * One interface for the page, whatever stands behind it and however its answers travel.
 *
 * `connect` looks at `pageInfo.kind` and returns the agent's transport or, for a server that speaks what is typed,
 * speech-session.js's. What it tells is never told before `ask` has returned.
 *
 * @typedef {import('./under-way.js').AgentEvent} AgentEvent
 *
 * @typedef {object} ConnectOptions
 * @property {{kind: string, presigned?: string|null}} pageInfo what /page.json said
 * @property {string} sessionId see `newSessionId`
 * @property {string} [key] the API key, if the server asks for one
 * @property {(event: AgentEvent) => void} onEvent every event of docs/agent.md, and audio as
 *   {type: 'audio', request_id, samples: Int16Array}, whichever way it came
 * @property {(count: number) => void} [onBytes] bytes received, as they come
 * @property {(told: {state: 'open'|'lost'|'retrying'|'closed', inS?: number}) => void} [onConnection]
 * @property {string} [base] where the server is; the page's own origin unless given
 * @property {number} [retryS] seconds before a lost socket is opened anew, the first time
 * @property {number} [pingS] seconds between two signs of life on a socket
 *
 * @typedef {object} AskOptions the fields of a prompt (docs/agent.md)
 * @property {string} [mode] @property {string} [voice] @property {number} [speed] @property {string} [language]
 * @property {number} [sample_rate] @property {string[]} [events] @property {string} [request_id]
 * @property {number} [played_s] of the answer that this prompt interrupts
 *
 * @typedef {object} Transport
 * @property {(prompt: string, options?: AskOptions) => string} ask returns the request_id
 * @property {(told: {requestId: string, playedS?: number}) => void} cancel
 * @property {(requestId: string, playedS: number) => void} played tells how much has been heard
 * @property {() => void} close cancels what is under way; call it when the page is left, too ('pagehide')
 */

import { authorization, newId, refusalOf, socketAddress } from './requests.js';
import { SocketTransport } from './socket-transport.js';
import { connectSpeech } from './speech-session.js';
import { bytesOfBase64, readEvents } from './sse.js';
import { UnderWay } from './under-way.js';

/** After so long without an answer to a cancel, the stream is left: a server interrupts what nobody reads. */
const CANCEL_MS = 10_000;
const SESSION_HEADER = 'X-Amzn-Bedrock-AgentCore-Runtime-Session-Id';

/** A name for a conversation. @returns {string} */
export function newSessionId() {
  return newId();
}

/** @param {'sse'|'websocket'} kind @param {ConnectOptions} options @returns {Transport} */
export function connect(kind, options) {
  if (kind !== 'sse' && kind !== 'websocket') throw new RangeError(`unknown transport: ${kind}`);
  const given = { base: location.origin, onBytes: () => {}, onConnection: () => {}, ...options };
  if (given.pageInfo.kind === 'speech') return connectSpeech(kind, given);
  return kind === 'sse' ? new AgentStream(given) : new AgentSocket(given);
}

/** POST /invocations: a response for each prompt. */
class AgentStream {
  /** Those that are being read. @type {Map<string, {abort: AbortController, begun: boolean, cancelled: boolean}>} */
  #responses = new Map();
  #closed = false;

  constructor(options) {
    this._options = options;
    this._underWay = new UnderWay(options.onEvent);
  }

  ask(prompt, { request_id: id = newId(), ...options } = {}) {
    this._underWay.begin(id);
    const response = { abort: new AbortController(), begun: false, cancelled: false };
    this.#responses.set(id, response);
    const message = { type: 'prompt', prompt, ...options, request_id: id };
    this.#read(id, message, response).finally(() => this.#responses.delete(id));
    return id;
  }

  /** The stream ends by what was heard; of an answer that has come whole, it is in the answer to the cancel. */
  async cancel({ requestId: id, playedS }) {
    this._underWay.cancel(id);
    const response = this.#responses.get(id);
    if (response) response.cancelled = true;
    if (response?.begun === false) {
      // The prompt may still be on its way, and a cancel of its own would overtake it.
      response.abort.abort();
      this._underWay.unheard(id);
      return;
    }
    const told = await this.#postCancel(id, playedS);
    if (told.type === 'cancelled') {
      this._underWay.deliver(told);
      return;
    }
    response?.abort.abort();
    this._underWay.fail(id, { code: told.error, message: told.message });
  }

  played() {} // the wire has no way for it but `cancel` and the next prompt

  close() {
    this.#closed = true;
    for (const [id, { cancelled }] of this.#responses) if (!cancelled) void this.cancel({ requestId: id });
    this._options.onConnection({ state: 'closed' });
  }

  #post(message, options) {
    const { base, sessionId, key } = this._options;
    const headers = { 'Content-Type': 'application/json', [SESSION_HEADER]: sessionId, ...authorization(key) };
    const body = JSON.stringify(message);
    return fetch(new URL('/invocations', base), { method: 'POST', headers, body, ...options });
  }

  async #postCancel(id, playedS) {
    try {
      // `keepalive`: the page may be gone by then.
      const options = { keepalive: true, signal: AbortSignal.timeout(CANCEL_MS) };
      const answer = await this.#post({ type: 'cancel', request_id: id, played_s: playedS }, options);
      return await answer.json();
    } catch {
      return {};
    }
  }

  async #read(id, message, response) {
    const { signal } = response.abort;
    const { onBytes, onConnection } = this._options;
    try {
      const answer = await this.#post(message, { signal });
      response.begun = true;
      if (!this.#closed) onConnection({ state: 'open' });
      if (!answer.ok) {
        this._underWay.fail(id, await refusalOf(answer));
        return;
      }
      for await (const { data } of readEvents(answer, { signal, onBytes })) this.#take(id, JSON.parse(data));
    } catch {
      // Told below: whether it broke off by an error or in silence is the same to whoever listens.
    }
    if (this.#closed || signal.aborted || !this._underWay.isLive(id)) return;
    onConnection({ state: 'lost' });
    this._underWay.fail(id);
  }

  #take(id, event) {
    if (event.type === 'audio_chunk') this._underWay.audio(id, bytesOfBase64(event.data));
    else this._underWay.deliver({ ...event, request_id: event.request_id ?? id });
  }
}

/** WS /ws: one socket for the whole conversation; audio in binary frames. */
class AgentSocket extends SocketTransport {
  #speaking = null; // whose audio comes

  played(requestId, playedS) {
    this._socket.send({ type: 'played', request_id: requestId, played_s: playedS });
  }

  _prompt(id, prompt, options) {
    return { type: 'prompt', prompt, ...options, request_id: id, transport: 'binary' };
  }

  _take(event) {
    if (event.type === 'pong') return;
    if (event.type === 'audio_stream_start') this.#speaking = event.request_id;
    if (event.type === 'audio_chunk') this._underWay.audio(event.request_id, bytesOfBase64(event.data));
    else this._underWay.deliver(event);
  }

  _takeAudio(bytes) {
    this._underWay.audio(this.#speaking, bytes);
  }

  async _address() {
    const { base, pageInfo, sessionId, key } = this._options;
    if (pageInfo.presigned) {
      const headers = { [SESSION_HEADER]: sessionId, ...authorization(key) };
      const response = await fetch(new URL(pageInfo.presigned, base), { headers, cache: 'no-store' });
      if (!response.ok) throw Object.assign(new Error('no address'), { told: await refusalOf(response) });
      return (await response.json()).url;
    }
    const address = socketAddress(base, '/ws', key);
    address.searchParams.set(SESSION_HEADER, sessionId);
    return address.href;
  }
}
