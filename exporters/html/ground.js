// What surrounds the cells of a board: lines between points, arrows, and the names of rows and columns.

import { data } from "./data.js";
import { element, shape } from "./elements.js";

const MOST_ARROWS = 12; // more would hide the board

const ends = new Set(data.ways.flat().map((cell) => cell.join(" ")));

/** How many rows at the top and at the bottom of a board are hands, 0 or 1. Hands are shown beside the board. */
export const hands = data.tiles ? 1 : 0;

/** Whether there is a cell in this place: on a board of points, only points are cells. */
export const isThere = (row, column, mark) => !ends.size || ends.has(`${row} ${column}`) || Boolean(mark.trim());

/** The lines and points of a board of points; null for other boards. */
export function waysOf(board) {
  if (!ends.size) return null;
  const lines = data.ways.map(([from, to]) => line(centre(board, from), centre(board, to)));
  const points = [...ends].map((cell) => {
    const [cx, cy] = centre(board, cell.split(" ").map(Number));
    return shape("circle", { cx, cy, r: 0.06 });
  });
  return layer(board, "ways", ...lines, ...points);
}

/** Arrows for moves from cell to cell, coloured by outcome; for the best moves only, if there are too many. */
export function arrowsOf(board, ways, outcomeOf) {
  const all = ways.filter(({ path }) => path.length === 2);
  const shown = all.length > MOST_ARROWS ? all.filter(({ move }) => move.best) : all;
  const drawn = shown.map(({ move, path }) => {
    const [from, to] = path.map((cell) => centre(board, cell.split(" ")));
    return shape("g", { class: `${outcomeOf(move)}${move.best ? " best" : ""}` }, ...arrow(from, to));
  });
  return layer(board, "arrows", ...drawn);
}

function arrow([x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const at = (along, across) => [x1 + dx * along - dy * across, y1 + dy * along + dx * across];
  const head = [at(length - 0.18, 0), at(length - 0.42, 0.13), at(length - 0.42, -0.13)];
  const points = head.map((point) => point.map((number) => number.toFixed(3)).join(",")).join(" ");
  return [line(at(0.2, 0), at(length - 0.4, 0)), shape("polygon", { points })];
}

const line = ([x1, y1], [x2, y2]) => shape("line", { x1, y1, x2, y2 });

const widest = (board) => Math.max(...board.map((row) => row.length));

/** The numbers of columns and rows of a board as shown, with the column of the hands. */
const size = (board) => [widest(board) + hands, board.length - 2 * hands];

/** The centre of a cell, measured in cells from the top left. On boards of points, shorter rows are centred. */
function centre(board, [row, column, piece]) {
  if (piece) {
    const nth = board[row][0].indexOf(piece);
    return [widest(board) + (nth % 2) / 2 + 0.25, (row > 0 ? 2 : 0) + Math.floor(nth / 2) / 2 + 0.25];
  }
  const indent = ends.size ? (widest(board) - board[row].length) / 2 : 0;
  return [Number(column) + indent + 0.5, row - hands + 0.5];
}

const layer = (board, look, ...inside) =>
  shape("svg", { class: look, viewBox: `0 0 ${size(board).join(" ")}`, "aria-hidden": "true" }, ...inside);

/** The names of the columns and of the rows, if the names of the cells are made of these; else null. */
export const coordinates = foundCoordinates();

function foundCoordinates() {
  const names = data.names.map((row) => row.map((name) => name && /^([a-z]*)(\d+)$/.exec(name)));
  if (names.flat().includes(null)) return null;
  const columns = shared(transposed(names), (name) => name[1] || name[0]);
  const rows = shared(names, (name) => (name[1] ? name[2] : ""));
  return columns && rows ? { columns, rows: rows.some(Boolean) ? rows : null } : null;
}

/** The part that the names in each line share, "" if it has no names; null if the names in a line differ. */
function shared(lines, part) {
  const parts = lines.map((line) => new Set(line.filter(Boolean).map(part)));
  return lines.length && parts.every((name) => name.size < 2) ? parts.map(([name]) => name ?? "") : null;
}

function transposed(rows) {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: columns }, (_, at) => rows.map((row) => row[at]));
}

/** The layers of a board, framed by the names of its columns and rows. */
export function framed(board, layers) {
  const sign = (name) => element("span", {}, name);
  const signs = (side, names) => element("div", { class: side, "aria-hidden": "true" }, ...(names ?? []).map(sign));
  const field = element("div", { class: "field" }, ...layers);
  const look = `board ground-${data.ground}${ends.size ? " points" : ""}${hands ? " hands" : ""}`;
  const frame = element("div", { class: look });
  const [columns, rows] = size(board);
  const beside = coordinates?.rows?.slice(hands, hands + rows);
  const below = coordinates && [...coordinates.columns, ...(hands ? [""] : [])];
  frame.append(signs("ranks", beside), field, signs("files", below));
  frame.style.setProperty("--columns", columns);
  frame.style.setProperty("--rows", rows);
  return frame;
}
