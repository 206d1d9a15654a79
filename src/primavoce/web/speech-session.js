/**
 * The same interface as the agent's for a server that speaks what is typed, as it stands (docs/protocol.md): its
 * messages become an agent's events, so that the page has one way to go.
 */

import { authorization, newId, refusalOf, socketAddress } from './requests.js';
import { SocketTransport } from './socket-transport.js';
import { bytesOfBase64, readEvents } from './sse.js';
import { UnderWay } from './under-way.js';

/**
 * @param {'sse'|'websocket'} kind
 * @param {import('./transports.js').ConnectOptions} options
 * @returns {import('./transports.js').Transport}
 */
export function connectSpeech(kind, options) {
  return kind === 'sse' ? new SpeechStream(options) : new SpeechSocket(options);
}

/** One utterance in an agent's events, with times as its listener has them. */
class Utterance {
  #askedAt = performance.now();
  #announced = null; // told with the first audio: a text without a letter has none
  #firstAudioS = null;
  #audioBytes = 0;
  #frames = 0;
  #words = [];

  /** @param {string} id @param {string} text @param {UnderWay} underWay */
  constructor(id, text, underWay) {
    this._id = id;
    this._text = text;
    this._underWay = underWay;
    this._rate = 24000;
    /** Whether the server has begun with it. */
    this.started = false;
  }

  tell(type, fields) {
    this._underWay.deliver({ type, request_id: this._id, ...fields });
  }

  begin() {
    this.tell('agent_start', { mode: 'stream' });
    this.tell('text_delta', { seq: 0, text: this._text });
  }

  start({ voice, sample_rate: rate }) {
    this.started = true;
    this._rate = rate;
    this.#announced = { format: 'pcm16', voice, sample_rate: rate };
  }

  /** A `segment`, or the `words` of one. */
  describe({ type, request_id: _id, ...fields }) {
    this.#announce();
    if (type === 'words') this.#words.push(...fields.words);
    this.tell(type, fields);
  }

  /** @param {Uint8Array} bytes */
  audio(bytes) {
    this.#announce();
    this.#firstAudioS ??= this.#elapsedS;
    this.#frames += 1;
    this.#audioBytes += bytes.length;
    this._underWay.audio(this._id, bytes);
  }

  complete() {
    const audioS = this.#audioBytes / 2 / this._rate;
    if (this.#frames > 0) this.tell('audio_stream_end', { total_chunks: this.#frames, duration_s: audioS });
    const timings = {
      speech_open_s: null,
      first_text_s: 0,
      text_complete_s: 0, // it was there before it was asked for
      first_audio_s: this.#firstAudioS,
      first_sound_s: null, // the player knows
      total_s: this.#elapsedS,
      characters: [...this._text].length,
      audio_s: audioS,
    };
    this.tell('agent_end', { timings });
  }

  /** What was heard by then, as far as the times of the words tell. @param {number} playedS */
  cancelled(playedS) {
    const heard = this.#words.findLast((word) => word.end_s <= playedS)?.end ?? 0;
    const fields = { spoken_text: [...this._text].slice(0, heard).join(''), spoken_characters: heard };
    this.tell('cancelled', { ...fields, audio_sent_s: this.#audioBytes / 2 / this._rate });
  }

  get #elapsedS() {
    return (performance.now() - this.#askedAt) / 1000;
  }

  #announce() {
    if (this.#announced) this.tell('audio_stream_start', this.#announced);
    this.#announced = null;
  }
}

/** The fields of a prompt that a synthesis has, too. */
function synthesisOf({ voice, speed, language, sample_rate }) {
  return { voice, speed, language, sample_rate };
}

/** WS /invocations-bidirectional-stream. */
class SpeechSocket extends SocketTransport {
  /** @type {Utterance|null} the one that was asked for last */
  #utterance = null;
  #announced = false;
  /** @type {string|null} */
  #speaking = null;

  played(requestId, playedS) {
    this._socket.send({ type: 'ping', request_id: requestId, played_s: playedS });
  }

  cancel({ requestId, playedS = 0 }) {
    const live = this._underWay.isLive(requestId);
    super.cancel({ requestId, playedS });
    // All of it has come; the server has nothing to cancel any more.
    if (!live && this.#utterance?._id === requestId) this.#utterance.cancelled(playedS);
  }

  _prompt(id, text, { events = [], played_s: playedS, ...options }) {
    for (const earlier of this._underWay.live) if (earlier !== id) this.cancel({ requestId: earlier, playedS });
    this.#utterance = new Utterance(id, text, this._underWay);
    this.#announced = false;
    const asked = events.includes('words') ? ['segments', 'words'] : ['segments'];
    return { type: 'synthesize', text, ...synthesisOf(options), request_id: id, events: asked };
  }

  _send() {
    if (this._waiting && !this.#announced) {
      this.#announced = true;
      this.#utterance.begin();
    }
    super._send();
  }

  _take(message) {
    const utterance = this.#utterance;
    const ours = utterance !== null && message.request_id === utterance._id;
    if (message.type === 'synthesis_start') this.#speaking = message.request_id;
    if (message.type === 'cancelled') this._underWay.deliver(message);
    else if (message.type === 'error') this.#fail(message);
    else if (message.type === 'session_complete') this.#over();
    else if (!ours) return; // a pong, or the rest of one that was interrupted
    else if (message.type === 'synthesis_start') utterance.start(message);
    else if (message.type === 'segment' || message.type === 'words') utterance.describe(message);
    else if (message.type === 'synthesis_complete') utterance.complete();
  }

  _takeAudio(bytes) {
    if (this.#utterance?._id === this.#speaking) this.#utterance.audio(bytes);
  }

  _address() {
    const { base, key } = this._options;
    return Promise.resolve(socketAddress(base, '/invocations-bidirectional-stream', key).href);
  }

  #fail(error) {
    const live = this._underWay.live;
    const refused = live.find((id) => id === this.#utterance?._id && !this.#utterance.started);
    if (error.request_id) this._underWay.fail(error.request_id, error);
    else if (error.fatal && live.length > 0) this._underWay.failAll(error);
    else if (!error.fatal && refused) this._underWay.fail(refused, error);
    else this._options.onEvent({ ...error, request_id: null }); // of no text, but whoever listens should know
  }

  /** It was idle, or has lasted long enough; the client closes, and the next text opens another. */
  #over() {
    this._underWay.failAll();
    this._socket.rest();
  }
}

/** POST /invocations, as events: no word times, and a cancel is to stop reading. */
class SpeechStream {
  /** @type {{utterance: Utterance, abort: AbortController}|null} */
  #last = null;

  constructor(options) {
    this._options = options;
    this._underWay = new UnderWay(options.onEvent);
  }

  ask(text, { request_id: id = newId(), played_s: playedS, ...options } = {}) {
    if (this.#last) this.#stop(this.#last, playedS);
    this._underWay.begin(id);
    const utterance = new Utterance(id, text, this._underWay);
    const abort = new AbortController();
    this.#last = { utterance, abort };
    const request = { text, ...synthesisOf(options), request_id: id, transport: 'sse', format: 'pcm' };
    queueMicrotask(() => this.#read(utterance, request, abort.signal));
    return id;
  }

  cancel({ requestId, playedS }) {
    if (this.#last?.utterance._id === requestId) this.#stop(this.#last, playedS);
  }

  played() {} // the wire has no way for it

  close() {
    if (this.#last) this.#stop(this.#last);
    this._options.onConnection({ state: 'closed' });
  }

  #stop({ utterance, abort }, playedS = 0) {
    const live = this._underWay.isLive(utterance._id);
    abort.abort();
    if (live) utterance.cancelled(playedS);
  }

  async #read(utterance, request, signal) {
    const { base, key, onBytes, onConnection } = this._options;
    utterance.begin();
    const headers = { 'Content-Type': 'application/json', ...authorization(key) };
    try {
      const body = JSON.stringify(request);
      const response = await fetch(new URL('/invocations', base), { method: 'POST', headers, body, signal });
      onConnection({ state: 'open' });
      if (!response.ok) this._underWay.fail(utterance._id, await refusalOf(response));
      else for await (const event of readEvents(response, { signal, onBytes })) this.#take(utterance, event);
    } catch {
      // Told below, as a stream that broke off in silence is.
    }
    if (signal.aborted || !this._underWay.isLive(utterance._id)) return;
    onConnection({ state: 'lost' });
    this._underWay.fail(utterance._id);
  }

  #take(utterance, { name, data }) {
    const told = JSON.parse(data);
    if (name === 'audio_stream_start') utterance.start(told);
    else if (name === 'audio_chunk') utterance.audio(bytesOfBase64(told.data));
    else if (name === 'audio_stream_end') utterance.complete();
    else if (name === 'error') this._underWay.fail(utterance._id, told);
  }
}
