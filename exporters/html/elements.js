// Elements of the page: found by their id, and made.

/** The element of the page that has this id. */
export const by = (id) => document.getElementById(id);

/** An element with attributes and children, text among them; never anything that is parsed as HTML. */
export function element(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}
