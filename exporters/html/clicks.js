// Moves made on the board: the cells to click for each move, in order, and the effect of a click.

import { changes, data, position } from "./data.js";
import { sideOf } from "./marks.js";

/** The cells by name, where only one cell has the name; and a pattern that matches these names in names of moves. */
const { cells, pattern } = namedCells();

function namedCells() {
  const named = data.names.flatMap((row, at) => row.map((name, column) => [name, `${at} ${column}`]));
  const alone = named.filter(([name]) => name && named.filter(([other]) => other === name).length === 1);
  const longest = alone.map(([name]) => name).sort((a, b) => b.length - a.length);
  const escaped = longest.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return { cells: new Map(alone), pattern: alone.length ? new RegExp(escaped.join("|"), "g") : null };
}

/** The moves that can be made on the board of a position, each with its path: the cells to click, in order. */
export function waysToClick(here) {
  if (!here.board || !here.moves) return [];
  return here.moves.flatMap((move) => pathsOf(here, move).map((path) => ({ move, path })));
}

/** The paths of a move: the cells that it names, or its origin and its destination, or the one cell that it changes. */
function pathsOf(here, move) {
  const put = data.tiles && /^[A-Z](?=\*)/.exec(move.name)?.[0];
  const named = pattern ? [...String(move.name).matchAll(pattern)].map(([name]) => cells.get(name)) : [];
  if (named.length > 1) return [named];
  if (put) return [[here.mover ? `0 0 ${put.toLowerCase()}` : `${here.board.length - 1} 0 ${put}`, named[0]]];
  const after = position(move.to).board ?? [];
  const changed = changes(here.board, after);
  const own = (mark) => sideOf(mark) === null || sideOf(mark) === here.mover;
  const filled = changed.filter(({ was, now }) => !was.trim() && now.trim());
  const left = changed.filter(({ was, now }) => was.trim() && !now.trim());
  const turned = changed.filter(({ was, now }) => was.trim() && now.trim() && own(now));
  const to = named[0] ?? only(filled) ?? (filled.length ? null : only(turned));
  if (!to) return filled.length ? [] : taken(here.board, after).map((cell) => [cell]);
  const from = only(left.filter(({ was }) => own(was)));
  return [from && from !== to ? [from, to] : [to]];
}

const only = (changes) => (changes.length === 1 ? changes[0].cell : null);

/**
 * For boards whose rows are heaps: if exactly one row changes, order aside, the first cell that changes in it.
 * Rows equal to it count as that row, so each of them yields a cell.
 */
function taken(before, after) {
  const texts = before.map((row) => row.join("\n"));
  const rest = after.map((row) => row.join("\n"));
  const gone = texts.filter((text) => {
    const same = rest.indexOf(text);
    if (same >= 0) rest.splice(same, 1);
    return same < 0;
  });
  if (gone.length !== 1 || rest.length !== 1) return [];
  const left = rest[0].split("\n");
  const column = gone[0].split("\n").findIndex((mark, at) => mark !== left[at]);
  return texts.flatMap((text, row) => (text === gone[0] ? [`${row} ${column}`] : []));
}

/** Whether the picked cells begin a path. In paths of more than two cells, the order does not matter. */
const begins = (path, picked) =>
  path.length > 2 ? picked.every((cell) => path.includes(cell)) : picked.every((cell, at) => cell === path[at]);

/** The moves that the picked cells complete, and those that need more cells. */
function madeBy(ways, picked) {
  const fit = ways.filter(({ path }) => path.length >= picked.length && begins(path, picked));
  const made = fit.filter(({ path }) => path.length === picked.length).map(({ move }) => move);
  const longer = fit.filter(({ path }) => path.length > picked.length).map(({ move }) => move);
  return { made, longer };
}

/**
 * The effect of clicking `cell` when `picked` are picked: the cells picked then, the moves that these complete, and
 * those that need more cells. A click that fits no move after the others begins anew.
 */
export function clickedOn(ways, picked, cell) {
  if (picked.includes(cell)) return { picked: [], made: madeBy(ways, picked).made, longer: [] };
  const next = [...picked, cell];
  const { made, longer } = madeBy(ways, next);
  if (made.length + longer.length || !picked.length) return { picked: longer.length ? next : [], made, longer };
  return clickedOn(ways, [], cell);
}
