/**
 * Questions, answers and the voice: what happens, without the page's elements.
 *
 * Events: 'asked', 'text', 'segment', 'words', 'change' and 'end' carry `{answer}` (and `{text}`, `{segment}`);
 * 'connection' carries `{state, inS}`, 'trouble' `{code, message}`, 'voice' nothing: ask `voice`.
 */

import { Answer } from './answer.js';
import { KEPT_S, beyondLimit } from './kept-audio.js';

const REPORT_EVERY_MS = 1000;

export class Conversation extends EventTarget {
  /**
   * @param {object} options
   * @param {() => Promise<import('./player.js').Player>} options.openPlayer
   * @param {boolean} options.spoken whether what is typed is the text that is spoken
   * @param {number} [options.keptS] seconds of audio that are kept
   */
  constructor({ openPlayer, spoken, keptS = KEPT_S }) {
    super();
    /** @type {Answer[]} */
    this.answers = [];
    /** @type {?Answer} the one that is under way or in the listener's ear */
    this.current = null;
    this.#openPlayer = openPlayer;
    this.#spoken = spoken;
    this.#keptS = keptS;
  }

  #openPlayer;
  #spoken;
  #keptS;
  /** @type {?import('./player.js').Player} */
  #player = null;
  /** @type {?Promise<void>} */
  #opening = null;
  /** @type {?import('./transports.js').Transport} */
  #transport = null;
  /** @type {?import('./transports.js').Transport} */
  #asked = null; // the transport that the current answer came by
  #ending = false;
  #mute = false; // there is no audio output
  #reporting = 0;

  /** @param {?import('./transports.js').Transport} transport that the next question goes by */
  use(transport) {
    this.stop();
    this.#transport?.close();
    this.#transport = transport;
  }

  /** 'idle', 'waiting', 'playing', 'blocked' or 'ended'. */
  get voice() {
    return this.#player?.state ?? 'idle';
  }

  get level() {
    return this.#player?.level ?? 0;
  }

  get busy() {
    return this.current !== null;
  }

  /** Open the audio output; in a click or a key press the browser lets it sound. */
  async warm() {
    this.#opening ??= this.#open();
    await this.#opening;
    if (this.#player?.state === 'blocked') await this.#player.resume();
  }

  /** Let the sound out, after the browser has held it back. */
  async resume() {
    await this.warm();
    await this.#player?.resume();
  }

  /** @param {string} prompt @param {object} options of the transport's `ask` @returns {Answer} */
  ask(prompt, options) {
    const before = this.stop();
    const answer = new Answer(prompt);
    if (this.#spoken) answer.write(prompt);
    this.answers.push(answer);
    this.current = answer;
    this.#asked = this.#transport;
    this.#ending = false;
    void this.warm();
    this.#tell('asked', { answer });
    if (this.#mute) this.#tell('trouble', { code: 'no_audio' });
    const played = before === null ? {} : { played_s: before.playedS };
    answer.requestId = this.#transport.ask(prompt, { ...options, ...played });
    this.#player?.begin(answer.requestId);
    this.#reporting ||= window.setInterval(() => this.#report(), REPORT_EVERY_MS);
    return answer;
  }

  /** Silence at once, and no more of the answer. @returns {?Answer} the one that was interrupted */
  stop() {
    const answer = this.current;
    if (answer === null) return null;
    const { playedS } = this.#player?.interrupt() ?? { playedS: 0 };
    answer.stop(playedS);
    this.current = null;
    if (answer.requestId) this.#asked?.cancel({ requestId: answer.requestId, playedS });
    this.#tell('end', { answer });
    return answer;
  }

  /** Note what is heard now; once a frame is enough. */
  tick() {
    const answer = this.current;
    if (answer && this.#player && this.#player.answerId === answer.requestId) answer.hear(this.#player.playedS);
  }

  /** @param {number} count bytes that came */
  received(count) {
    if (this.current) this.current.bytes += count;
  }

  /** @param {object} event of docs/agent.md */
  take(event) {
    const answer = this.#answerOf(event);
    if (!answer) {
      if (event.type === 'error' && !event.request_id) this.#tell('trouble', event);
      return;
    }
    if (answer !== this.current) {
      // What it was cut off at, as the server counts it; else a straggler.
      if (event.type === 'cancelled' && answer.state === 'stopped') {
        answer.stop(answer.playedS, event.spoken_characters);
        this.#tell('end', { answer });
      }
      return;
    }
    if (!answer.error) this.#take(event, answer);
  }

  #take(event, answer) {
    switch (event.type) {
      case 'text_delta':
        if (this.#spoken) break; // it is there already
        answer.write(event.text);
        this.#tell('text', { answer, text: event.text });
        break;
      case 'segment':
        this.#tell('segment', { answer, segment: answer.addSegment(event) });
        break;
      case 'words': {
        const segment = answer.addWords(event.index, event.words);
        if (segment) this.#tell('words', { answer, segment });
        break;
      }
      case 'audio_stream_start':
        answer.sampleRate = event.sample_rate;
        break;
      case 'audio':
        this.#hear(event.samples, answer);
        break;
      case 'audio_stream_end':
        this.#end();
        break;
      case 'agent_end':
        answer.finished = true;
        answer.times.total = answer.sinceS;
        this.#end();
        if (this.#heardOut(answer)) this.#close(answer, 'done');
        break;
      case 'cancelled':
        this.#player?.interrupt();
        answer.stop(answer.playedS, event.spoken_characters);
        this.#close(answer, 'stopped');
        break;
      case 'error':
        this.#fail(answer, event);
        break;
      default:
    }
    if (event.type !== 'audio' && this.current) this.#tell('change', { answer });
  }

  /** @param {{state: string, inS?: number}} told */
  connection(told) {
    this.#tell('connection', told);
  }

  #answerOf(event) {
    return event.request_id ? this.answers.findLast((answer) => answer.requestId === event.request_id) : undefined;
  }

  #hear(samples, answer) {
    if (!this.#push(samples, answer)) return;
    answer.addAudio(samples);
    for (const each of beyondLimit(this.answers, this.#keptS)) {
      each.letGo();
      this.#tell('change', { answer: each });
    }
  }

  /** @returns {boolean} whether there was room for it */
  #push(samples, answer) {
    try {
      this.#player?.push(samples);
      return true;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    this.#fail(answer, { code: 'too_far_ahead' });
    // No more is wanted; what has come will have been heard.
    this.#asked.cancel({ requestId: answer.requestId, playedS: answer.audioS });
    return false;
  }

  /** Whether nothing more of it will be heard. */
  #heardOut(answer) {
    return !answer.audioS || this.#mute || this.#player?.state === 'ended';
  }

  #fail(answer, error) {
    answer.error = error;
    answer.finished = true;
    answer.times.total = answer.sinceS;
    this.#end(); // what has come is still played
    this.#close(answer, 'failed', { silent: this.#heardOut(answer) });
    this.#tell('trouble', error);
  }

  #end() {
    if (!this.#ending) this.#player?.end();
    this.#ending = true;
  }

  #close(answer, state, { silent = true } = {}) {
    answer.state = state;
    if (silent) {
      answer.heardOut = true;
      this.current = null;
    }
    this.#tell('end', { answer });
  }

  #report() {
    this.tick(); // a page that nobody sees draws nothing, and so doesn't note it
    const answer = this.current;
    if (!answer) {
      window.clearInterval(this.#reporting);
      this.#reporting = 0;
    } else if (answer.requestId && this.#player?.state === 'playing') {
      this.#asked?.played(answer.requestId, this.#player.playedS);
    }
  }

  async #open() {
    try {
      this.#player = await this.#openPlayer();
    } catch {
      this.#mute = true;
      this.#tell('trouble', { code: 'no_audio' });
      if (this.current?.finished) this.#close(this.current, this.current.error ? 'failed' : 'done');
      return;
    }
    const player = this.#player;
    player.addEventListener('firstsound', (event) => {
      const answer = this.current;
      if (answer && event.detail.answerId === answer.requestId) {
        answer.times.firstSound ??= answer.after(event.detail.atS);
        if (!answer.over) answer.state = 'speaking';
        this.#tell('change', { answer });
      }
    });
    player.addEventListener('underrun', (event) => {
      if (this.current) this.current.underruns = event.detail.underruns;
    });
    player.addEventListener('ended', (event) => this.#ended(event.detail));
    player.addEventListener('state', () => this.#tell('voice'));
    player.addEventListener('blocked', () => this.#tell('voice'));
    const answer = this.current; // what came while it opened
    if (answer?.requestId) {
      player.begin(answer.requestId);
      for (const samples of answer.audio) if (!this.#push(samples, answer)) break;
      if (this.#ending) player.end();
    }
  }

  #ended({ playedS, answerId }) {
    const answer = this.current;
    if (!answer || answerId !== answer.requestId || !this.#ending) return;
    answer.hear(playedS);
    answer.heardOut = true;
    this.current = answer.finished ? null : answer;
    if (answer.state !== 'failed' && answer.finished) answer.state = 'done';
    this.#tell('end', { answer });
  }

  #tell(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
