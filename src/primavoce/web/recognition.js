/** Dictation by the browser's own speech recognition, where it has one. */

const Recognition = window.SpeechRecognition ?? window.webkitSpeechRecognition;
/** What the browser calls an error, and isn't one: nobody said anything, or nobody wants to hear more. */
const HARMLESS = ['no-speech', 'aborted'];
const REFUSALS = ['not-allowed', 'service-not-allowed'];

export class Dictation extends EventTarget {
  /** Whether the browser can. */
  static get there() {
    return Boolean(Recognition);
  }

  #recognition = null;

  get listening() {
    return this.#recognition !== null;
  }

  /**
   * Listen; 'text' `{text}` tells what is heard so far, 'end' `{text, trouble}` what was said, and the code of what went
   * wrong, or null.
   *
   * @param {string} language
   */
  start(language) {
    const recognition = new Recognition();
    let text = '';
    let trouble = null;
    const isOver = () => recognition !== this.#recognition;
    recognition.lang = language || navigator.language;
    recognition.interimResults = true;
    recognition.addEventListener('result', (event) => {
      if (isOver()) return;
      text = [...event.results].map((result) => result[0].transcript).join('');
      this.dispatchEvent(new CustomEvent('text', { detail: { text } }));
    });
    recognition.addEventListener('error', ({ error }) => {
      if (REFUSALS.includes(error)) trouble = 'microphone_refused';
      else if (!HARMLESS.includes(error)) trouble = 'no_recognition';
    });
    recognition.addEventListener('end', () => {
      if (isOver()) return;
      this.#recognition = null;
      this.dispatchEvent(new CustomEvent('end', { detail: { text: text.trim(), trouble } }));
    });
    this.#recognition = recognition;
    recognition.start();
  }

  /** What was said so far is all; 'end' follows. */
  stop() {
    this.#recognition?.stop();
  }

  /** Nothing of it is wanted; no event follows. */
  drop() {
    const recognition = this.#recognition;
    this.#recognition = null;
    recognition?.abort();
  }
}
