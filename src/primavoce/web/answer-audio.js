/** The audio of one answer on its way to the listener's ear: what waits, and how much of it has been heard. */

export class AnswerAudio {
  /** @type {Int16Array[]} */
  #blocks = [];
  #first = 0; // index into the answer of the first sample kept
  #end = 0;
  #fed = 0; // samples given to the audio thread
  #taken = 0; // samples that it has played
  #endFed = false;
  #beganS = 0;
  /** @type {{atS: number, playedS: number, endS: number}[]} stretches of the audio clock in which it was played */
  #runs = [];

  /**
   * @param {string|null} id of the answer
   * @param {number} rate Hertz
   * @param {number} aheadS seconds that the audio thread holds at most
   */
  constructor(id, rate, aheadS) {
    this.id = id;
    this.underruns = 0;
    /** Whether all of it has been pushed. */
    this.whole = false;
    this.playing = false;
    /** Whether its first audible sample has been told of. */
    this.sounded = false;
    this._rate = rate;
    this._ahead = Math.round(aheadS * rate);
  }

  /** Seconds pushed. @type {number} */
  get durationS() {
    return this.#end / this._rate;
  }

  /** @param {Int16Array} samples */
  push(samples) {
    if (samples.length > 0) this.#blocks.push(samples);
    this.#end += samples.length;
  }

  /** @returns {object|null} the next message for the audio thread, if there is something to say and room for it */
  feed() {
    const room = this._ahead - (this.#fed - this.#taken);
    let at = this.#first;
    for (const block of room > 0 ? this.#blocks : []) {
      if (this.#fed < at + block.length) {
        // A copy, for it is given away: the block is needed again if the device breaks.
        const samples = block.slice(this.#fed - at, this.#fed - at + room);
        this.#fed += samples.length;
        return { type: 'push', samples };
      }
      at += block.length;
    }
    if (!this.whole || this.#fed < this.#end || this.#endFed) return null;
    this.#endFed = true;
    return { type: 'end' };
  }

  /** @param {number} index samples that the audio thread has played @param {number} heardS */
  taken(index, heardS) {
    this.#taken = index;
    let gone = 0;
    while (gone < this.#blocks.length && this.#first + this.#blocks[gone].length <= heardS * this._rate) {
      this.#first += this.#blocks[gone++].length;
    }
    this.#blocks.splice(0, gone);
  }

  /** Nothing of it is needed any more. */
  clear() {
    this.#blocks = [];
  }

  /** Begin anew at `heardS`, in another audio thread. @param {number} heardS @returns {number} the same in samples */
  restart(heardS) {
    this.#fed = this.#taken = Math.round(heardS * this._rate);
    this.#endFed = this.playing = false;
    this.#beganS = heardS;
    this.#runs = [];
    return this.#fed;
  }

  /** Playing starts. @param {number} atS on the audio clock @param {number} playedS of the answer, before */
  run(atS, playedS) {
    this.playing = true;
    this.#runs.push({ atS, playedS, endS: Infinity });
  }

  /** Playing stops. @param {number} atS on the audio clock */
  stop(atS) {
    this.playing = false;
    const run = this.#runs.at(-1);
    if (run) run.endS = atS;
  }

  /** @param {number} timeS on the audio clock @returns {number} seconds of the answer played by then */
  playedAt(timeS) {
    const run = this.#runs.findLast(({ atS }) => atS <= timeS);
    return run ? run.playedS + Math.min(timeS, run.endS) - run.atS : this.#beganS;
  }
}
