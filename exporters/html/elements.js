// Elements of the page: found by their id, and made.

const SVG = "http://www.w3.org/2000/svg";

/** The element of the page that has this id. */
export const by = (id) => document.getElementById(id);

/** An element with attributes and children, text among them; never anything that is parsed as HTML. */
export const element = (name, attributes = {}, ...inside) => filled(document.createElement(name), attributes, inside);

/** An element of a drawing. */
export const shape = (name, attributes = {}, ...inside) => filled(document.createElementNS(SVG, name), attributes, inside);

/** The element with its children, and with those attributes that are not null. */
function filled(made, attributes, inside) {
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

/** An item of a list: a button, which calls `click`. */
export function item(click, attributes, ...inside) {
  const button = element("button", { type: "button", ...attributes }, ...inside);
  button.addEventListener("click", click);
  return element("li", {}, button);
}
