// Draws marks as shapes or as text, in the colour of their player.

import { data } from "./data.js";
import { by, element, shape } from "./elements.js";
import { plain } from "./words.js";

const RING = "M12 4.5a7.5 7.5 0 1 0 0.01 0z";

const NAMED = new Set(["black", "white", "red"]); // colours that players are named after

const STONES = "○◎●";

const SHAPES = new Map([
  ["x", "M6 6L18 18M18 6L6 18"],
  ["o", "M12 5a7 7 0 1 0 0.01 0"],
  ["○", RING],
  ["◎", `${RING}M12 9a3 3 0 1 0 0.01 0z`],
  ["●", RING],
]);

/** The player, 0 or 1, to whom a mark belongs; null if to neither. */
export const sideOf = (mark) => (Object.hasOwn(data.sides, mark) ? data.sides[mark] : null);

/** The CSS class of a player's colour: the colour that the player is named after, or that of the side. */
const paintOf = (side) => (NAMED.has(data.paints[side]) ? data.paints[side] : side === null ? "ink" : `side${side}`);

/** The glyph for a mark, or for an empty cell, "". */
export const glyphOf = (mark) => (Object.hasOwn(data.glyphs, mark) ? data.glyphs[mark] : mark);

/** A piece as a wooden tile that points forward, with a dot for each direction in which it moves. */
function tile(mark, paint) {
  const turned = sideOf(mark) ? { transform: "rotate(180 5 5)" } : {};
  const dots = data.tiles[mark].map(([down, right]) => `M${5 + 2.7 * right} ${5.4 + 2.9 * down}h0`).join("");
  const parts = [
    shape("path", { class: "wood", d: "M1 9.4l.6-7.2l3.4-1.6l3.4 1.6l.6 7.2z", ...turned }),
    shape("path", { class: "steps", d: dots }),
    shape("text", { x: 5, y: 7.1 }, mark.toUpperCase()),
  ];
  return shape("svg", { viewBox: "0 0 10 10", class: `mark tile ${paint}`, "aria-hidden": "true" }, ...parts);
}

/** The element for a mark. The style of the cell draws a mark that fills its cell. */
export function drawn(mark) {
  const paint = paintOf(sideOf(mark));
  const glyph = glyphOf(mark);
  if (data.tiles?.[mark]) return tile(mark, paint);
  if (glyph === "█") return element("span", { class: "mark full ink" });
  const d = SHAPES.get(glyph.toLowerCase());
  if (d) {
    const round = glyph === "●" ? " disc" : "";
    const look = `mark ${paint}${NAMED.has(paint) && STONES.includes(glyph) ? " stone" : round}`;
    return shape("svg", { viewBox: "0 0 24 24", class: look, "aria-hidden": "true" }, shape("path", { d }));
  }
  const text = plain(glyph).trim();
  const size = [...text].length > 3 ? "long" : [...text].length > 1 ? "some" : "one";
  return element("span", { class: `mark text ${size} ${mark ? paint : "faint"}` }, text);
}

/** Show the page, which is hidden without scripts, and the key to the marks. */
export function showPage() {
  by("needs").remove();
  by("key").append(...keyOf());
  by("main").hidden = false;
}

/** The key: each player with marks, those of the positions known at first, or if there are none, of the look. */
function keyOf() {
  const shown = data.tiles ? Object.keys(data.tiles) : Object.values(data.marks);
  return data.players.flatMap((name, side) => {
    const isOwn = (mark) => [...mark].length === 1 && sideOf(mark) === side && glyphOf(mark).trim();
    const own = shown.some(isOwn) ? shown : Object.keys(data.sides);
    const alike = new Map(own.filter(isOwn).map((mark) => [glyphOf(mark), mark]));
    return alike.size ? [element("span", {}, ...[...alike.values()].map(drawn), ` ${plain(name)}`)] : [];
  });
}
