// What is known, in words. All text of a game passes through `plain` before it comes into the page.

import { data, position } from "./data.js";

/** The text in one line, with nothing that cannot be printed: no marks that turn the direction of reading. */
export const plain = (text) => String(text).replace(/[\p{C}\p{Z}]/gu, " ");

export const player = (side) => plain(data.players[side]);

export const count = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

const plies = (number) => count(number, "ply", "plies");

/** What a move is worth to who makes it: the `gain`, plies to the end (null: for ever), if that is the `end`. */
export function worth(here, move) {
  const child = valued(here, position(move.to));
  return { ...child, plies: child.plies === null ? null : child.plies + 1 };
}

/** What a position is worth to who is to move in the position `mover`. */
export function valued(mover, { value, plies, over }) {
  return { gain: mover.mover === 0 ? value : -value, own: mover.mover === data.owner, plies, end: over };
}

export const outcome = ({ gain }) => (gain > 0 ? "win" : gain < 0 ? "loss" : "draw");

/** A worth in words: "win in 3 plies"; in a plan, which promises no more than the least: "draw or better". */
export function inWords(worth) {
  return data.kind === "plan" && !worth.end ? promised(worth) : exact(worth);
}

function exact(worth) {
  if (!worth.gain) return data.endless ? `draw in ${plies(worth.plies)}` : "draw";
  const by = data.scored ? ` by ${Math.abs(worth.gain)}` : "";
  return `${outcome(worth)}${by} in ${worth.plies === null ? "endless play" : plies(worth.plies)}`;
}

/** What the plan's owner gets at least, seen by who is to move. */
function promised(worth) {
  const by = data.scored ? ` by ${Math.abs(worth.gain)}` : "";
  if (!worth.gain) return worth.own ? "draw or better" : "draw at best";
  if (worth.own !== worth.gain > 0) return `${outcome(worth)}${by} at ${worth.own ? "worst" : "best"}`;
  const within = worth.plies === null ? "" : ` in at most ${plies(worth.plies)}`;
  return `${outcome(worth)}${by && `${by} or more`}${within}`;
}

/** A worth in a word and a number that fit into a cell, and in the two characters that fit into a small one. */
export function inShort(worth) {
  const isMargin = data.scored && worth.gain !== 0;
  const number = isMargin ? Math.abs(worth.gain) : worth.plies;
  const by = isMargin ? "by " : "";
  const distance = !worth.gain && !data.endless ? "" : number === null ? "∞" : `${by}${number}`;
  const sign = worth.gain > 0 ? "+" : worth.gain < 0 ? "−" : "=";
  return { word: `${outcome(worth)} ${distance}`.trim(), sign: `${sign}${distance.replace("by ", "")}`, isMargin };
}

/** Where play stands: who is to move and what that is worth (if it is to be told), or how the game ended. */
export function situation(here, showsValue) {
  if (!here.over) {
    const toMove = `${player(here.mover)} to move`;
    return showsValue ? `${toMove}: ${inWords(valued(here, here))}` : toMove;
  }
  if (!here.value) return "The game is over: a draw";
  const by = data.scored ? ` by ${Math.abs(here.value)}` : "";
  return `The game is over: ${player(here.value > 0 ? 0 : 1)} wins${by}`;
}

/** The moves of a position, best first: largest, soonest win, draw, least, latest loss; else in their order. */
export function ranked(here) {
  const rank = (move) => {
    const { gain, plies } = worth(here, move);
    const last = plies === null ? Infinity : plies;
    if (!gain) return [1, 0, !move.best, 0];
    return gain > 0 ? [0, -gain, !move.best, last] : [2, -gain, !move.best, -last];
  };
  const rows = here.moves.map((move) => ({ move, rank: rank(move) }));
  const differ = (a, b) => a.rank.map((key, at) => key - b.rank[at]).find((key) => key) ?? 0;
  return rows.sort(differ).map(({ move }) => move);
}
