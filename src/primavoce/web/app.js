/** The page: puts what is typed, heard and shown together. */

import { AnswerView } from './answer-view.js';
import { Conversation } from './conversation.js';
import { byId, element, setHidden } from './elements.js';
import { FiguresView } from './figures-view.js';
import { KeyView, fetchInfo } from './key-view.js';
import { MeterView } from './meter.js';
import { Player } from './player.js';
import { Composer } from './composer.js';
import { SettingsView } from './settings-view.js';
import { StatusView } from './status-view.js';
import { strings, textOf } from './strings.js';
import { offerThemes } from './theme.js';
import { connect, newSessionId } from './transports.js';
import { wavBlob } from './wav.js';

const WIDE = '(min-width: 68rem)';
const DRAW_EVERY_MS = 80; // what moves slowly: the timeline and the figures

for (const each of document.querySelectorAll('[data-text]')) each.textContent = textOf(each.dataset.text);
for (const each of document.querySelectorAll('[data-label]')) {
  each.setAttribute('aria-label', textOf(each.dataset.label));
  if (each.matches('button')) each.title = textOf(each.dataset.label);
}
offerThemes();
showPanels(); // before anything is waited for: what a visitor opens stays open

const presets = new URLSearchParams(window.location.search);
const status = new StatusView();
const figures = new FiguresView();
const meter = new MeterView(byId('meter'));
const dock = byId('dock');
const sessionId = newSessionId();
/** @type {Map<import('./answer.js').Answer, AnswerView>} */
const views = new Map();

const keys = new KeyView();
let info = await infoOrWait();
const spoken = info.kind === 'speech';
const settings = new SettingsView(info, presets);
const conversation = new Conversation({ openPlayer: () => Player.create({ sampleRate: 24000 }), spoken });
const composer = new Composer({
  spoken,
  onSend: (prompt) => ask(prompt),
  onType: () => conversation.stop(),
  onStop: () => conversation.stop(),
  onGesture: () => void conversation.warm(),
  language: () => settings.options.language ?? document.documentElement.lang,
  onTrouble: (code) => status.trouble({ code }),
});

open();
tellOfPresets();
welcome();
composer.fill(presets.get('q') ?? '');
requestAnimationFrame(frame);

settings.addEventListener('change', ({ detail }) => {
  if (detail.name === 'transport') open();
});
keys.addEventListener('change', async () => {
  info = await infoOrWait();
  settings.offer(info);
  open();
  tellOfPresets();
});
window.addEventListener('pagehide', () => conversation.use(null)); // nobody hears the rest
window.addEventListener('pageshow', ({ persisted }) => persisted && open());
byId('play').addEventListener('click', () => void conversation.resume());

conversation.addEventListener('asked', ({ detail: { answer } }) => {
  byId('welcome').classList.add('visually-hidden'); // its heading stays the page's
  setHidden(byId('examples'), true);
  const view = new AnswerView(answer, {
    spoken,
    number: conversation.answers.length,
    onDownload: () => download(answer),
    onAgain: () => ask(answer.prompt),
  });
  for (const each of views.values()) each.fold();
  views.set(answer, view);
  byId('answers').append(view.element);
  status.clear();
  status.announce(strings.state.waiting);
  refresh(answer);
  follow({ always: true });
});
conversation.addEventListener('text', ({ detail: { answer, text } }) => {
  views.get(answer)?.write(text);
  follow();
});
conversation.addEventListener('segment', ({ detail }) => views.get(detail.answer)?.addSegment(detail.segment));
conversation.addEventListener('words', ({ detail }) => views.get(detail.answer)?.addWords(detail.segment));
conversation.addEventListener('change', ({ detail }) => refresh(detail.answer));
conversation.addEventListener('end', ({ detail: { answer } }) => {
  const view = views.get(answer);
  if (answer.over && conversation.current !== answer) view?.close();
  refresh(answer);
  follow();
  if (answer.state === 'stopped') status.announce(strings.state.stopped);
  else if (answer.over && !spoken) status.announce(strings.announced(answer.text));
  if (!conversation.busy) meter.clear();
});
conversation.addEventListener('connection', ({ detail }) => status.connection(detail));
conversation.addEventListener('trouble', ({ detail }) => status.trouble(detail));
conversation.addEventListener('voice', () => refresh(conversation.current));

/** @param {string} prompt */
function ask(prompt) {
  if (locked()) {
    status.trouble({ code: 'unauthorized' });
    byId('key').focus();
    return;
  }
  conversation.ask(prompt, { ...settings.options, sample_rate: 24000 });
}

/** Whether the server waits for a key before it says what there is to choose. */
function locked() {
  return info.key_required && !info.voices;
}

/** Nothing that a link asks for is left out in silence. */
function tellOfPresets() {
  if (settings.leftOut.length) status.note(strings.leftOut(settings.leftOut));
}

/** Connect by the transport that is chosen. */
function open() {
  if (locked()) return;
  conversation.use(
    connect(settings.transport, {
      pageInfo: info,
      sessionId,
      key: keys.key,
      onEvent: (event) => conversation.take(event),
      onBytes: (count) => conversation.received(count),
      onConnection: (told) => conversation.connection(told),
    }),
  );
}

let drawnAt = 0;

/** @param {number} nowMs of one picture of the screen */
function frame(nowMs) {
  const answer = conversation.current;
  if (answer) {
    conversation.tick();
    meter.show(conversation.level, nowMs);
    const slow = nowMs - drawnAt > DRAW_EVERY_MS;
    if (slow) drawnAt = nowMs;
    views.get(answer)?.showAt(answer.playedS, { slow });
    if (slow) figures.show(answer);
  }
  requestAnimationFrame(frame);
}

/** @param {?import('./answer.js').Answer} answer whose state has changed */
function refresh(answer) {
  if (answer) {
    views.get(answer)?.update();
    if (answer === conversation.answers.at(-1)) figures.show(answer);
  }
  const current = conversation.current;
  const blocked = conversation.voice === 'blocked' && Boolean(current?.audioS);
  setHidden(byId('gate'), !blocked);
  const sounds = conversation.voice === 'playing' && current?.times.firstSound !== null;
  composer.show(current ? strings.state[blocked ? 'blocked' : sounds ? 'speaking' : current.state] : null);
}

/** Keep the end of the page in view for those who were there. @param {{always?: boolean}} [options] */
function follow({ always = false } = {}) {
  const last = byId('answers').lastElementChild;
  if (!last) return;
  const hidden = last.getBoundingClientRect().bottom - dock.getBoundingClientRect().top;
  if (always || (hidden > 0 && hidden < 240)) last.scrollIntoView({ block: 'end' });
}

/** @param {import('./answer.js').Answer} answer */
function download(answer) {
  const address = URL.createObjectURL(wavBlob(answer.audio, answer.sampleRate));
  const link = element('a', { href: address, download: `answer-${conversation.answers.indexOf(answer) + 1}.wav` });
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function welcome() {
  byId('welcome-heading').textContent = spoken ? strings.speechHeading : strings.agentHeading;
  byId('welcome-lead').textContent = spoken ? strings.speechLead : strings.agentLead;
  byId('model').textContent = info.model ?? '';
  const examples = spoken ? strings.speechExamples : strings.agentExamples;
  for (const example of examples) {
    const button = element('button', { class: 'example', type: 'button', dir: 'auto' }, example);
    button.addEventListener('click', () => ask(example));
    byId('examples').append(element('li', {}, [button]));
  }
}

/** Panels stand open beside the conversation, and are folded below it. */
function showPanels() {
  const wide = window.matchMedia(WIDE);
  const set = () => {
    for (const id of ['figures-panel', 'settings-panel']) byId(id).open = wide.matches;
  };
  wide.addEventListener('change', set);
  set();
}

/** What the server says of itself; asks until it answers. */
async function infoOrWait() {
  for (;;) {
    try {
      const told = await fetchInfo(keys.key);
      keys.show(told);
      status.reachable();
      return told;
    } catch {
      status.unreachable();
      await new Promise((resolve) => window.setTimeout(resolve, 2000));
    }
  }
}
