// Games whose rules tell the ply: whether play comes to a state, and the labels of late states, which a site leaves out.

const SPAN = 2 ** 20; // what the scores of two values differ by, as in late.py
const MOST_SEEN = 5000; // states through which a way back is looked for

/** Alpha-beta search with a table of bounds, whose scores are those of late.py, as are the states that it makes. */
export class Late {
  /** `folded` gives the state that stands for a state. */
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

  /** Whether a site leaves out an open state. */
  has(state) {
    return this.plies(state) >= this.ply;
  }

  /** The plies of a state since a start. */
  plies(state) {
    return Number(this.rules.ply(state)) - this.first;
  }

  /** Whether a way back to a start is found, by moves that change states as moves do in play. */
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

  /** The value of an open state for the first player, and the plies to the end; null where nobody hurries. */
  label(state) {
    const plies = this.plies(state);
    const score = this.sign(state) * this.score(state, plies, -Infinity, Infinity);
    const value = Math.round(score / SPAN);
    const haste = this.haste(value);
    return { value, plies: haste ? haste * (value * SPAN - score) - plies : null };
  }

  /** The score of an open state for the player to move; outside of the window a bound. */
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

  /** 1 where the first player is to move, otherwise -1. */
  sign(state) {
    return this.rules.to_move(state) === 0n ? 1 : -1;
  }

  /** The score for the first player of an end of this value after so many plies. */
  worth(value, plies) {
    return value * SPAN - this.haste(value) * plies;
  }

  /** 1 if the first player hurries to an end of this value, -1 if the second does, 0 if nobody does. */
  haste(value) {
    return Math.sign(value - this.endless || this.endless);
  }

  /** The least and the greatest score of an open state: play does not end before so many plies. */
  limits(sign, plies) {
    const [worst, best] = this.utilities;
    const low = this.haste(worst) > 0 ? -Infinity : this.worth(worst, plies);
    const high = this.haste(best) < 0 ? Infinity : this.worth(best, plies);
    return sign > 0 ? [low, high] : [-high, -low];
  }
}
