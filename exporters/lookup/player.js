// Plays a plan by lookup, without other code. In a page: <script src="player.js"></script>;
// in Node: const { Player } = require("./player.js"). Then: new Player(JSON.parse(text of PLAN.json)).
"use strict";

const its = (table, key) => (table && Object.hasOwn(table, key) ? table[key] : undefined);
const isText = (value) => typeof value === "string";
const isTable = (value, fits) =>
  value !== null && typeof value === "object" && !Array.isArray(value) && Object.values(value).every(fits);

// Return whether the plan has the tables that a player needs, with values of the right types.
function isPlayable(plan) {
  if (!isTable(plan, () => true)) return false;
  const { symmetries = [], folded = {} } = plan;
  return isText(plan.root) && isTable(plan.replies, (moves) => isTable(moves, isText))
    && isTable(plan.states, (choice) => isTable(choice, () => true) && isText(choice.then)
      && (isText(choice.move) || Number.isSafeInteger(choice.move)))
    && isTable(plan.ends, Number.isSafeInteger)
    && Array.isArray(symmetries) && symmetries.every((table) => isTable(table, isText))
    && isTable(folded, (fold) => isTable(fold, () => true) && isText(fold.as)
      && Number.isInteger(fold.by) && its(symmetries, fold.by) !== undefined);
}

class Player {
  constructor(plan) {
    if (!isPlayable(plan)) throw new Error("this is no plan that can be played without rules");
    this.plan = plan;
    this.names = new Map(); // from names of moves in the game to their names in the position of the plan
    this.standAt(plan.root);
  }
  // The utility for the first player; undefined while the game goes on.
  get utility() { return its(this.plan.ends, this.position); }
  // The plan's move; undefined if its owner is not to move.
  get move() {
    const choice = its(this.plan.states, this.position);
    return choice && this.inPlay(String(choice.move));
  }
  // The legal moves of the opponent; none if the opponent is not to move.
  get replies() {
    return Object.keys(its(this.plan.replies, this.position) ?? {}).map((name) => this.inPlay(name));
  }
  // Make a move of either player; throws an Error if the plan does not have it.
  play(move) {
    const choice = its(this.plan.states, this.position), name = this.names.get(move) ?? move;
    const then = choice?.move === undefined || String(choice.move) !== name
      ? its(its(this.plan.replies, this.position), name) : choice.then;
    if (then === undefined) throw new Error(`the plan has no move ${move} in ${this.position}`);
    this.standAt(then);
  }
  standAt(position) {
    const fold = its(this.plan.folded, position);
    if (fold) { // the plan has only the canonical position, in which moves have other names
      const table = this.plan.symmetries[fold.by];
      const names = [...this.names.keys(), ...Object.keys(table)].map((move) => [move, this.names.get(move) ?? move]);
      this.names = new Map(names.map(([move, name]) => [move, its(table, name) ?? name]));
    }
    this.position = fold ? fold.as : position;
  }
  inPlay(name) { return [...this.names].find(([, its]) => its === name)?.[0] ?? name; }
}

if (typeof module !== "undefined") module.exports = { Player };
