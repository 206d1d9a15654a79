/** Making the page's elements. */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {string|(Node|string)[]} [content]
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, content = []) {
  return filled(document.createElement(name), attributes, content);
}

/** The same of SVG. @returns {SVGElement} */
export function drawn(name, attributes = {}, content = []) {
  return filled(document.createElementNS(SVG, name), attributes, content);
}

/** @param {string} id @returns {HTMLElement} the element of the page that has it */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * Show or hide what may have the focus: from what is hidden it goes to the prompt, or it would fall to the page.
 *
 * @param {HTMLElement} shown
 * @param {boolean} hidden
 */
export function setHidden(shown, hidden) {
  if (hidden && shown.contains(document.activeElement)) byId('prompt').focus();
  shown.hidden = hidden;
}

function filled(made, attributes, content) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...(typeof content === 'string' ? [content] : content));
  return made;
}
