/**
 * Reads answers that come as server-sent events (WHATWG HTML, 9.2) over `fetch`: `EventSource` can't POST.
 *
 * Blocks of a response end anywhere: inside a line, a line's end, a character of several bytes, a sample.
 */

/** @typedef {{name: string, data: string, id: string}} ServerEvent `name` is 'message' where the server gave none */

export class EventReader {
  #decoder = new TextDecoder(); // drops the byte order mark, and waits for the rest of a character
  #line = '';
  #afterReturn = false;
  #name = '';
  /** @type {string[]} */
  #lines = [];
  #id = '';

  /** @param {Uint8Array} bytes cut anywhere @returns {ServerEvent[]} the events that are now complete */
  push(bytes) {
    return this.#read(this.#decoder.decode(bytes, { stream: true }));
  }

  /**
   * The stream has ended. An event without its blank line isn't whole, and is left out, as the standard says.
   *
   * @returns {ServerEvent[]}
   */
  flush() {
    const events = this.#read(this.#decoder.decode());
    this.#line = this.#name = '';
    this.#lines = [];
    this.#afterReturn = false;
    return events;
  }

  /** @param {string} text */
  #read(text) {
    const events = [];
    let start = 0;
    // A carriage return ends a line at once: whether a line feed follows, the next block may tell much later.
    if (text && this.#afterReturn) {
      this.#afterReturn = false;
      if (text[0] === '\n') start = 1;
    }
    for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
      if (index < start) continue;
      const event = this.#take(this.#line + text.slice(start, index));
      if (event) events.push(event);
      this.#line = '';
      start = index + end.length;
      this.#afterReturn = end === '\r' && start === text.length;
    }
    this.#line += text.slice(start);
    return events;
  }

  /** @param {string} line @returns {ServerEvent|null} */
  #take(line) {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return null; // a comment: it keeps proxies awake
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#name = value;
    else if (field === 'data') this.#lines.push(value);
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    return null; // `retry`, and what nobody knows
  }

  #dispatch() {
    const event = { name: this.#name || 'message', data: this.#lines.join('\n'), id: this.#id };
    const empty = this.#lines.length === 0;
    this.#name = '';
    this.#lines = [];
    return empty ? null : event;
  }
}

/** Three of the comments that a server sends while it has nothing to say have not come. */
const SILENCE_S = 45;

/**
 * The events of a response as they come; leaving the loop ends the response.
 *
 * @param {Response} response
 * @param {{signal?: AbortSignal, onBytes?: (count: number) => void, silenceS?: number}} [options] `silenceS`: after so
 *   many seconds without a byte the connection is taken for lost, by a throw; a network that is gone doesn't say so
 * @returns {AsyncGenerator<ServerEvent>}
 */
export async function* readEvents(response, { signal, onBytes, silenceS = SILENCE_S } = {}) {
  const reader = response.body.getReader();
  const events = new EventReader();
  const stop = () => reader.cancel(signal.reason).catch(() => {});
  signal?.addEventListener('abort', stop);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { value: bytes, done } = await within(silenceS, reader.read());
      signal?.throwIfAborted();
      if (done) break;
      onBytes?.(bytes.length);
      yield* events.push(bytes);
    }
    yield* events.flush();
  } finally {
    signal?.removeEventListener('abort', stop);
    reader.cancel().catch(() => {});
  }
}

/** @template T @param {number} limitS @param {Promise<T>} promise @returns {Promise<T>} */
async function within(limitS, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came for ${limitS} s`)), limitS * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** @param {string} base64 @returns {Uint8Array} */
export function bytesOfBase64(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** Joins bytes to 16-bit little-endian samples; half a sample at the end of a block waits for the next one. */
export class SampleJoiner {
  /** @type {Uint8Array} */
  #held = new Uint8Array(0);

  /** @param {Uint8Array} bytes @returns {Int16Array} */
  push(bytes) {
    const joined = new Uint8Array(this.#held.length + bytes.length);
    joined.set(this.#held);
    joined.set(bytes, this.#held.length);
    const whole = joined.length - (joined.length % 2);
    this.#held = joined.slice(whole);
    return new Int16Array(joined.buffer, 0, whole / 2);
  }
}
