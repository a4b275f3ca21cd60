// The positions of this page, from the rows that exporters/html/rows.py describes.

export const data = JSON.parse(document.getElementById("data").textContent);

/** Position number `n`. `board` is rows of marks; where it is null, `lines` of text show the position. */
export function position(n) {
  const [text, picture, mover, value, plies, ply, links] = data.positions[n];
  const drawn = typeof picture === "string";
  const board = drawn ? picture.split("/").map((row) => [...row].map((code) => data.marks[code])) : null;
  return { n, text, mover, value, plies, ply, board, lines: drawn ? null : picture, moves: moves(links) };
}

/** The moves that a row lists as numbers: each with its name, where it leads, whether it is a best one. */
function moves(links) {
  const found = [];
  for (let at = 0; at < links.length; at += 2) {
    const best = links[at + 1] >= 0;
    const to = best ? links[at + 1] : ~links[at + 1];
    found.push({ number: at / 2, name: data.moves[links[at]], to, best });
  }
  return found;
}

/** The numbers of the positions that the moves of position `n` lead to. */
export function children(n) {
  return data.positions[n][6].filter((_, at) => at % 2).map((to) => (to < 0 ? ~to : to));
}

/** The one cell that has a new mark in the board `after`, as [row, column]; null if there is not just one. */
export function cellPlayed(before, after) {
  if (!before || !after) return null;
  const found = [];
  for (let row = 0; row < Math.min(before.length, after.length); row += 1)
    for (let column = 0; column < Math.min(before[row].length, after[row].length); column += 1) {
      const mark = after[row][column];
      if (mark && mark !== before[row][column]) found.push([row, column]);
    }
  return found.length === 1 ? found[0] : null;
}

/** How many positions play can reach from position `n`, itself included, and how many of them are ends. */
export function reach(n) {
  const met = new Uint8Array(data.positions.length);
  const queue = [n];
  let ends = 0;
  met[n] = 1;
  for (const each of queue) {
    const next = children(each);
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

/** How many positions are so many plies from a start. */
export function atPly(ply) {
  if (!sizes) {
    sizes = new Map();
    for (const row of data.positions) sizes.set(row[5], (sizes.get(row[5]) ?? 0) + 1);
  }
  return sizes.get(ply);
}
