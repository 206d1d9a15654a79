/** Where one types or dictates: sends, stops, and interrupts at the first key. */

import { byId, setHidden } from './elements.js';
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
  /** @type {?Dictation} where the browser can */
  #dictation = null;
  #field = /** @type {HTMLTextAreaElement} */ (byId('prompt'));

  /** @param {string} text to begin with */
  fill(text) {
    this.#field.value = text;
    this.#fit();
  }

  /** @param {?string} state of the answer that is under way; none to stop */
  show(state) {
    const dictate = byId('dictate');
    byId('now').hidden = state === null;
    setHidden(byId('stop'), state === null);
    byId('keys-hint').classList.toggle('visually-hidden', state !== null);
    if (state !== null) byId('now-text').textContent = state;
    // In a narrow window Stop takes its place.
    if (document.activeElement === dictate && !dictate.checkVisibility()) this.#field.focus();
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
    this.#dictation?.drop(); // or what it still hears would be a prompt, too
    this.#showDictation();
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
    const dictation = new Dictation();
    let typed = ''; // stands before what is said
    byId('dictate').hidden = false;
    byId('dictate').addEventListener('click', () => {
      if (dictation.listening) {
        dictation.stop();
      } else {
        this.#options.onType();
        typed = this.#field.value.trim();
        dictation.start(this.#options.language());
      }
      this.#showDictation();
    });
    dictation.addEventListener('text', ({ detail }) => this.fill(`${typed} ${detail.text}`.trim()));
    dictation.addEventListener('end', ({ detail }) => {
      this.#showDictation();
      if (detail.trouble) this.#options.onTrouble(detail.trouble);
      else if (detail.text) this.#send();
    });
    this.#dictation = dictation;
  }

  #showDictation() {
    const listening = Boolean(this.#dictation?.listening);
    byId('dictate').setAttribute('aria-pressed', String(listening));
    byId('dictate').title = listening ? strings.dictating : strings.dictate;
  }
}
