/** The API key, where the server asks for one. It is kept in this tab alone. */

import { byId } from './elements.js';
import { strings } from './strings.js';

const KEPT = 'primavoce.key';

export class KeyView extends EventTarget {
  constructor() {
    super();
    try {
      this.key = window.sessionStorage.getItem(KEPT) ?? undefined;
    } catch {
      // then it has to be typed each time
    }
    byId('key-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#use(byId('key').value.trim());
    });
  }

  /** @type {string|undefined} */
  key;

  /** @param {object} info what /page.json said to the key that we have */
  show(info) {
    byId('key-form').hidden = !info.key_required;
    if (!info.key_required) return;
    const known = Array.isArray(info.voices);
    byId('settings-panel').hidden = !known; // what there is to choose is told to those with a key
    byId('key').value = this.key ?? '';
    byId('key').setAttribute('aria-invalid', String(Boolean(this.key) && !known));
    byId('key-hint').textContent = known ? strings.keyHint : this.key ? strings.keyUnknown : strings.keyAsked;
    if (!known) byId('key').focus();
  }

  #use(key) {
    this.key = key || undefined;
    try {
      if (key) window.sessionStorage.setItem(KEPT, key);
      else window.sessionStorage.removeItem(KEPT);
    } catch {
      // as above
    }
    this.dispatchEvent(new CustomEvent('change'));
  }
}

/** @param {string|undefined} key @returns {Promise<object>} what the server says of itself */
export async function fetchInfo(key) {
  const headers = key ? { Authorization: `Bearer ${key}` } : {};
  const response = await fetch('page.json', { headers, cache: 'no-store' });
  if (!response.ok) throw new Error(`page.json: ${response.status}`);
  return response.json();
}
