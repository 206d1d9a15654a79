/**
 * The part of the player that lives in the audio thread: a ring of samples, played on the audio clock.
 *
 * It decides alone when to start, what to do when the samples run dry and when an answer has ended, so that a busy or
 * throttled page changes nothing of what is heard. It allocates nothing while it plays but the few messages it sends.
 *
 * Messages in (`turn` counts the answers):
 *   {type: 'begin', turn}                        a new answer; what is left of the one before is faded out
 *   {type: 'push', samples: Int16Array}          at most what the ring has room for: whoever pushes keeps count
 *   {type: 'end'}                                all samples of the answer have been pushed
 *   {type: 'interrupt'}                          silence, by a fade
 *   {type: 'close'}
 * Messages out, all with `turn` and `startBufferS` (what is held before playing starts, as it stands now); `atS` is on
 * the context's clock, `played` counts samples of the answer:
 *   {type: 'run', atS, played}                   playing starts
 *   {type: 'stop', atS, played, ended}           the samples ran dry, or the answer has ended
 *   {type: 'underrun', underruns}                it ran dry, and more of it has come
 *   {type: 'sound', atS, played}                 the first audible sample
 *   {type: 'taken', played}                      there is room again in the ring
 */

/** Seconds over which sound is bent to silence: shorter clicks, longer is heard as a reply to an interruption. */
const FADE_S = 0.005;
/** The most that is held before playing starts. */
const MOST_START_S = 1;
/** An underrun says that the last guess was wrong by much; answers without one take it back little by little. */
const START_GROWS = 2;
const START_SHRINKS = 0.9;
/** As the server's own measure of the first sound has it: −50 dBFS over 5 ms. One loud sample of noise is no sound. */
const AUDIBLE_POWER = 10 ** (-50 / 10);
const AUDIBLE_WINDOW_S = 0.005;

/** Samples that wait, in a ring of fixed size: the page keeps the rest of a long answer. */
class Ring {
  /** @param {number} capacity */
  constructor(capacity) {
    this._samples = new Int16Array(capacity);
    this._first = 0;
    this.count = 0;
  }

  /** @param {Int16Array} samples */
  push(samples) {
    const capacity = this._samples.length;
    if (samples.length > capacity - this.count) throw new RangeError('more samples than the ring has room for');
    const at = (this._first + this.count) % capacity;
    const before = Math.min(samples.length, capacity - at);
    this._samples.set(samples.subarray(0, before), at);
    this._samples.set(samples.subarray(before), 0);
    this.count += samples.length;
  }

  /** @returns {number} the next sample, in [-1, 1) */
  shift() {
    const sample = this._samples[this._first];
    this._first = (this._first + 1) % this._samples.length;
    this.count -= 1;
    return sample / 32768; // exact in 32-bit floats
  }

  clear() {
    this._first = this.count = 0;
  }
}

/**
 * Reads a ring at another rate than the context's, by Catmull-Rom's cubic through four samples.
 *
 * Its state outlives blocks, pushes and gaps: where the samples were cut makes no difference. Needed only where a
 * browser doesn't give the context the stream's own rate, so it is short rather than studio grade: what it does to
 * speech lies 40 dB below it up to 3 kHz.
 */
class Resampler {
  /** @param {Ring} ring @param {number} step samples of the ring for each one played */
  constructor(ring, step) {
    this._ring = ring;
    this._step = step;
    this.reset();
  }

  reset() {
    this._a = this._b = this._c = this._d = 0;
    // The first sample played is the first of the ring: `b`, once three have been read.
    this._wanted = 3;
    this._phase = 0;
    this._padding = 2; // at the end, the cubic needs two samples beyond
  }

  /** @param {boolean} ended nothing will be pushed any more @returns {number} a sample; NaN if the ring is dry */
  next(ended) {
    for (; this._wanted > 0; this._wanted -= 1) {
      let sample = this._d;
      if (this._ring.count > 0) sample = this._ring.shift();
      else if (ended && this._padding > 0) this._padding -= 1;
      else return NaN;
      this._a = this._b;
      this._b = this._c;
      this._c = this._d;
      this._d = sample;
    }
    const { _a: a, _b: b, _c: c, _d: d, _phase: t } = this;
    const sample = b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
    this._phase += this._step;
    this._wanted = Math.floor(this._phase);
    this._phase -= this._wanted;
    return sample;
  }
}

/** Sound that is added to what is played, so that no step is heard where samples begin or end at once. */
class Bend {
  /** @param {number} length */
  constructor(length) {
    this._samples = new Float32Array(length);
    this._at = length;
  }

  /** Go from `level` to silence. @param {number} level @param {() => number} [next] what would have been played */
  start(level, next) {
    const length = this._samples.length;
    for (let i = 0; i < length; i += 1) {
      const left = this._at + i < length ? this._samples[this._at + i] : 0;
      const sample = next ? next() : level;
      if (!Number.isNaN(sample)) level = sample;
      // A raised cosine: neither a step nor a corner. What is still left of a bend before goes on.
      this._samples[i] = left + level * (0.5 + 0.5 * Math.cos((Math.PI * (i + 1)) / (length + 1)));
    }
    this._at = 0;
  }

  /** @returns {number} */
  next() {
    return this._at < this._samples.length ? this._samples[this._at++] : 0;
  }
}

class PlayerProcessor extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    const { streamRate, ringSamples, startBufferS, leastStartS } = processorOptions;
    this._streamRate = streamRate;
    this._ringSamples = ringSamples;
    this._ring = new Ring(ringSamples);
    this._resampler = streamRate === sampleRate ? null : new Resampler(this._ring, streamRate / sampleRate);
    this._bend = new Bend(Math.round(FADE_S * sampleRate));
    this._leastStartS = leastStartS;
    this._startS = startBufferS;
    this._closed = false;
    this._idle();
    this.port.onmessage = ({ data: message }) => this._take(message);
  }

  _idle() {
    this._ring.clear();
    this._resampler?.reset();
    this._open = false; // whether an answer is being played or waited for
    this._ended = false;
    this._playing = false;
    this._ranDry = false;
    this._resumed = false;
    this._pushed = 0;
    this._reported = 0;
    this._underruns = 0;
    this._firstPushAt = -1;
    this._level = 0;
    this._sound = { power: 0, length: 0, found: false };
  }

  _take(message) {
    if (message.type === 'begin') this._begin(message.turn, message);
    else if (message.type === 'push') this._push(message.samples);
    else if (message.type === 'end') this._ended = true;
    else if (message.type === 'interrupt') this._fade();
    else if (message.type === 'close') this._closed = true;
  }

  /** `underruns` and `pushed` are given when an answer goes on here that was begun in a context that broke. */
  _begin(turn, { underruns = 0, pushed = 0 }) {
    this._fade();
    this._turn = turn;
    this._open = true;
    this._underruns = underruns;
    this._pushed = this._reported = pushed;
  }

  _fade() {
    if (this._playing) this._bend.start(this._level, () => this._next());
    this._idle();
  }

  _push(samples) {
    if (!this._open || samples.length === 0) return;
    if (this._firstPushAt < 0) this._firstPushAt = currentFrame;
    if (this._ranDry) {
      // Only now: had no more speech come, the answer would just have been over.
      this._ranDry = false;
      this._underruns += 1;
      this._startS = Math.min(MOST_START_S, this._startS * START_GROWS);
      this._tell({ type: 'underrun', underruns: this._underruns });
    }
    this._ring.push(samples);
    this._pushed += samples.length;
  }

  _tell(message) {
    this.port.postMessage({ turn: this._turn, startBufferS: this._startS, ...message });
  }

  get _played() {
    return this._pushed - this._ring.count;
  }

  _next() {
    if (this._resampler) return this._resampler.next(this._ended);
    return this._ring.count > 0 ? this._ring.shift() : NaN;
  }

  /** Enough is held; or all there will be; or it was held for as long as what is wanted would last. */
  _mayStart() {
    if (this._ring.count === 0) return false;
    if (this._ended || this._ring.count >= this._startS * this._streamRate) return true;
    return currentFrame - this._firstPushAt >= this._startS * sampleRate;
  }

  process(_inputs, [[block, ...others]]) {
    if (this._open && !this._playing) {
      if (this._ended && this._ring.count === 0) this._stop(0);
      else if (this._mayStart()) this._run();
    }
    for (let i = 0; i < block.length; i += 1) block[i] = this._sample(i) + this._bend.next();
    for (const other of others) other.set(block);
    if (this._played - this._reported >= this._ringSamples / 4) {
      this._reported = this._played;
      this._tell({ type: 'taken', played: this._played });
    }
    return !this._closed;
  }

  _run() {
    this._playing = true;
    this._tell({ type: 'run', atS: currentFrame / sampleRate, played: this._played });
    // After a gap speech goes on in the middle of a wave: the step from silence is bent.
    this._resumed = this._played > 0;
  }

  /** @param {number} i of the block */
  _sample(i) {
    if (!this._playing) return 0;
    const sample = this._next();
    if (Number.isNaN(sample)) {
      this._stop(i);
      return 0;
    }
    if (this._resumed) {
      this._resumed = false;
      this._bend.start(-sample);
    }
    this._level = sample;
    if (!this._sound.found) this._listen(sample, i);
    return sample;
  }

  _stop(i) {
    this._playing = false;
    this._bend.start(this._level);
    this._level = 0;
    this._firstPushAt = -1;
    const calm = this._ended && this._underruns === 0;
    if (calm) this._startS = Math.max(this._leastStartS, this._startS * START_SHRINKS);
    this._tell({ type: 'stop', atS: (currentFrame + i) / sampleRate, played: this._played, ended: this._ended });
    if (this._ended) {
      this._idle();
    } else {
      this._ranDry = true;
    }
  }

  _listen(sample, i) {
    const sound = this._sound;
    sound.power += sample * sample;
    sound.length += 1;
    if (sound.length < AUDIBLE_WINDOW_S * sampleRate) return;
    if (sound.power / sound.length >= AUDIBLE_POWER) {
      sound.found = true;
      const atS = (currentFrame + i + 1 - sound.length) / sampleRate;
      const listened = Math.round((sound.length * this._streamRate) / sampleRate);
      this._tell({ type: 'sound', atS, played: this._played - listened });
    }
    sound.power = sound.length = 0;
  }
}

registerProcessor('primavoce-player', PlayerProcessor);
