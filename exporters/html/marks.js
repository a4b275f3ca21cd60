// Marks as the game looks: as shapes or as text, in the colour of the player whose they are.

import { data } from "./data.js";
import { element } from "./elements.js";
import { plain } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

const RING = "M12 4.5a7.5 7.5 0 1 0 0.01 0z";

const SHAPES = new Map([
  ["x", "M6 6L18 18M18 6L6 18"],
  ["o", "M12 5a7 7 0 1 0 0.01 0"],
  ["○", RING],
  ["◎", `${RING}M12 9a3 3 0 1 0 0.01 0z`],
  ["●", RING],
]);

/** The player whose mark it is, 0 or 1; null where it belongs to neither. */
export const sideOf = (mark) => (Object.hasOwn(data.sides, mark) ? data.sides[mark] : null);

/** What is drawn for a mark, or for "", an empty cell. */
export const glyphOf = (mark) => (Object.hasOwn(data.glyphs, mark) ? data.glyphs[mark] : mark);

/** An element of a drawing. */
export function shape(name, attributes = {}, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

/** A mark as the game looks; a mark that fills its cell is drawn by the style of the cell. */
export function drawn(mark) {
  const paint = sideOf(mark) === null ? "ink" : `side${sideOf(mark)}`;
  const glyph = glyphOf(mark);
  if (glyph === "█") return element("span", { class: "mark full ink" });
  const d = SHAPES.get(glyph.toLowerCase());
  if (d) {
    const look = `mark ${paint}${glyph === "●" ? " disc" : ""}`;
    return shape("svg", { viewBox: "0 0 24 24", class: look, "aria-hidden": "true" }, shape("path", { d }));
  }
  const text = plain(glyph).trim();
  const size = [...text].length > 3 ? "long" : [...text].length > 1 ? "some" : "one";
  return element("span", { class: `mark text ${size} ${mark ? paint : "faint"}` }, text);
}
