/** Prompts and answers by a socket that comes back: what the agent's and the speech server's have in common. */

import { newId } from './requests.js';
import { ReconnectingSocket } from './socket.js';
import { UnderWay } from './under-way.js';

/** Subclasses say where (`_address`), what a prompt is (`_prompt`), and take what comes (`_take`, `_takeAudio`). */
export class SocketTransport {
  /** @param {import('./transports.js').ConnectOptions} options */
  constructor(options) {
    this._options = options;
    this._underWay = new UnderWay(options.onEvent);
    /** What is to be sent once the socket is open; a prompt interrupts the one before, so there is one at most. */
    this._waiting = null;
    this._socket = new ReconnectingSocket({
      ...options,
      address: () => this._address(),
      onOpen: () => this._send(),
      onMessage: (message) => this._take(message),
      onAudio: (bytes) => this._takeAudio(bytes),
      onLost: (why) => this._lost(why),
      expecting: () => this._underWay.live.length > 0,
    });
    this._socket.open();
  }

  ask(prompt, { request_id: id = newId(), ...options } = {}) {
    this._forget();
    this._underWay.begin(id);
    this._waiting = this._prompt(id, prompt, options);
    // Later, so that nothing is told of an answer before whoever asks knows its id.
    queueMicrotask(() => this._send());
    return id;
  }

  cancel({ requestId: id, playedS }) {
    if (this._waiting?.request_id === id) this._forget();
    this._underWay.cancel(id);
    this._socket.send({ type: 'cancel', request_id: id, played_s: playedS });
  }

  close() {
    this._socket.close(); // by which the server knows that nobody listens
  }

  _send() {
    if (!this._waiting) return;
    if (this._socket.send(this._waiting)) this._waiting = null;
    else this._socket.open();
  }

  /** A prompt that never went out. */
  _forget() {
    const id = this._waiting?.request_id;
    this._waiting = null;
    if (id) this._underWay.unheard(id);
  }

  _lost(why) {
    this._waiting = null;
    this._underWay.failAll(why);
  }
}
