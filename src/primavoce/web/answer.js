/**
 * What is known of one answer: its text, which part of it is heard when, and when what of it happened.
 *
 * Nothing here knows of the page's elements. Positions on the wire count characters (code points); those in here are
 * JavaScript's own, so that they can cut its strings.
 */

/**
 * @typedef {object} Word
 * @property {number} start @property {number} end into the text
 * @property {number} startS @property {number} endS into the audio
 *
 * @typedef {object} Segment
 * @property {number} index
 * @property {number} start @property {number} end into the text
 * @property {number} startS into the audio
 * @property {Word[]} words none if their times are not known
 * @property {?Span} written when its text came
 * @property {?Span} made when its audio came
 * @property {?Span} heard when it was heard
 *
 * @typedef {{from: number, to: number}} Span seconds after the question
 * @typedef {'waiting'|'writing'|'speaking'|'done'|'stopped'|'failed'} AnswerState
 */

export class Answer {
  /**
   * @param {string} prompt
   * @param {{now?: () => number}} [options] `now`: seconds of any clock
   */
  constructor(prompt, { now = () => performance.now() / 1000 } = {}) {
    this.prompt = prompt;
    /** @type {?string} */
    this.requestId = null;
    this.text = '';
    /** @type {Segment[]} */
    this.segments = [];
    /** @type {Int16Array[]} every block of its audio, as it came, while it is kept */
    this.audio = [];
    this.kept = true; // whether all of its audio still is there
    this.sampleRate = 24000;
    this.audioS = 0;
    /** @type {AnswerState} */
    this.state = 'waiting';
    /** @type {?number} where in the text hearing ended, once it was interrupted */
    this.heardTo = null;
    this.settled = false; // whether the server has said so, too
    this.playedS = 0;
    this.underruns = 0;
    this.bytes = 0;
    /** @type {?{code: string, message: string}} */
    this.error = null;
    /** Seconds after the question, by this page's clock. @type {Record<string, ?number>} */
    this.times = { firstText: null, lastText: null, firstAudio: null, lastAudio: null, firstSound: null, total: null };
    this.finished = false; // whether the server has ended it
    this.heardOut = false; // whether nothing more of it will be heard
    this.#now = now;
    this.#askedAt = now();
  }

  #now;
  #askedAt;
  /** Where the text of each time ends. @type {{at: number, end: number}[]} */
  #written = [];
  #cursor = { characters: 0, index: 0 };

  /** Seconds since the question. */
  get sinceS() {
    return this.#now() - this.#askedAt;
  }

  /** @param {number} clockS a time of the clock @returns {number} seconds after the question */
  after(clockS) {
    return clockS - this.#askedAt;
  }

  get over() {
    return this.state === 'done' || this.state === 'stopped' || this.state === 'failed';
  }

  /** @param {string} text what was written next */
  write(text) {
    if (!text) return;
    this.text += text;
    const at = this.sinceS;
    this.times.firstText ??= at;
    this.times.lastText = at;
    this.#written.push({ at, end: this.text.length });
    if (this.state === 'waiting') this.state = 'writing';
  }

  /** @param {{index: number, start: number, end: number, start_s: number}} told as the wire tells it @returns {Segment} */
  addSegment(told) {
    const start = this.#position(told.start);
    const end = Math.max(start, this.#position(told.end));
    const segment = { index: told.index, start, end, startS: told.start_s, words: [], heard: null };
    segment.written = this.#writtenBetween(start, end);
    segment.made = { from: this.sinceS, to: this.sinceS };
    this.segments.push(segment);
    return segment;
  }

  /** @param {number} index the segment's @param {object[]} words as the wire tells them @returns {?Segment} */
  addWords(index, words) {
    const segment = this.segments.find((each) => each.index === index);
    if (!segment) return null;
    segment.words = words.map((word) => ({
      start: this.#position(word.start),
      end: this.#position(word.end),
      startS: word.start_s,
      endS: word.end_s,
    }));
    return segment;
  }

  /** @param {Int16Array} samples */
  addAudio(samples) {
    if (this.kept) this.audio.push(samples);
    this.audioS += samples.length / this.sampleRate;
    const at = this.sinceS;
    this.times.firstAudio ??= at;
    this.times.lastAudio = at;
    const segment = this.segments.at(-1);
    if (segment) segment.made.to = at;
  }

  /** Keep its audio no longer. */
  letGo() {
    this.audio = [];
    this.kept = false;
  }

  /** Note what is in the listener's ear just now. @param {number} playedS */
  hear(playedS) {
    this.playedS = playedS;
    const at = this.sinceS;
    const number = this.segmentAt(playedS);
    const segment = this.segments[number];
    if (!segment || playedS <= 0) return;
    segment.heard ??= { from: this.segments[number - 1]?.heard?.to ?? at, to: at };
    if (playedS < this.audioS) segment.heard.to = at;
  }

  /** @param {number} playedS @returns {number} place in `segments`, -1 before the first */
  segmentAt(playedS) {
    let low = 0;
    let high = this.segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.segments[middle].startS <= playedS) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** @param {Segment|undefined} segment @param {number} playedS @returns {number} place in its words, -1 for none */
  wordAt(segment, playedS) {
    if (!segment) return -1;
    let found = -1;
    while (found + 1 < segment.words.length && segment.words[found + 1].startS <= playedS) found += 1;
    return found;
  }

  /** Where hearing ended, as far as the page can tell: after the last whole word. @param {number} playedS */
  heardUpTo(playedS) {
    const segment = this.segments[this.segmentAt(playedS)];
    if (!segment || playedS <= 0) return 0;
    if (playedS >= this.audioS) return segment.end;
    const ended = segment.words.filter((word) => word.endS <= playedS).at(-1);
    return ended ? ended.end : segment.start;
  }

  /** @param {number} playedS @param {number|null} [characters] of the text, as the server counts what was heard */
  stop(playedS, characters = null) {
    this.state = 'stopped';
    this.heardOut = true;
    this.playedS = playedS;
    this.heardTo = characters === null ? this.heardUpTo(playedS) : this.#position(characters);
    this.settled = characters !== null;
  }

  /** When the text from `start` to `end` was written. @returns {?Span} */
  #writtenBetween(start, end) {
    const first = this.#written.find((each) => each.end > start);
    const last = this.#written.find((each) => each.end >= end) ?? this.#written.at(-1);
    return first && last ? { from: first.at, to: last.at } : null;
  }

  /** The position in the string of so many characters. */
  #position(characters) {
    if (characters < this.#cursor.characters) this.#cursor = { characters: 0, index: 0 };
    const cursor = this.#cursor;
    while (cursor.characters < characters && cursor.index < this.text.length) {
      cursor.index += this.text.codePointAt(cursor.index) > 0xffff ? 2 : 1;
      cursor.characters += 1;
    }
    return cursor.index;
  }
}
