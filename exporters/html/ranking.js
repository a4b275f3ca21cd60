// Ranks moves by what an opponent whose hand trembles is expected to give away; solver/players/trembling.py defines it.

import { data, position } from "./data.js";
import { ofFirst } from "./source.js";
import { ranked } from "./words.js";

const TREMBLE = 0.1; // the probability with which the opponent plays any move
const MOST_PLIES = 30;
const MOST_POSITIONS = 2000;
const DIGITS = 1e9; // expectations are compared after rounding to 9 decimals

const level = { first: 1, second: -1 }[data.endless] ?? 0;

const sign = (side) => (side === 0 ? 1 : -1);

/** The ranked moves of a position, as {move, replies, errors, expected}; a promise of them if a server ranks them. */
export function prospects(here) {
  return data.ranking ? asked(here) : computed(here);
}

async function asked(here) {
  const answer = ofFirst(await fetch(`${data.ranking}?position=${encodeURIComponent(here.text)}`));
  const reply = await answer.json();
  const moves = new Map(here.moves.map((move) => [move.name, move]));
  return reply.moves.map((move) => ({ ...move, move: moves.get(move.move) }));
}

function computed(here) {
  const gifts = giftsOf(here);
  const rows = ranked(here).map((move) => prospect(here, move, gifts.get(move.to) ?? 0));
  const keys = (row) => [row.value, Math.round(row.expected * DIGITS), row.errors / Math.max(1, row.replies)];
  const differ = (a, b) => keys(b).map((key, at) => key - keys(a)[at]).find((difference) => difference) ?? 0;
  return rows.sort(differ);
}

function prospect(here, move, gifts) {
  const after = nodeOf(move.to);
  const replies = after.mover === here.mover ? 0 : after.values.length;
  const errors = replies ? after.values.filter((value) => sign(here.mover) * (value - after.value) > 0).length : 0;
  const value = sign(here.mover) * after.value;
  return { move, replies, errors, value, expected: value + gifts };
}

/** What the opponent is expected to give away from each position on, by its number; computed by value iteration. */
function giftsOf(here) {
  const { depths, plies, exhausted } = reachable(here);
  const gifts = new Map([...depths.keys()].map((n) => [n, 0]));
  for (let rounds = 1; rounds <= plies; rounds += 1) {
    const more = [];
    for (const [n, depth] of depths) if (depth <= plies - rounds) more.push([n, backedUp(here.mover, nodeOf(n), gifts)]);
    const same = more.length === gifts.size && more.every(([n, gift]) => gifts.get(n) === gift);
    if (exhausted && same) break;
    for (const [n, gift] of more) gifts.set(n, gift);
  }
  return gifts;
}

function backedUp(side, node, gifts) {
  const known = (n) => gifts.get(n) ?? 0;
  if (node.mover === side) return Math.max(0, ...node.safe.map(known));
  const any = TREMBLE / Math.max(1, node.children.length);
  const best = (1 - TREMBLE) / Math.max(1, node.best.filter(Boolean).length);
  const of = (n, at) =>
    (any + (node.best[at] ? best : 0)) * (sign(side) * (node.values[at] - node.value) + known(n));
  return node.children.map(of).reduce((sum, value) => sum + value, 0);
}

/** The depths of the positions from which gifts can come, by number, for as many plies as the limits allow. */
function reachable(here) {
  const most = Math.max(...range().map((value) => sign(here.mover) * value));
  const open = (pairs) => new Set(pairs.filter(([, value]) => sign(here.mover) * value < most).map(([n]) => n));
  const depths = new Map();
  let frontier = [...open(here.moves.map(({ to }) => [to, position(to).value]))];
  for (let plies = 0; plies < MOST_PLIES; plies += 1) {
    if (!frontier.length) return { depths, plies: MOST_PLIES, exhausted: true };
    if (depths.size + frontier.length > MOST_POSITIONS) return { depths, plies, exhausted: false };
    for (const n of frontier) depths.set(n, plies);
    const after = open(frontier.flatMap((n) => followed(here.mover, nodeOf(n))));
    frontier = [...after].filter((n) => !depths.has(n));
  }
  return { depths, plies: MOST_PLIES, exhausted: !frontier.length };
}

const followed = (side, node) =>
  node.mover === side ? node.safe.map((n) => [n, node.value]) : node.children.map((n, at) => [n, node.values[at]]);

const nodes = new Map();

/** What the ranking needs of position `n`; `safe` are the positions after the moves of a player who risks nothing. */
function nodeOf(n) {
  if (!nodes.has(n)) nodes.set(n, read(position(n)));
  return nodes.get(n);
}

function read({ mover, value, moves }) {
  const values = moves.map(({ to }) => position(to).value);
  const hurries = hurrier(value) === mover;
  const isSafe = (move, at) => move.best || (values[at] === value && !hurries);
  const safe = moves.filter(isSafe).map(({ to }) => to);
  return { mover, value, values, children: moves.map(({ to }) => to), best: moves.map(({ best }) => best), safe };
}

/** The side that hurries to end play of this value: 0, 1 or null. */
function hurrier(value) {
  if (value === level) return level ? (level > 0 ? 0 : 1) : null;
  return value > level ? 0 : 1;
}

let values = null;

/** The least and the greatest value of any position. */
function range() {
  const widened = ([low, high], [, , , value]) => [Math.min(low, value), Math.max(high, value)];
  values ??= data.positions.reduce(widened, [Infinity, -Infinity]);
  return values;
}
