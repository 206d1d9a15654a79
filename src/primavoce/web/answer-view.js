/** One question and its answer on the page: the text as it comes, what of it is being heard, and what can be done. */

import { KEPT_S } from './kept-audio.js';
import { strings } from './strings.js';
import { TimelineView } from './timeline.js';
import { element, setHidden } from './elements.js';

export class AnswerView {
  /**
   * @param {import('./answer.js').Answer} answer
   * @param {{spoken: boolean, number: number, onDownload: () => void, onAgain: () => void}} options
   */
  constructor(answer, { spoken, number, onDownload, onAgain }) {
    this.answer = answer;
    this.#text = element('div', { class: 'answer-text', dir: 'auto' });
    this.#tail = document.createTextNode('');
    this.#text.append(this.#tail);
    this.#caret = element('span', { class: 'caret', 'aria-hidden': 'true' });
    this.#note = element('p', { class: 'answer-note' });
    this.#timeline = new TimelineView(answer, `timeline-${number}`);
    this.#download = element('button', { class: 'quiet', type: 'button', hidden: '' }, strings.download);
    this.#download.addEventListener('click', onDownload);
    this.#gone = element('p', { class: 'answer-gone', hidden: '' }, strings.audioGone(KEPT_S / 60));
    this.#again = element('button', { class: 'quiet', type: 'button', hidden: '' });
    this.#again.textContent = spoken ? strings.speakAgain : strings.again;
    this.#again.addEventListener('click', onAgain);
    this.#details = element('details', { class: 'answer-timeline', open: '' }, [
      element('summary', {}, strings.timelineToggle),
      this.#timeline.element,
    ]);
    const heading = `${spoken ? strings.spokenText : strings.answer} ${number}`;
    this.element = element('article', { class: 'turn', 'aria-label': heading, 'data-state': answer.state });
    if (!spoken) {
      const asked = element('p', { class: 'asked', dir: 'auto' }, answer.prompt);
      asked.prepend(element('span', { class: 'visually-hidden' }, `${strings.you}: `));
      this.element.append(asked);
    }
    const actions = element('div', { class: 'actions' }, [this.#note, this.#download, this.#again, this.#gone]);
    this.element.append(this.#text, actions, this.#details);
    this.#append(answer.text);
  }

  #text;
  #tail;
  #caret;
  #note;
  #timeline;
  #download;
  #gone;
  #again;
  #details;
  #tailStart = 0;
  /** @type {{element: HTMLElement, words: HTMLElement[]}[]} as in the answer's segments */
  #segments = [];
  #at = { segment: -1, word: -1 };

  /** @param {string} text that was written next */
  write(text) {
    this.#append(text);
  }

  /** @param {import('./answer.js').Segment} segment that has come last */
  addSegment(segment) {
    const start = Math.max(segment.start, this.#tailStart);
    const end = Math.max(segment.end, start);
    const text = this.answer.text;
    const node = element('span', { class: 'segment' }, text.slice(start, end));
    this.#tail.before(text.slice(this.#tailStart, start), node);
    this.#tail.data = text.slice(end);
    this.#tailStart = end;
    this.#segments.push({ element: node, words: [] });
  }

  /** @param {import('./answer.js').Segment} segment whose words are known now */
  addWords(segment) {
    const view = this.#segments[this.answer.segments.indexOf(segment)];
    if (!view || this.answer.heardTo !== null) return;
    const text = this.answer.text;
    const parts = [];
    let at = segment.start;
    segment.words.forEach((word, place) => {
      const next = segment.words[place + 1]?.start ?? segment.end;
      // A word's own marks go with it: a comma is not still to come when its word has been.
      let end = Math.max(word.end, at);
      while (end < next && /\S/.test(text[end])) end += 1;
      let start = Math.max(word.start, at);
      while (start > at && /\S/.test(text[start - 1])) start -= 1;
      if (start > at) parts.push(text.slice(at, start));
      const node = element('span', { class: 'word' }, text.slice(start, end));
      view.words.push(node);
      parts.push(node);
      at = Math.max(end, start);
    });
    parts.push(text.slice(at, segment.end));
    view.element.replaceChildren(...parts);
  }

  /** Show what is in the listener's ear. @param {number} playedS @param {{slow?: boolean}} options with the timeline */
  showAt(playedS, { slow = true } = {}) {
    const { answer } = this;
    const segment = playedS > 0 ? answer.segmentAt(playedS) : -1;
    const word = answer.wordAt(answer.segments[segment], playedS);
    if (segment !== this.#at.segment || word !== this.#at.word) {
      this.#mark(segment, word);
      this.#at = { segment, word };
    }
    if (slow) this.#timeline.update();
  }

  #mark(current, word) {
    this.#segments.forEach(({ element: node, words }, place) => {
      node.classList.toggle('is-spoken', place < current);
      node.classList.toggle('is-current', place === current);
      if (place !== current && place !== this.#at.segment) return;
      words.forEach((each, number) => {
        each.classList.toggle('is-spoken', place < current || (place === current && number < word));
        each.classList.toggle('is-current', place === current && number === word);
      });
    });
  }

  /** Bring what changes rarely up to date. */
  update() {
    const { answer } = this;
    this.element.dataset.state = answer.state;
    this.element.toggleAttribute('data-settled', answer.settled);
    this.element.toggleAttribute('data-heard', answer.times.firstSound !== null && !answer.heardOut);
    const writing = answer.state === 'waiting' || answer.state === 'writing' || answer.state === 'speaking';
    if (writing && !answer.finished) this.#text.append(this.#caret);
    else this.#caret.remove();
    setHidden(this.#download, !answer.over || !answer.audio.length);
    this.#gone.hidden = !answer.over || answer.kept;
    this.#again.hidden = !answer.over;
    this.#note.textContent = noteOn(answer);
    this.#timeline.update();
  }

  /** The answer is over: nothing is highlighted any more, and what was not heard is crossed out. */
  close() {
    this.#mark(-1, -1);
    this.#at = { segment: -1, word: -1 };
    if (this.answer.heardTo !== null) this.#crossOut(this.answer.heardTo);
    this.update();
    this.#timeline.describe();
  }

  /** Take the timeline away from view; it can be opened again. */
  fold() {
    this.#details.open = false;
  }

  /** Cross out the text from `position` on; again, if the server knows better. Single words are of no more use. */
  #crossOut(position) {
    const { text } = this.answer;
    const gap = text.slice(position).search(/\S/);
    const from = gap < 0 ? text.length : position + gap;
    const rest = from < text.length ? [element('s', { class: 'unheard' }, text.slice(from))] : [];
    this.#text.replaceChildren(text.slice(0, from), ...rest);
  }

  #append(text) {
    this.#tail.data += text;
  }
}

/** @param {import('./answer.js').Answer} answer @returns {string} */
function noteOn(answer) {
  if (answer.state === 'stopped') {
    return answer.playedS > 0 ? strings.stoppedAt(answer.playedS) : strings.stoppedUnheard;
  }
  if (answer.state === 'failed') return strings.state.failed;
  return answer.over && answer.audioS ? strings.spokenFor(answer.audioS) : '';
}
