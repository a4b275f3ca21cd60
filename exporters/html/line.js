// The line of play: its positions with the moves between them, and the current step, which may be before the last.

import { children, data, position } from "./data.js";

export class Line {
  /** Begin with the shortest line from a start to position `n`. */
  constructor(n) {
    this.steps = wayTo(n);
    this.at = this.steps.length - 1;
  }

  /** The number of the current position. */
  get here() {
    return this.steps[this.at].n;
  }

  /** The number of the position before the current one; null at the beginning. */
  get before() {
    return this.at ? this.steps[this.at - 1].n : null;
  }

  /** Make a move. Unless it is the next step of the line, the steps ahead are dropped. */
  play(move) {
    const ahead = this.steps[this.at + 1];
    if (!ahead || ahead.n !== move.to || ahead.move !== move.name)
      this.steps.splice(this.at + 1, Infinity, { n: move.to, move: move.name });
    this.at += 1;
  }

  /** The last step before the current one at position `n`, else the first step after it; or -1. */
  find(n) {
    const before = this.steps.slice(0, this.at).findLastIndex((step) => step.n === n);
    return before < 0 ? this.steps.findIndex((step, at) => at > this.at && step.n === n) : before;
  }

  /** The nearest step back (`by` is -1) or ahead (1) in which one of `sides` is to move; else the end of the line. */
  turn(by, sides) {
    const last = by < 0 ? 0 : this.steps.length - 1;
    let at = this.at;
    while (at !== last) {
      at += by;
      if (sides.has(position(this.steps[at].n).mover)) break;
    }
    return at;
  }

  /** Whether play has returned to the current position without any of `sides` having been to move since. */
  circles(sides) {
    const back = this.steps.slice(0, this.at).findLastIndex((step) => step.n === this.here);
    return back >= 0 && this.steps.slice(back, this.at).every(({ n }) => !sides.has(position(n).mover));
  }

  /** How often the current position has occurred so far, this time included. */
  get times() {
    return this.steps.slice(0, this.at + 1).filter((step) => step.n === this.here).length;
  }
}

let parents = null;

/** The steps of the shortest line from a start to position `n`; only the last if not all positions are known. */
function wayTo(n) {
  if (data.source !== null) return [{ n, move: null }];
  parents ??= firstParents();
  const way = [];
  for (let at = n; at >= 0; at = parents[at]) way.unshift(at);
  return way.map((at, nth) => ({ n: at, move: nth ? moveBetween(way[nth - 1], at) : null }));
}

/** The parents of the positions in a breadth-first search from the starts; -1 for a start. */
function firstParents() {
  const from = new Int32Array(data.positions.length).fill(-2);
  const queue = Array.from({ length: data.roots }, (_, root) => root);
  for (const root of queue) from[root] = -1;
  for (const parent of queue)
    for (const child of children(parent))
      if (from[child] === -2) {
        from[child] = parent;
        queue.push(child);
      }
  return from;
}

const moveBetween = (n, child) => position(n).moves.find((move) => move.to === child).name;
