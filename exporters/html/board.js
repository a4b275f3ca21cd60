// The board: a grid of cells, of which those are played on that just one move fills.

import { cellPlayed, data, position } from "./data.js";
import { element } from "./elements.js";
import { inShort, inWords, outcome, plain, worth } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

const SHAPES = new Map([
  ["x", "M6 6L18 18M18 6L6 18"],
  ["o", "M12 5a7 7 0 1 0 0.01 0"],
]);

/** What shows position `here`: `choose` is called with the moves of a cell that is clicked. */
export function boardOf(here, before, valuesShown, choose) {
  if (!here.board) return element("pre", { class: "lines", tabindex: "0" }, here.lines.map(plain).join("\n"));
  const last = before === null ? null : cellPlayed(position(before).board, here.board);
  const cells = fillable(here);
  const grid = element("div", { role: "grid", class: "grid", "aria-label": "Board" });
  grid.style.setProperty("--columns", Math.max(...here.board.map((row) => row.length)));
  here.board.forEach((marks, row) => {
    const line = element("div", { role: "row", class: "row" });
    marks.forEach((mark, column) => {
      const moves = cells.get(`${row} ${column}`) ?? [];
      const played = last !== null && last[0] === row && last[1] === column;
      line.append(cell({ here, row, column, mark, moves, played, valuesShown, choose }));
    });
    grid.append(line);
  });
  moveByArrows(grid, here.board);
  return grid;
}

/** The moves by the cell, as "row column", that each of them fills. */
function fillable(here) {
  const cells = new Map();
  for (const move of here.moves) {
    const filled = cellPlayed(here.board, position(move.to).board);
    if (filled) cells.set(filled.join(" "), [...(cells.get(filled.join(" ")) ?? []), move]);
  }
  return cells;
}

function cell({ here, row, column, mark, moves, played, valuesShown, choose }) {
  const told = moves.length === 1 && valuesShown ? worth(here, moves[0]) : null;
  const button = element("button", {
    type: "button",
    class: `cell${played ? " played" : ""}${moves.length ? " open" : ""}`,
    "data-cell": `${row} ${column}`,
    "aria-label": label({ row, column, mark, moves, played, told }),
    tabindex: "-1",
  });
  if (mark.trim()) button.append(drawn(mark));
  if (moves.length) {
    if (moves.length === 1) button.append(ghost(here, moves[0], row, column));
    if (told) button.append(chip(told, moves[0].best, true));
    button.addEventListener("click", () => choose(moves));
  } else button.setAttribute("aria-disabled", "true");
  return element("div", { role: "gridcell", class: "square" }, button);
}

function label({ row, column, mark, moves, played, told }) {
  const parts = [mark.trim() ? plain(mark) : "empty"];
  if (played) parts.push("played last");
  if (moves.length === 1) parts.push(`play ${plain(moves[0].name)}`);
  if (moves.length > 1) parts.push(`${moves.length} moves, to be chosen from the list`);
  if (told) parts.push(inWords(told) + (moves[0].best ? ", best" : ""));
  return `row ${row + 1}, column ${column + 1}: ${parts.join(", ")}`;
}

/** A mark as the game looks: x and o as lines, all else as text; in the colour of the player whose it is. */
export function drawn(mark) {
  const paint = Object.hasOwn(data.sides, mark) ? `side${data.sides[mark]}` : "ink";
  const glyph = Object.hasOwn(data.glyphs, mark) ? data.glyphs[mark] : mark;
  const shape = SHAPES.get(glyph.toLowerCase());
  if (!shape) {
    const text = plain(glyph).trim();
    const size = [...text].length > 3 ? "long" : [...text].length > 1 ? "some" : "one";
    return element("span", { class: `mark text ${size} ${paint}` }, text);
  }
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `mark ${paint}`);
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", shape);
  svg.append(path);
  return svg;
}

/** The mark that a move would put into a cell, to be seen while the cell is pointed at. */
function ghost(here, move, row, column) {
  const mark = drawn(position(move.to).board[row][column]);
  mark.classList.add("ghost");
  return mark;
}

/** What a move leads to, as a small sign: a short one for cells. Border and words say what the colour says. */
export function chip(told, best, short) {
  const made = element("span", { class: `chip ${outcome(told)}${best ? " best" : ""}` });
  if (!short) {
    made.append(inWords(told));
    return made;
  }
  const { word, sign } = inShort(told);
  made.setAttribute("aria-hidden", "true");
  made.append(element("span", { class: "word" }, word), element("span", { class: "sign" }, sign));
  return made;
}

/** One cell can be reached by Tab, the others from there by the arrow keys, Home and End. */
function moveByArrows(grid, board) {
  const at = (row, column) => grid.querySelector(`[data-cell="${row} ${column}"]`);
  (grid.querySelector(".open") ?? grid.querySelector(".cell")).tabIndex = 0;
  const focus = (button) => {
    if (!button) return;
    for (const each of grid.querySelectorAll('[tabindex="0"]')) each.tabIndex = -1;
    button.tabIndex = 0;
    button.focus();
  };
  grid.addEventListener("keydown", (event) => {
    const cell = event.target.closest("[data-cell]");
    if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
    const [row, column] = cell.dataset.cell.split(" ").map(Number);
    const goals = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, board[row].length - 1],
    };
    if (!(event.key in goals)) return;
    event.preventDefault();
    focus(at(...goals[event.key]));
  });
}
