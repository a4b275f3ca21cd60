// Puts values and positions into words. All text of a game passes through `plain` before it enters the page.

import { data, position } from "./data.js";

/** The text in one line, without unprintable characters, such as those that change the direction of text. */
export const plain = (text) => String(text).replace(/[\p{C}\p{Z}]/gu, " ");

export const player = (side) => plain(data.players[side]);

export const count = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

const plies = (number) => count(number, "ply", "plies");

/** What a move is worth to the player who makes it: see `valued`, with `plies` from before the move. */
export function worth(here, move) {
  const child = valued(here, position(move.to));
  return { ...child, plies: child.plies === null ? null : child.plies + 1 };
}

/**
 * What a position is worth to the player to move in position `mover`: the `gain`, whether this player is the plan's
 * owner (`own`), the `plies` to the end (null: play need not end), and whether it is the `end`.
 */
export function valued(mover, { value, plies, over }) {
  return { gain: mover.mover === 0 ? value : -value, own: mover.mover === data.owner, plies, end: over };
}

export const outcome = ({ gain }) => (gain > 0 ? "win" : gain < 0 ? "loss" : "draw");

/** A worth in words: "win in 3 plies", or "draw or better" in a plan, which promises only the least. */
export function inWords(worth) {
  return data.kind === "plan" && !worth.end ? promised(worth) : exact(worth);
}

function exact(worth) {
  if (!worth.gain) return data.endless ? `draw in ${plies(worth.plies)}` : "draw";
  const by = data.scored ? ` by ${Math.abs(worth.gain)}` : "";
  return `${outcome(worth)}${by} in ${worth.plies === null ? "endless play" : plies(worth.plies)}`;
}

/** What the plan guarantees its owner, from the view of the player to move. */
function promised(worth) {
  const by = data.scored ? ` by ${Math.abs(worth.gain)}` : "";
  if (!worth.gain) return worth.own ? "draw or better" : "draw at best";
  if (worth.own !== worth.gain > 0) return `${outcome(worth)}${by} at ${worth.own ? "worst" : "best"}`;
  const within = worth.plies === null ? "" : ` in at most ${plies(worth.plies)}`;
  return `${outcome(worth)}${by && `${by} or more`}${within}`;
}

/** A worth abbreviated: a word and a number for a cell, and a sign and a number for a small cell. */
export function inShort(worth) {
  const isMargin = data.scored && worth.gain !== 0;
  const number = isMargin ? Math.abs(worth.gain) : worth.plies;
  const by = isMargin ? "by " : "";
  const distance = !worth.gain && !data.endless ? "" : number === null ? "∞" : `${by}${number}`;
  const sign = worth.gain > 0 ? "+" : worth.gain < 0 ? "−" : "=";
  return { word: `${outcome(worth)} ${distance}`.trim(), sign: `${sign}${distance.replace("by ", "")}`, isMargin };
}

/** The situation: who is to move and, if `showsValue`, the value for that player; or how the game ended. */
export function situation(here, showsValue) {
  if (!here.over) {
    const toMove = `${player(here.mover)} to move`;
    return showsValue ? `${toMove}: ${inWords(valued(here, here))}` : toMove;
  }
  if (!here.value) return "The game is over: a draw";
  const by = data.scored ? ` by ${Math.abs(here.value)}` : "";
  return `The game is over: ${player(here.value > 0 ? 0 : 1)} has won${by}`;
}

/**
 * The moves of a position, best first: wins, the largest and then the soonest first; draws; losses, the smallest and
 * then the latest first. Equal moves stay in the order of the rules.
 */
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
