// The line of play: the positions so far, how they came about, and those that were stepped back from.

import { children, data, position } from "./data.js";

export class Line {
  /** Begin with the shortest way to position `n` from a start. */
  constructor(n) {
    this.steps = wayTo(n);
    this.at = this.steps.length - 1;
  }

  /** The number of the position that is played in. */
  get here() {
    return this.steps[this.at].n;
  }

  /** The number of the position before it; null at the beginning. */
  get before() {
    return this.at ? this.steps[this.at - 1].n : null;
  }

  /** Make a move; what had been stepped back from is forgotten unless it is the same. */
  play(move) {
    const ahead = this.steps[this.at + 1];
    if (!ahead || ahead.n !== move.to || ahead.move !== move.name)
      this.steps.splice(this.at + 1, Infinity, { n: move.to, move: move.name });
    this.at += 1;
  }

  /** Where in the line position `n` is: the latest place before this one, else the first one after it; or -1. */
  find(n) {
    const before = this.steps.slice(0, this.at).findLastIndex((step) => step.n === n);
    return before < 0 ? this.steps.findIndex((step, at) => at > this.at && step.n === n) : before;
  }

  /** The nearest place before (`by` is -1) or after this one (1) where one of `sides` is to move; or its end. */
  turn(by, sides) {
    const last = by < 0 ? 0 : this.steps.length - 1;
    let at = this.at;
    while (at !== last) {
      at += by;
      if (sides.has(position(this.steps[at].n).mover)) break;
    }
    return at;
  }

  /** Whether play has come back to this position while none of `sides` was to move. */
  circles(sides) {
    const back = this.steps.slice(0, this.at).findLastIndex((step) => step.n === this.here);
    return back >= 0 && this.steps.slice(back, this.at).every(({ n }) => !sides.has(position(n).mover));
  }

  /** How often the position has occurred so far, this time included. */
  get times() {
    return this.steps.slice(0, this.at + 1).filter((step) => step.n === this.here).length;
  }
}

let parents = null;

/** The steps of the shortest way to position `n` from a start; where not all positions are known, itself alone. */
function wayTo(n) {
  if (data.source !== null) return [{ n, move: null }];
  parents ??= firstParents();
  const way = [];
  for (let at = n; at >= 0; at = parents[at]) way.unshift(at);
  return way.map((at, nth) => ({ n: at, move: nth ? moveBetween(way[nth - 1], at) : null }));
}

/** From which position each is first reached, breadth first from the starts, which have -1. */
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
