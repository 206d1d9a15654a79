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

function filled(made, attributes, content) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...(typeof content === 'string' ? [content] : content));
  return made;
}
