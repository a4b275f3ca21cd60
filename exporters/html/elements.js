// Finds elements of the page by their id, and makes elements.

const SVG = "http://www.w3.org/2000/svg";

/** The element with this id. */
export const by = (id) => document.getElementById(id);

/** An element with attributes and children. Children may be text, which is never parsed as HTML. */
export const element = (name, attributes = {}, ...inside) => filled(document.createElement(name), attributes, inside);

/** An SVG element. */
export const shape = (name, attributes = {}, ...inside) => filled(document.createElementNS(SVG, name), attributes, inside);

/** Add children and attributes to an element; leave out attributes that are null. */
function filled(made, attributes, inside) {
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

/** A list item with a button that calls `click`. */
export function item(click, attributes, ...inside) {
  const button = element("button", { type: "button", ...attributes }, ...inside);
  button.addEventListener("click", click);
  return element("li", {}, button);
}
