/** Dark and light: as the system has it, or as the listener says. */

import { strings } from './strings.js';
import { byId } from './elements.js';

const THEMES = ['auto', 'light', 'dark'];
const REMEMBERED = 'primavoce.theme';

export function offerThemes() {
  const button = byId('theme');
  let theme = THEMES.includes(read()) ? read() : 'auto';
  const show = () => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.setAttribute('aria-label', strings.theme[theme]);
    button.title = strings.theme[theme];
  };
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    try {
      window.localStorage.setItem(REMEMBERED, theme);
    } catch {
      // it holds for this visit, then
    }
    show();
  });
  show();
}

function read() {
  try {
    return window.localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}
