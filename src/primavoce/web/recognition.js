/** Dictation by the browser's own speech recognition, where it has one. */

const Recognition = window.SpeechRecognition ?? window.webkitSpeechRecognition;

export class Dictation extends EventTarget {
  /** Whether the browser can. */
  static get there() {
    return Boolean(Recognition);
  }

  #recognition = null;

  get listening() {
    return this.#recognition !== null;
  }

  /** Listen; 'text' `{text}` tells what is heard so far, 'end' `{text, failed}` what was said. @param {string} language */
  start(language) {
    const recognition = new Recognition();
    let text = '';
    let failed = false;
    recognition.lang = language || navigator.language;
    recognition.interimResults = true;
    recognition.addEventListener('result', (event) => {
      text = [...event.results].map((result) => result[0].transcript).join('');
      this.dispatchEvent(new CustomEvent('text', { detail: { text } }));
    });
    recognition.addEventListener('error', (event) => {
      failed = event.error !== 'no-speech' && event.error !== 'aborted';
    });
    recognition.addEventListener('end', () => {
      this.#recognition = null;
      this.dispatchEvent(new CustomEvent('end', { detail: { text: text.trim(), failed } }));
    });
    this.#recognition = recognition;
    recognition.start();
  }

  stop() {
    this.#recognition?.stop();
  }
}
