/**
 * Records what every player of the page plays, sample by sample, from the first block on.
 *
 * It must be imported before a player is made: it stands between the page and `AudioWorkletNode`.
 */

const addModule = AudioWorklet.prototype.addModule;
AudioWorklet.prototype.addModule = async function (url) {
  await addModule.call(this, '/pages/recorder-worklet.js');
  await addModule.call(this, url);
};

/** @type {Recording[]} one for each context that a player had */
export const recordings = [];

const Node = AudioWorkletNode;
window.AudioWorkletNode = class extends Node {
  constructor(context, name, options) {
    super(context, name, options);
    if (name === 'primavoce-player') recordings.push(new Recording(context, this));
  }
};

class Recording {
  #waiting = [];
  #blocks = [];

  constructor(context, node) {
    this.context = context;
    this.firstFrame = null;
    const recorder = new Node(context, 'recorder', { numberOfOutputs: 0 });
    node.connect(recorder);
    recorder.port.onmessage = ({ data: { frame, samples } }) => {
      this.firstFrame ??= frame;
      this.#blocks.push(samples);
      this.#waiting = this.#waiting.filter((look) => !look());
    };
  }

  /** @returns {Float32Array} */
  get samples() {
    const all = new Float32Array(this.#blocks.reduce((count, block) => count + block.length, 0));
    let at = 0;
    for (const block of this.#blocks) {
      all.set(block, at);
      at += block.length;
    }
    return all;
  }

  /** Where sound begins. */
  get start() {
    return this.samples.findIndex((sample) => sample !== 0);
  }

  /** The frame of the context after the last sound, and how many there are before it. */
  get end() {
    return this.samples.findLastIndex((sample) => sample !== 0) + 1;
  }

  /** @param {() => boolean} isSo looked at with every block @returns {Promise<void>} */
  until(isSo) {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        if (!isSo()) return false;
        resolve();
        return true;
      });
    });
  }

  /** `frames` of sound have been played. */
  sounding(frames) {
    return this.until(() => this.start >= 0 && this.samples.length - this.start >= frames);
  }

  /** Sound has been played, and then silence for 50 ms. */
  silent() {
    return this.until(() => this.start >= 0 && this.samples.length - this.end >= this.context.sampleRate / 20);
  }
}

/** @param {EventTarget} target @param {string} name @param {(event: Event) => boolean} [isIt] @returns {Promise<Event>} */
export function event(target, name, isIt = () => true) {
  return new Promise((resolve) => {
    const look = (one) => {
      if (!isIt(one)) return;
      target.removeEventListener(name, look);
      resolve(one);
    };
    target.addEventListener(name, look);
  });
}

/** Resolves when the player is in `state`. */
export async function state(player, wanted) {
  if (player.state !== wanted) await event(player, 'state', ({ detail }) => detail.state === wanted);
}

/** Noise that begins and ends with sound, the same each time; as loud as speech. */
export function noise(count) {
  let seed = 1;
  return Int16Array.from({ length: count }, () => {
    seed = (seed * 48271) % 2147483647;
    return (seed % 16000) - 8000 || 1;
  });
}

export function sine(count, { hertz, rate, amplitude = 0.5 }) {
  const turn = (2 * Math.PI * hertz) / rate;
  return Int16Array.from({ length: count }, (_, i) => Math.round(32767 * amplitude * Math.sin(turn * (i + 1))));
}

/** Push in blocks of uneven sizes. */
export function pushCut(player, samples, sizes = [1, 7, 128, 1000, 31, 4096]) {
  for (let at = 0, i = 0; at < samples.length; at += sizes[i++ % sizes.length]) {
    player.push(samples.slice(at, at + sizes[i % sizes.length]));
  }
}

/** The first place where `played`, from `at` on, isn't what was pushed; -1 if there is none. */
export function difference(played, at, pushed) {
  for (let i = 0; i < pushed.length; i += 1) if (played[at + i] !== pushed[i] / 32768) return i;
  return -1;
}

/** The largest step between two samples. */
export function largestStep(samples) {
  return samples.reduce((most, sample, i) => (i ? Math.max(most, Math.abs(sample - samples[i - 1])) : 0), 0);
}
