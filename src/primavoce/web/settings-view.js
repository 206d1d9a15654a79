/** What the listener chooses: voice, blend, speed, language, transport and mode. */

import { strings } from './strings.js';
import { byId, element } from './elements.js';
import { FIELDS, inForm, presetsOf } from './presets.js';

const MODES = ['stream', 'batch', 'text_complete'];
const REMEMBERED = 'primavoce.settings';

export class SettingsView extends EventTarget {
  /** @param {object} info what /page.json said @param {URLSearchParams} presets */
  constructor(info, presets) {
    super();
    this.#form = byId('settings');
    this.#presets = presetsOf(presets);
    this.#wanted = remembered();
    this.#form.addEventListener('input', (event) => this.#changed(event.target));
    this.#form.addEventListener('submit', (event) => event.preventDefault());
    this.offer(info);
  }

  #form;
  #wanted;
  /** @type {Record<string, string>} none once something else was chosen */
  #presets;
  /** @type {string[]} */
  #known = [];

  /** What the link chose that there isn't, as in the link. @type {string[]} */
  leftOut = [];

  /** Put what can be chosen into the form. @param {object} info what /page.json said */
  offer(info) {
    const voices = info.voices ?? [];
    this.#known = voices.map(({ name }) => name);
    const presets = this.#placed(this.#presets);
    const first = { voice: info.voice ?? this.#known[0], transport: info.transports?.at(-1), mode: 'stream' };
    const defaults = this.#placed(first);
    fillVoices(byId('voice'), voices);
    const others = new Set([defaults.voice, presets.voice].filter((name) => name && !this.#known.includes(name)));
    byId('voice').append(...[...others].map((name) => element('option', { value: name }, name)));
    fillVoices(byId('blend'), voices, strings.noBlend);
    fillLanguages(byId('language'), info.languages ?? []);
    choices(byId('transport'), 'transport', info.transports ?? [], strings.transports);
    choices(byId('mode'), 'mode', MODES, strings.modes);
    const agent = info.kind === 'agent';
    byId('mode').hidden = !agent;
    byId('mode-hint').hidden = !agent;
    for (const chosen of [defaults, this.#wanted, presets]) for (const name of FIELDS) this.#set(name, chosen[name]);
    const missed = Object.keys(presets).filter((name) => !isSame(this.#value(name), presets[name]));
    this.leftOut = info.voices ? missed.map((name) => `${name}=${presets[name]}`) : []; // all is told to those with a key
    this.#show();
  }

  /** @returns {'sse'|'websocket'} */
  get transport() {
    return this.#value('transport') || 'sse';
  }

  /** @returns {object} options of a transport's `ask` */
  get options() {
    const { voice, blend, share, speed, language, mode } = this.#values();
    const options = { events: ['words'] };
    const second = Number(share);
    const blended = blend && blend !== voice && this.#known.includes(voice);
    if (voice) options.voice = blended ? `${voice}:${round(1 - second)}+${blend}:${round(second)}` : voice;
    if (Number(speed) !== 1) options.speed = Number(speed);
    if (language) options.language = language;
    if (!byId('mode').hidden) options.mode = mode;
    return options;
  }

  /** A blend is put into the fields that the form has for it. */
  #placed(chosen) {
    return chosen.voice ? { ...chosen, ...inForm(chosen.voice, this.#known) } : chosen;
  }

  #values() {
    return Object.fromEntries(FIELDS.map((name) => [name, this.#value(name)]));
  }

  #value(name) {
    return this.#form.elements.namedItem(name)?.value ?? '';
  }

  #set(name, value) {
    const field = this.#form.elements.namedItem(name);
    if (!field || value === undefined || value === null) return;
    const options = field.options ?? (field instanceof RadioNodeList ? field : null);
    if (options && ![...options].some((each) => each.value === String(value))) return; // it isn't there any more
    field.value = String(value);
  }

  #changed(field) {
    this.#wanted = this.#values();
    this.#presets = this.#known.includes(this.#wanted.voice) ? {} : { voice: this.#wanted.voice };
    remember(this.#wanted);
    this.#show();
    this.dispatchEvent(new CustomEvent('change', { detail: { name: field.name } }));
  }

  #show() {
    const { voice, blend, share, speed, mode } = this.#values();
    const alone = !this.#known.includes(voice);
    byId('blend').disabled = alone;
    byId('share-field').hidden = alone || !blend;
    byId('share-shown').textContent = strings.percent(Number(share));
    byId('speed-shown').textContent = strings.times(Number(speed));
    byId('mode-hint').textContent = strings.modeHints[mode] ?? '';
  }
}

function fillVoices(select, voices, none) {
  const groups = new Map();
  for (const voice of voices) groups.set(voice.language, [...(groups.get(voice.language) ?? []), voice]);
  const listed = [...groups].map(([language, group]) =>
    element('optgroup', { label: languageName(language) }, group.map(voiceOption)),
  );
  select.replaceChildren(...(none ? [element('option', { value: '' }, none)] : []), ...listed);
}

function voiceOption({ name, gender }) {
  const bare = name.split('_').at(-1);
  const shown = bare[0].toUpperCase() + bare.slice(1);
  return element('option', { value: name }, `${shown} (${strings[gender] ?? gender})`);
}

/** @param {string} chosen @param {string} wanted @returns {boolean} */
function isSame(chosen, wanted) {
  return chosen === wanted || (wanted !== '' && Number(chosen) === Number(wanted));
}

function fillLanguages(select, languages) {
  const options = languages.map((tag) => element('option', { value: tag }, languageName(tag)));
  select.replaceChildren(element('option', { value: '' }, strings.ownLanguage), ...options);
}

/** One button for each choice, of which one is down. */
function choices(fieldset, name, values, labels) {
  const made = values.map((value, place) => {
    const id = `${name}-${value}`;
    const input = element('input', { type: 'radio', name, value, id });
    input.checked = place === 0;
    return element('span', { class: 'choice' }, [input, element('label', { for: id }, labels[value] ?? value)]);
  });
  fieldset.replaceChildren(fieldset.querySelector('legend'), element('div', { class: 'choices' }, made));
}

/** @param {string} tag @returns {string} its name, by the browser's own tables */
function languageName(tag) {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

function remembered() {
  try {
    return JSON.parse(window.localStorage.getItem(REMEMBERED) ?? '{}');
  } catch {
    return {};
  }
}

function remember(values) {
  try {
    window.localStorage.setItem(REMEMBERED, JSON.stringify(values));
  } catch {
    // private windows may refuse; then nothing is remembered
  }
}

function round(share) {
  return Math.round(share * 100) / 100;
}
