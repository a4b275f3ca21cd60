// The board: a grid of cells. Clicking cells makes moves.

import { clickedOn, waysToClick } from "./clicks.js";
import { changes, data, position } from "./data.js";
import { element } from "./elements.js";
import { arrowsOf, coordinates, framed, hands, isThere, waysOf } from "./ground.js";
import { drawn, glyphOf } from "./marks.js";
import { count, inShort, inWords, outcome, plain, worth } from "./words.js";

/**
 * The element that shows position `here`. `before` is the number of the position before it, or null; `picked` are the
 * cells clicked so far. A click on a cell calls `click` with the result of `clickedOn`.
 */
export function boardOf(here, before, picked, valuesShown, click) {
  if (!here.board) {
    const kind = here.lines.length > 1 ? "lines" : "lines wrapped";
    return element("pre", { class: kind, tabindex: "0" }, here.lines.map(plain).join("\n"));
  }
  const changed = before === null ? [] : changes(position(before).board, here.board);
  const played = new Set(changed.map(({ cell }) => cell));
  const ways = waysToClick(here);
  const grid = element("div", { role: "grid", class: "grid", "aria-label": "Board" });
  here.board.forEach((marks, row) => {
    const held = hands && row % (here.board.length - 1) === 0;
    const line = element("div", { role: "row", class: held ? "row hand" : "row" });
    (held ? [...marks[0]] : marks).forEach((mark, column) => {
      const at = held ? `${row} 0 ${mark}` : `${row} ${column}`;
      const square = element("div", { role: "gridcell", class: "square" });
      if (isThere(row, column, mark))
        square.append(cell({ here, row, column, mark, at, ways, picked, played: played.has(at), valuesShown, click }));
      line.append(square);
    });
    grid.append(line);
  });
  moveByArrows(grid);
  const toShow = ways.filter(({ path }) => !picked.length || path[0] === picked[0]);
  const arrows = valuesShown ? arrowsOf(here.board, toShow, (move) => outcome(worth(here, move))) : null;
  return framed(here.board, [waysOf(here.board), grid, arrows].filter(Boolean));
}

function cell({ here, row, column, mark, at, ways, picked, played, valuesShown, click }) {
  const comes = clickedOn(ways, picked, at);
  const sole = comes.made.length === 1 && !comes.longer.length ? comes.made[0] : null;
  const open = comes.made.length + comes.longer.length > 0;
  const value = sole && valuesShown ? worth(here, sole) : null;
  const isPicked = picked.includes(at);
  const full = glyphOf(mark) === "█" ? " filled" : "";
  const button = element("button", {
    type: "button",
    class: `cell${full}${played ? " played" : ""}${open ? " open" : ""}${isPicked ? " picked" : ""}`,
    "data-cell": at,
    "aria-label": label({ row, column, at, mark, comes, sole, played, isPicked, value }),
    tabindex: "-1",
  });
  const name = coordinates || mark.trim() ? "" : data.names.length ? data.names[row]?.[column] : sole?.name;
  if (name || name === 0) button.append(element("span", { class: "cell-name", "aria-hidden": "true" }, plain(name)));
  if (glyphOf(mark).trim()) button.append(drawn(mark));
  if (sole && !mark.trim()) button.append(ghost(sole, row, column));
  if (value) button.append(chip(value, sole.best, true));
  if (open || isPicked) button.addEventListener("click", () => click(comes));
  else button.setAttribute("aria-disabled", "true");
  return button;
}

function label({ row, column, at, mark, comes, sole, played, isPicked, value }) {
  const parts = [mark.trim() ? plain(mark) : "empty"];
  if (played && mark.trim()) parts.push("played last");
  if (isPicked) parts.push("chosen");
  if (sole) parts.push(`play ${plain(sole.name)}`);
  else if (comes.longer.length) parts.push(`begins ${count(comes.longer.length + comes.made.length, "move", "moves")}`);
  else if (comes.made.length) parts.push(`${comes.made.length} moves, to be chosen from the list`);
  if (value) parts.push(inWords(value) + (sole.best ? ", best" : ""));
  const where = at.split(" ").length > 2 ? "in hand" : `row ${row + 1 - hands}, column ${column + 1}`;
  return `${where}: ${parts.join(", ")}`;
}

/** The mark that a move would put into a cell, shown while the pointer is over the cell. */
function ghost(move, row, column) {
  const mark = drawn(position(move.to).board?.[row]?.[column] ?? "");
  mark.classList.add("ghost");
  return mark;
}

/** The name of a move in a list. */
export const nameOf = (move) => element("bdi", { class: "name" }, plain(move.name));

/** A label with the value of a move, abbreviated for cells if `short`. Border and words repeat what the colour says. */
export function chip(value, best, short) {
  const made = element("span", { class: `chip ${outcome(value)}${best ? " best" : ""}` });
  if (!short) {
    made.append(inWords(value));
    return made;
  }
  const { word, sign, isMargin } = inShort(value);
  made.classList.toggle("margin", isMargin);
  made.setAttribute("aria-hidden", "true");
  made.append(element("span", { class: "word" }, word), element("span", { class: "sign" }, sign));
  return made;
}

/** The key to the numbers in cells: margins, or plies. */
export function keyOfChips() {
  const plies = data.kind === "plan" ? "at most 3 plies" : "3 plies to the end";
  const words = data.scored ? "a margin of 3" : plies;
  return element("span", {}, chip({ gain: 3, plies: 3 }, false, true), ` = ${words}`);
}

/** Let Tab reach one cell of the grid; the arrow keys, Home and End move the focus from there. */
function moveByArrows(grid) {
  const rows = [...grid.children].map((row) => [...row.querySelectorAll(".cell")]).filter((row) => row.length);
  (grid.querySelector(".picked") ?? grid.querySelector(".open") ?? rows[0][0]).tabIndex = 0;
  const focus = (button) => {
    if (!button) return;
    for (const old of grid.querySelectorAll('[tabindex="0"]')) old.tabIndex = -1;
    button.tabIndex = 0;
    button.focus();
  };
  grid.addEventListener("keydown", (event) => {
    const cell = event.target.closest("[data-cell]");
    if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rows.findIndex((row) => row.includes(cell));
    const at = rows[row].indexOf(cell);
    const goals = {
      ArrowUp: nearest(rows[row - 1], cell),
      ArrowDown: nearest(rows[row + 1], cell),
      ArrowLeft: rows[row][at - 1],
      ArrowRight: rows[row][at + 1],
      Home: rows[row][0],
      End: rows[row].at(-1),
    };
    if (!(event.key in goals)) return;
    event.preventDefault();
    focus(goals[event.key]);
  });
}

/** The cell of a row that is nearest to `cell`, which is in the row above or below. */
function nearest(row, cell) {
  const middle = (other) => other.getBoundingClientRect().left + other.getBoundingClientRect().width / 2;
  const far = (other) => Math.abs(middle(other) - middle(cell));
  return row?.reduce((best, other) => (far(other) < far(best) - 1 ? other : best));
}
