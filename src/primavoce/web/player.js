/**
 * Plays 16-bit mono audio as it arrives: a few milliseconds after the first of it, without clicks, until interrupted.
 *
 * For any page; `answer-audio.js`, `audio-context.js` and `player-worklet.js` lie beside it; nothing else is needed:
 *
 *     import { Player } from '/web/player.js';
 *     const player = await Player.create({ sampleRate: 24000 }); // in a click: browsers keep pages silent until one
 *     player.addEventListener('blocked', () => showButton(() => player.resume()));
 *     player.begin('answer-1');
 *     for await (const block of pcm) player.push(block); // Int16Array, or an ArrayBuffer of whole samples
 *     player.end();
 *     stopButton.onclick = () => report(player.interrupt().playedS);
 *
 * Nobody waits for the player: an answer may be made far ahead of what is heard. Ten seconds of it lie in the audio
 * thread; the rest is kept here, up to half an hour, which is the longest utterance that the server speaks. Beyond
 * that `push` throws. What was not heard yet is kept until it was, so that nothing is lost with a device.
 *
 * Events (CustomEvent, with `detail`): 'state' {state, before}; 'firstsound' {answerId, atS, heardS}: when, on
 * `performance.now()`'s clock in seconds, and how far into the answer; 'underrun' {answerId, underruns, startBufferS};
 * 'ended' {answerId, playedS}; 'blocked'; 'devicechange'.
 */

import { AnswerAudio } from './answer-audio.js';
import { heardAt, heardTime, levelOf, newContext, standsStill } from './audio-context.js';

const MOST_S = 1800;
/** How long `create` waits for the sound to start; at the browser's gate it doesn't. */
const START_MS = 250;

/** @typedef {'idle'|'waiting'|'playing'|'blocked'|'ended'} PlayerState */

export class Player extends EventTarget {
  #rate;
  #aheadS;
  #leastBufferS;
  #startBufferS;
  /** @type {AudioContext} */
  #context;
  #owned;
  #node;
  #meter;
  #turn = 0;
  #answer = new AnswerAudio(null, 1, 0);
  #open = false; // an answer has begun, and neither ended nor been interrupted
  #finished = false; // it has ended
  #frozenS = 0; // seconds heard of an answer that is over
  #state = 'idle';
  #closed = false;
  #building = null;

  /**
   * @param {object} [options]
   * @param {number} [options.sampleRate] of what will be pushed
   * @param {number} [options.startBufferS] what is held before playing starts; doubled by an underrun, up to 1 s, and
   *   taken back by a tenth with each answer that has none
   * @param {number} [options.aheadS] what the audio thread holds at most
   * @param {AudioContext} [options.context] the page's own, of any rate; left open by `close`
   * @returns {Promise<Player>}
   */
  static async create({ sampleRate = 24000, startBufferS = 0.06, aheadS = 10, context } = {}) {
    const player = new Player(sampleRate, startBufferS, aheadS);
    player.#owned = !context;
    await player.#build(context ?? newContext(sampleRate));
    await Promise.race([player.#context.resume(), new Promise((resolve) => setTimeout(resolve, START_MS))]);
    return player;
  }

  /** Use `Player.create`. */
  constructor(sampleRate, startBufferS, aheadS) {
    super();
    this.#rate = sampleRate;
    this.#aheadS = aheadS;
    this.#leastBufferS = this.#startBufferS = startBufferS;
    navigator.mediaDevices?.addEventListener('devicechange', this.#deviceChanged);
  }

  /** Let sound out after the browser's autoplay gate; call it in a click or a key press. @returns {Promise<void>} */
  async resume() {
    if (this.#context.state === 'closed') this.#repair();
    await this.#building;
    await this.#context.resume();
    this.#refresh();
  }

  /** A new answer; what is left of the one before is faded out. @param {string|null} [answerId] */
  begin(answerId = null) {
    this.#answer = new AnswerAudio(answerId, this.#rate, this.#aheadS);
    this.#open = true;
    this.#finished = false;
    this.#frozenS = null;
    this.#tell({ type: 'begin', turn: ++this.#turn });
    this.#refresh();
  }

  /**
   * What comes outside an answer is left out: it is late audio of one that was interrupted. The samples must not be
   * changed afterwards.
   *
   * @param {Int16Array|ArrayBuffer} samples whole ones, little-endian (as every browser's Int16Array is)
   * @returns {number} `bufferedS`
   */
  push(samples) {
    if (!this.#open || this.#answer.whole) return this.bufferedS;
    const block = samples instanceof Int16Array ? samples : new Int16Array(samples);
    const waitingS = this.bufferedS + block.length / this.#rate;
    if (waitingS > MOST_S) throw new RangeError(`more than ${MOST_S} s wait to be heard`);
    this.#answer.push(block);
    this.#feed();
    return this.bufferedS;
  }

  /** The answer has no more audio; 'ended' comes when the last of it is played. */
  end() {
    this.#answer.whole = true;
    if (this.#open) this.#feed();
  }

  /** Silence, within a few milliseconds. @returns {{playedS: number}} what was heard of the answer */
  interrupt() {
    const playedS = this.playedS;
    if (this.#open) this.#leave(playedS);
    this.#tell({ type: 'interrupt' });
    this.#refresh();
    return { playedS };
  }

  /** Seconds of the answer that have been heard: what the device still holds is not. @type {number} */
  get playedS() {
    return this.#frozenS ?? this.#answer.playedAt(heardTime(this.#context));
  }

  /** Seconds pushed that have not been played. @type {number} */
  get bufferedS() {
    if (!this.#open) return 0;
    return Math.max(0, this.#answer.durationS - this.#answer.playedAt(this.#context.currentTime));
  }

  /** How often the answer ran dry with more of it to come. @type {number} */
  get underruns() {
    return this.#answer.underruns;
  }

  /** What is held before playing starts, as it stands now. @type {number} */
  get startBufferS() {
    return this.#startBufferS;
  }

  /** @type {PlayerState} */
  get state() {
    return this.#state;
  }

  /** Given to `begin`. @type {string|null} */
  get answerId() {
    return this.#answer.id;
  }

  /** For a meter, 0 to 1. @type {number} */
  get level() {
    return levelOf(this.#meter);
  }

  /** What the page may connect elsewhere, to record, say. @type {AudioNode} */
  get output() {
    return this.#node;
  }

  /** @returns {Promise<void>} */
  async close() {
    this.#closed = true;
    navigator.mediaDevices?.removeEventListener('devicechange', this.#deviceChanged);
    await this.#building;
    this.interrupt();
    this.#tell({ type: 'close' });
    if (this.#owned && this.#context.state !== 'closed') await this.#context.close();
  }

  async #build(context) {
    await context.audioWorklet.addModule(new URL('./player-worklet.js', import.meta.url));
    const processorOptions = {
      streamRate: this.#rate,
      ringSamples: Math.round(this.#aheadS * this.#rate),
      startBufferS: this.#startBufferS,
      leastStartS: this.#leastBufferS,
    };
    const options = { numberOfInputs: 0, outputChannelCount: [1], processorOptions };
    this.#node = new AudioWorkletNode(context, 'primavoce-player', options);
    this.#node.port.onmessage = ({ data: message }) => this.#take(message);
    this.#meter = new AnalyserNode(context, { fftSize: 1024 });
    this.#node.connect(this.#meter);
    this.#node.connect(context.destination);
    this.#context = context;
    context.addEventListener('statechange', this.#contextChanged);
    // Chromium's words for a device that failed, and for another one that was chosen.
    context.addEventListener('error', this.#contextChanged);
    context.addEventListener('sinkchange', this.#deviceChanged);
  }

  /** Go on in a new context, from what was heard last in the broken one. */
  async #rebuild() {
    const broken = this.#context;
    const turn = this.#turn;
    const heardS = this.playedS;
    this.#node.port.onmessage = null;
    if (broken.state !== 'closed') await broken.close().catch(() => {});
    await this.#build(newContext(this.#rate));
    if (!this.#open) return;
    const pushed = this.#answer.restart(turn === this.#turn ? heardS : 0); // another may have begun meanwhile
    this.#tell({ type: 'begin', turn: this.#turn, underruns: this.underruns, pushed });
    this.#context.resume().catch(() => {});
  }

  #repair() {
    if (!this.#owned || this.#closed || this.#building) return;
    const gaveUp = () => {}; // the state stays 'blocked', and `resume` tries again
    this.#building = this.#rebuild().catch(gaveUp).finally(() => {
      this.#building = null;
      this.#feed();
      this.#refresh();
      this.#say('devicechange');
    });
  }

  #contextChanged = ({ type, target }) => {
    if (target !== this.#context) return; // one that was given up
    if (target.state === 'closed' || type === 'error') this.#repair();
    this.#refresh();
  };

  #deviceChanged = () => {
    this.#say('devicechange');
    const context = this.#context;
    if (!context || !this.#owned) return;
    if (context.state !== 'running') context.resume().catch(() => {});
    standsStill(context).then((broken) => broken && context === this.#context && this.#repair());
  };

  /** Give the audio thread as much as its ring has room for. */
  #feed() {
    if (this.#building) return; // all of it will be given to the next context
    for (let message = this.#answer.feed(); message; message = this.#answer.feed()) {
      this.#tell(message, message.samples ? [message.samples.buffer] : []);
    }
  }

  /** The answer is over; `playedS` of it were heard, and nothing of it is kept. */
  #leave(playedS) {
    this.#answer.clear();
    this.#open = false;
    this.#frozenS = playedS;
  }

  #tell(message, transferred = []) {
    this.#node.port.postMessage(message, transferred);
  }

  #take(message) {
    if (message.turn !== this.#turn || !this.#open) return; // of an answer before
    const playedS = message.played / this.#rate;
    const answer = this.#answer;
    const answerId = answer.id;
    this.#startBufferS = message.startBufferS;
    if (message.type === 'run') {
      answer.run(message.atS, playedS);
    } else if (message.type === 'stop') {
      answer.stop(message.atS);
      this.#finished = message.ended;
      if (message.ended) this.#leave(playedS);
    } else if (message.type === 'taken') {
      answer.taken(message.played, this.playedS);
      this.#feed();
    } else if (message.type === 'underrun') {
      const { underruns, startBufferS } = message;
      answer.underruns = underruns;
      this.#say('underrun', { answerId, underruns, startBufferS });
    } else if (message.type === 'sound' && !answer.sounded) {
      answer.sounded = true;
      this.#say('firstsound', { answerId, atS: heardAt(this.#context, message.atS), heardS: playedS });
    }
    this.#refresh();
    if (message.type === 'stop' && message.ended) this.#say('ended', { answerId, playedS });
  }

  #refresh() {
    const before = this.#state;
    if (!this.#open) this.#state = this.#finished ? 'ended' : 'idle';
    else if (this.#context.state !== 'running') this.#state = 'blocked';
    else this.#state = this.#answer.playing ? 'playing' : 'waiting';
    if (this.#state === before) return;
    this.#say('state', { state: this.#state, before });
    if (this.#state === 'blocked') this.#say('blocked');
  }

  #say(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
