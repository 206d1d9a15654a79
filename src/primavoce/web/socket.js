/**
 * A WebSocket that comes back: after a loss it is opened anew, later and later, and says so.
 *
 * It says so while it is open. One that the server closes in good order all the same (1000: the machine had slept, or
 * the session has lasted long enough) is left closed until something is to be sent: nobody misses it before.
 */

const FIRST_RETRY_S = 0.5;
const LAST_RETRY_S = 15;
/** Each wait is up to a fifth longer or shorter: a server that comes back isn't met by all its pages at once. */
const SPREAD = 0.2;
/** A server closes a socket on which nothing is said for some minutes. */
const PING_S = 60;
/** While something is expected: after so much silence the server is asked for a sign of life. */
const SILENCE_S = 10;
const WELL_CLOSED = 1000;

/**
 * @typedef {object} SocketOptions
 * @property {() => Promise<string>} address asked for each time, for it may hold for a few minutes alone
 * @property {() => void} onOpen
 * @property {(message: object) => void} onMessage
 * @property {(bytes: Uint8Array) => void} onAudio
 * @property {(why?: object) => void} onLost the connection, or the try to make one
 * @property {() => boolean} expecting whether an answer is under way
 * @property {(count: number) => void} [onBytes]
 * @property {(told: {state: 'open'|'lost'|'retrying'|'closed', inS?: number}) => void} [onConnection]
 * @property {number} [retryS] the first wait
 * @property {number} [pingS] seconds between two signs of life
 */

export class ReconnectingSocket {
  /** @type {WebSocket|null} */
  #socket = null;
  #connecting = false;
  #opened = false;
  #failures = 0;
  #retry = 0;
  #watch = 0;
  #pings = 0;
  #heardAt = 0;
  #closed = false;

  /** @param {SocketOptions} options */
  constructor({ retryS = FIRST_RETRY_S, pingS = PING_S, onBytes = () => {}, onConnection = () => {}, ...options }) {
    this._options = { retryS, pingS, onBytes, onConnection, ...options };
    addEventListener('online', this.open);
  }

  /** Connect now, if that isn't so or under way; cuts a wait short. */
  open = async () => {
    if (this.#closed || this.#socket || this.#connecting) return;
    clearTimeout(this.#retry);
    this.#connecting = true;
    const made = await this._options.address().then((address) => new WebSocket(address)).catch((error) => error);
    this.#connecting = false;
    if (made instanceof Error) this.#lost(made.told);
    else if (this.#closed) made.close();
    else this.#attach(made);
  };

  /** @param {object} message @returns {boolean} whether it went out; if not, it is for the caller to keep or to drop */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** For good. */
  close() {
    this.#closed = true;
    removeEventListener('online', this.open);
    clearTimeout(this.#retry);
    this.#detach();
    this._options.onConnection({ state: 'closed' });
  }

  /** Until something is to be sent. */
  rest() {
    this.#detach();
    this._options.onConnection({ state: 'closed' });
  }

  #attach(socket) {
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.onopen = () => {
      this.#opened = true;
      this.#failures = 0;
      this.#heardAt = performance.now();
      this.#watch = setInterval(() => this.#listen(), (SILENCE_S * 1000) / 2);
      this.#pings = setInterval(() => this.send({ type: 'ping' }), this._options.pingS * 1000);
      this._options.onConnection({ state: 'open' });
      this._options.onOpen();
    };
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = ({ code }) => {
      const atRest = code === WELL_CLOSED && !this._options.expecting();
      if (atRest) this.rest();
      else this.#lost();
    };
  }

  #take(frame) {
    this.#heardAt = performance.now();
    if (typeof frame !== 'string') {
      this._options.onBytes(frame.byteLength);
      this._options.onAudio(new Uint8Array(frame));
      return;
    }
    this._options.onBytes(new TextEncoder().encode(frame).length);
    this._options.onMessage(JSON.parse(frame));
  }

  /** A network that is gone says nothing, not even that. */
  #listen() {
    const silentS = (performance.now() - this.#heardAt) / 1000;
    if (!this._options.expecting()) this.#heardAt = performance.now();
    else if (silentS >= 2 * SILENCE_S) this.#lost();
    else if (silentS >= SILENCE_S) this.send({ type: 'ping' });
  }

  #lost(why) {
    const was = this.#opened;
    this.#detach();
    if (this.#closed) return;
    const waitS = Math.min(LAST_RETRY_S, this._options.retryS * 2 ** this.#failures);
    const inS = waitS * (1 + SPREAD * (2 * Math.random() - 1));
    this.#failures += 1;
    this.#retry = setTimeout(this.open, inS * 1000);
    if (was) this._options.onConnection({ state: 'lost' });
    this._options.onLost(why);
    // Whoever was told may have asked again, which opens it at once.
    if (!this.#connecting) this._options.onConnection({ state: 'retrying', inS });
  }

  #detach() {
    const socket = this.#socket;
    clearInterval(this.#watch);
    clearInterval(this.#pings);
    this.#socket = null;
    this.#opened = false;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }
}
