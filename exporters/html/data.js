// The positions of this page, decoded from rows; exporters/html/rows.py describes their format.

export const data = JSON.parse(document.getElementById("data").textContent);

const fetched = []; // positions from elsewhere, by number

let numbers = null;

/** The numbers of the known positions, by text. */
export const numbered = () => (numbers ??= new Map(data.positions.map(([text], n) => [text, n])));

/**
 * Position number `n`. `board` is rows of marks; where it is null, `lines` of text show the position.
 * `moves` is null as long as the moves are not known.
 */
export const position = (n) => fetched[n] ?? decoded(data, n);

/** The position in row `n`. Its moves refer to the positions after them by row number. */
function decoded(rows, n) {
  const [text, picture, mover, value, plies, ply, links] = rows.positions[n];
  const drawn = typeof picture === "string";
  const board = drawn ? picture.split("/").map((row) => [...row].map((code) => rows.marks[code])) : null;
  const moves = links && movesOf(rows, links);
  return { n, text, mover, value, plies, ply, board, lines: drawn ? null : picture, moves, over: plies === 0 };
}

/** The moves of a row, decoded from its list of numbers. */
function movesOf(rows, links) {
  const moves = [];
  for (let at = 0; at < links.length; at += 2) {
    const best = links[at + 1] >= 0;
    const to = best ? links[at + 1] : ~links[at + 1];
    moves.push({ number: at / 2, name: rows.moves[links[at]], to, best });
  }
  return moves;
}

/** Store the positions in these rows under numbers of the page; return the number of the first. */
export function keep(rows) {
  const known = numbered();
  const here = rows.positions.map(([text]) => known.get(text) ?? known.set(text, known.size).size - 1);
  here.forEach((n, at) => {
    const row = decoded(rows, at);
    if (fetched[n]?.moves && !row.moves) return;
    for (const move of row.moves ?? []) move.to = here[move.to];
    fetched[n] = { ...row, n };
  });
  return here[0];
}

/** The numbers of the positions after the moves of position `n`. */
export function children(n) {
  return data.positions[n][6].filter((_, at) => at % 2).map((to) => (to < 0 ? ~to : to));
}

/** The cells in which two boards differ, as {cell, row, column, was, now}; `cell` is "row column", from 0. */
export function changes(before, after) {
  const changed = [];
  if (before && after)
    after.forEach((marks, row) =>
      marks.forEach((now, column) => {
        const was = before[row]?.[column] ?? "";
        if (now !== was) changed.push({ cell: `${row} ${column}`, row, column, was, now });
      }),
    );
  return changed;
}

/** The numbers of positions and of ends that play can reach from position `n`, itself included. */
export function reach(n) {
  const met = new Uint8Array(data.positions.length);
  const queue = [n];
  let ends = 0;
  met[n] = 1;
  for (const place of queue) {
    const next = children(place);
    if (!next.length) ends += 1;
    for (const child of next)
      if (!met[child]) {
        met[child] = 1;
        queue.push(child);
      }
  }
  return { positions: queue.length, ends };
}

let sizes = null;

/** The number of positions at this ply. */
export function atPly(ply) {
  if (!sizes) {
    sizes = new Map();
    for (const row of data.positions) sizes.set(row[5], (sizes.get(row[5]) ?? 0) + 1);
  }
  return sizes.get(ply);
}
