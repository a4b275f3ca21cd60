// For games whose rules tell the ply: whether a state is reachable, and the labels of late states that a site omits.

const SPAN = 2 ** 20; // a score is SPAN times the value, adjusted by plies, as in late.py
const MOST_SEEN = 5000; // the most states visited to find a way back to a start

/** Alpha-beta search with a transposition table. Its scores, and the states that it makes, are those of late.py. */
export class Late {
  /** `folded` returns the canonical state of a state. */
  constructor({ back, late, endless }, rules, folded) {
    const [starts, differences] = [back.starts.map(BigInt), back.differences.map(BigInt)];
    Object.assign(this, { rules, folded, starts, differences, ...late, first: Number(rules.ply(starts[0])) });
    this.endless = { draw: 0, first: 1, second: -1 }[endless];
    this.begin();
  }

  /** Forget all bounds. */
  begin() {
    this.bounds = new Map();
    this.nodes = 0;
  }

  /** Whether the site does not store an open state. */
  has(state) {
    return this.plies(state) >= this.ply;
  }

  /** The number of plies from a start to a state. */
  plies(state) {
    return Number(this.rules.ply(state)) - this.first;
  }

  /** Whether the search back finds a start. It undoes moves by the differences between states that moves make. */
  isReached(state) {
    const [seen, waiting] = [new Set([state]), [state]];
    while (waiting.length && seen.size < MOST_SEEN) {
      const at = waiting.pop();
      const plies = this.plies(at);
      if (plies === 0 && this.starts.includes(this.folded(at))) return true;
      if (plies > 0) for (const before of this.before(at, plies)) if (!seen.has(before)) waiting.push(before), seen.add(before);
    }
    return false;
  }

  /** The states from which a move leads to a state. */
  before(state, plies) {
    const { actions, result } = this.rules;
    return this.differences
      .map((difference) => state ^ difference)
      .filter((from) => this.plies(from) === plies - 1 && actions(from).some((action) => result(from, action) === state));
  }

  /** The value of an open state for the first player, and its remoteness; null if nobody hurries. */
  label(state) {
    const plies = this.plies(state);
    const score = this.sign(state) * this.score(state, plies, -Infinity, Infinity);
    const value = Math.round(score / SPAN);
    const haste = this.haste(value);
    return { value, plies: haste ? haste * (value * SPAN - score) - plies : null };
  }

  /** The score of an open state for the player to move. Outside the window, it is only a bound. */
  score(state, plies, low, high) {
    const { moves, result, is_terminal, utility } = this.rules;
    const sign = this.sign(state);
    const [least, most] = this.bounds.get(state) ?? this.limits(sign, plies + 1);
    if (least >= high || least === most) return least;
    if (most <= low) return most;
    const [begin, end] = [Math.max(low, least), Math.min(high, most)];
    const children = moves(state).map((action) => result(state, action));
    this.nodes += children.length;
    const open = children.filter((child) => !is_terminal(child));
    const over = open.length < children.length ? children.filter((child) => !open.includes(child)) : [];
    let best = Math.max(...over.map((child) => sign * this.worth(Number(utility(child)), plies + 1)));
    for (const child of open) {
      const from = Math.max(begin, best);
      if (from >= end) break;
      const turn = sign * this.sign(child);
      const window = turn > 0 ? [from, end] : [-end, -from];
      best = Math.max(best, turn * this.score(child, plies + 1, ...window));
    }
    this.bounds.set(state, [best <= begin ? least : best, best >= end ? most : best]);
    return best;
  }

  /** 1 if the first player is to move, otherwise -1. */
  sign(state) {
    return this.rules.to_move(state) === 0n ? 1 : -1;
  }

  /** The score, for the first player, of an end with this value after this many plies. */
  worth(value, plies) {
    return value * SPAN - this.haste(value) * plies;
  }

  /** 1 if the first player hurries at this value, -1 if the second player does, 0 if nobody does. */
  haste(value) {
    return Math.sign(value - this.endless || this.endless);
  }

  /** The least and the greatest possible score of an open state, as play does not end before this ply. */
  limits(sign, plies) {
    const [worst, best] = this.utilities;
    const low = this.haste(worst) > 0 ? -Infinity : this.worth(worst, plies);
    const high = this.haste(best) < 0 ? Infinity : this.worth(best, plies);
    return sign > 0 ? [low, high] : [-high, -low];
  }
}
