/** When an answer was written, made and heard: three lanes over the same seconds, sentence by sentence. */

import { strings } from './strings.js';
import { drawn, element } from './elements.js';

const LANES = ['text', 'synthesis', 'playback'];
const LANE_HEIGHT = 22;
const BAR_HEIGHT = 12;
const AXIS_HEIGHT = 20;
const SCALES_S = [3, 5, 8, 12, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1200, 1800, 3600];
const PAUSE_S = 1.5; // after so long without text it is taken for written
const LEAST_SHARE = 0.004; // of the width: a bar that is too short to see is drawn all the same

export class TimelineView {
  /** @param {import('./answer.js').Answer} answer @param {string} id */
  constructor(answer, id) {
    this.#answer = answer;
    const height = LANES.length * LANE_HEIGHT + AXIS_HEIGHT;
    this.#plot = drawn('svg', { class: 'plot', width: '100%', height: String(height), 'aria-hidden': 'true' });
    this.#axis = drawn('g', { class: 'axis' });
    this.#now = drawn('line', { class: 'now-line', y1: '0', y2: String(LANES.length * LANE_HEIGHT) });
    this.#bars = Object.fromEntries(LANES.map((lane) => [lane, drawn('g', { class: `lane-${lane}` })]));
    this.#plot.append(this.#axis, ...Object.values(this.#bars), this.#now);
    const names = LANES.map((lane) => element('span', { class: `lane-name lane-${lane}` }, strings.lanes[lane]));
    this.#caption = element('figcaption', { id, class: 'overlap' });
    this.#told = element('span', { class: 'visually-hidden' });
    this.element = element('figure', { class: 'timeline' }, [
      element('div', { class: 'lane-names', 'aria-hidden': 'true' }, names),
      this.#plot,
      this.#caption,
    ]);
    this.#shown = element('span');
    this.#caption.append(this.#shown, this.#told);
    this.describe();
  }

  #answer;
  #plot;
  #axis;
  #now;
  #bars;
  #caption;
  #shown;
  #told;
  #scaleS = 0;

  /** Draw what is known by now. */
  update() {
    const answer = this.#answer;
    const live = !answer.over;
    const endS = live ? answer.sinceS : lastOf(answer);
    const scaleS = SCALES_S.find((each) => each >= endS * 1.02) ?? Math.ceil(endS);
    if (scaleS !== this.#scaleS) this.#rule(scaleS);
    for (const [place, lane] of LANES.entries()) this.#draw(lane, place, spansOf(answer, lane));
    this.#now.style.display = live ? '' : 'none';
    const x = `${(Math.min(1, endS / scaleS) * 100).toFixed(2)}%`;
    this.#now.setAttribute('x1', x);
    this.#now.setAttribute('x2', x);
    this.#shown.textContent = overlapOf(answer);
  }

  /** Say in words what the drawing shows. */
  describe() {
    this.update();
    const told = LANES.flatMap((lane) => {
      const spans = spansOf(this.#answer, lane);
      if (!spans.length) return [];
      return [strings.lane(strings.lanes[lane], spans[0].from, Math.max(...spans.map((each) => each.to)))];
    });
    this.#told.textContent = ` ${strings.timeline(told)}`;
  }

  #draw(lane, place, spans) {
    const group = this.#bars[lane];
    while (group.childElementCount > spans.length) group.lastElementChild.remove();
    while (group.childElementCount < spans.length) {
      const odd = group.childElementCount % 2 ? ' odd' : '';
      const y = String(place * LANE_HEIGHT + (LANE_HEIGHT - BAR_HEIGHT) / 2);
      group.append(drawn('rect', { class: `bar${odd}`, y, height: String(BAR_HEIGHT), rx: '3' }));
    }
    spans.forEach(({ from, to }, number) => {
      const bar = group.children[number];
      const width = Math.max((to - from) / this.#scaleS, LEAST_SHARE);
      bar.setAttribute('x', `${((from / this.#scaleS) * 100).toFixed(2)}%`);
      bar.setAttribute('width', `${(width * 100).toFixed(2)}%`);
    });
  }

  #rule(scaleS) {
    this.#scaleS = scaleS;
    const bottom = LANES.length * LANE_HEIGHT;
    const stepS = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600].find((each) => scaleS / each <= 6) ?? scaleS / 6;
    const marks = [];
    for (let at = 0; at <= scaleS + 1e-9; at += stepS) {
      const share = at / scaleS;
      const x = `${(share * 100).toFixed(2)}%`;
      marks.push(drawn('line', { x1: x, x2: x, y1: '0', y2: String(bottom) }));
      const anchor = share < 0.02 ? 'start' : share > 0.96 ? 'end' : 'middle';
      marks.push(drawn('text', { x, y: String(bottom + 15), 'text-anchor': anchor }, at ? `${at} s` : '0'));
    }
    this.#axis.replaceChildren(...marks);
  }
}

/** The spans of one lane: a sentence each, and what belongs to none yet. */
function spansOf(answer, lane) {
  if (lane === 'synthesis') {
    if (answer.segments.length) return answer.segments.map((each) => each.made);
    const { firstAudio, lastAudio } = answer.times;
    return firstAudio === null ? [] : [{ from: firstAudio, to: lastAudio }];
  }
  if (lane === 'playback') {
    const heard = answer.segments.flatMap((each) => each.heard ?? []);
    if (heard.length || answer.segments.length || answer.times.firstSound === null) return heard;
    return [{ from: answer.times.firstSound, to: answer.times.firstSound + answer.playedS }];
  }
  const { firstText, lastText } = answer.times;
  if (firstText === null) return [];
  const spans = answer.segments.flatMap((each) => each.written ?? []);
  const end = spans.at(-1)?.to ?? firstText;
  if (!spans.length || lastText > end) spans.push({ from: end, to: lastText });
  return spans.map((span, place) => ({ from: spans[place - 1]?.to ?? span.from, to: span.to }));
}

function lastOf(answer) {
  const heard = answer.segments.map((each) => each.heard?.to ?? 0);
  const { lastText, lastAudio, firstSound, total } = answer.times;
  return Math.max(0.5, lastText ?? 0, lastAudio ?? 0, (firstSound ?? 0) + answer.playedS, total ?? 0, ...heard);
}

function overlapOf(answer) {
  const { firstSound, lastText } = answer.times;
  if (firstSound === null) return '';
  if (lastText === null || lastText < 0.05) return strings.soundAfter(firstSound); // it was there from the start
  if (!answer.over && !answer.finished && answer.sinceS - lastText < PAUSE_S) return strings.soundWhile(firstSound);
  const aheadS = lastText - firstSound;
  return aheadS >= 0 ? strings.overlap(aheadS) : strings.noOverlap(-aheadS);
}
