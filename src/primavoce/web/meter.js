/** The level of the voice over the last seconds, as bars that move to the left. */

const BARS = 24;
const EVERY_MS = 60;

export class MeterView {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
    this.#calm = window.matchMedia('(prefers-reduced-motion: reduce)');
  }

  #canvas;
  #calm;
  #levels = new Array(BARS).fill(0);
  #shownAt = 0;

  /** @param {number} level 0..1, in decibels; squared, it moves as one expects @param {number} nowMs */
  show(level, nowMs) {
    if (nowMs - this.#shownAt < EVERY_MS) return;
    this.#shownAt = nowMs;
    this.#levels.shift();
    this.#levels.push(Math.min(1, Math.max(0, level)) ** 2);
    // Without motion, one bar grows and shrinks in its place.
    this.#draw(this.#calm.matches ? [this.#levels.at(-1)] : this.#levels);
  }

  clear() {
    this.#levels.fill(0);
    this.#draw(this.#levels);
  }

  #draw(levels) {
    const canvas = this.#canvas;
    const scale = window.devicePixelRatio || 1;
    const width = canvas.clientWidth || 96;
    const height = canvas.clientHeight || 24;
    if (canvas.width !== Math.round(width * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    const pen = canvas.getContext('2d');
    if (!pen) return;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.fillStyle = window.getComputedStyle(canvas).color;
    const step = width / levels.length;
    levels.forEach((level, place) => {
      const tall = Math.max(2, level * height);
      const wide = Math.min(2.5, step * 0.6);
      pen.globalAlpha = 0.35 + (0.65 * (place + 1)) / levels.length;
      pen.beginPath();
      pen.roundRect(place * step + (step - wide) / 2, (height - tall) / 2, wide, tall, wide / 2);
      pen.fill();
    });
  }
}
