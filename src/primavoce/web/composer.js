/** Where one types or dictates: sends, stops, and interrupts at the first key. */

import { byId } from './elements.js';
import { Dictation } from './recognition.js';
import { strings } from './strings.js';

export class Composer {
  /**
   * @param {object} options
   * @param {boolean} options.spoken whether what is typed is spoken
   * @param {(prompt: string) => void} options.onSend
   * @param {() => void} options.onType the first key; the voice gives way
   * @param {() => void} options.onStop
   * @param {() => void} options.onGesture something the browser takes for leave to play sound
   * @param {() => string} options.language
   * @param {(code: string) => void} options.onTrouble
   */
  constructor(options) {
    this.#options = options;
    const { spoken } = options;
    byId('prompt-label').textContent = spoken ? strings.speechPrompt : strings.agentPrompt;
    this.#field.placeholder = spoken ? strings.speechPlaceholder : strings.agentPlaceholder;
    byId('send-text').textContent = spoken ? strings.speak : strings.send;
    this.#listen();
    if (Dictation.there) this.#offerDictation();
    this.#fit();
  }

  #options;
  #field = /** @type {HTMLTextAreaElement} */ (byId('prompt'));

  /** @param {string} text to begin with */
  fill(text) {
    this.#field.value = text;
    this.#fit();
  }

  /** @param {?string} state of the answer that is under way; none to stop */
  show(state) {
    byId('now').hidden = state === null;
    byId('stop').hidden = state === null;
    byId('keys-hint').classList.toggle('visually-hidden', state !== null);
    if (state !== null) byId('now-text').textContent = state;
  }

  #listen() {
    const form = byId('composer');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send();
    });
    this.#field.addEventListener('keydown', (event) => {
      this.#options.onGesture();
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#send();
    });
    // Before the letter is there: a voice that goes on while one types is in the way.
    this.#field.addEventListener('beforeinput', () => this.#options.onType());
    this.#field.addEventListener('input', () => this.#fit());
    window.addEventListener('resize', () => this.#fit());
    byId('stop').addEventListener('click', () => this.#stop());
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !byId('stop').hidden) this.#stop();
    });
    document.addEventListener('pointerdown', () => this.#options.onGesture(), { once: true });
  }

  #send() {
    const prompt = this.#field.value.trim();
    if (!prompt) return;
    this.#field.value = '';
    this.#fit();
    this.#options.onSend(prompt);
  }

  #stop() {
    this.#options.onStop();
    this.#field.focus();
  }

  /** As many lines as are written, up to a third of the window. */
  #fit() {
    this.#field.style.height = 'auto';
    const most = Math.max(96, window.innerHeight / 3);
    this.#field.style.height = `${Math.min(this.#field.scrollHeight, most)}px`;
  }

  #offerDictation() {
    const button = byId('dictate');
    const dictation = new Dictation();
    const show = () => {
      button.setAttribute('aria-pressed', String(dictation.listening));
      button.title = dictation.listening ? strings.dictating : strings.dictate;
    };
    button.hidden = false;
    button.addEventListener('click', () => {
      if (dictation.listening) {
        dictation.stop();
      } else {
        this.#options.onType();
        dictation.start(this.#options.language());
      }
      show();
    });
    dictation.addEventListener('text', ({ detail }) => this.fill(detail.text));
    dictation.addEventListener('end', ({ detail }) => {
      show();
      if (detail.failed) this.#options.onTrouble('no_recognition');
      else if (detail.text) this.#send();
    });
  }
}
