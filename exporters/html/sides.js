// The sides that a person can play, and what the page plays for the other side.

import { data, position } from "./data.js";
import { player, worth } from "./words.js";

/** The choices of sides that a person can play, with their wording; the default comes first. */
export function sides() {
  const other = data.kind === "plan" ? "against the plan" : "against best play";
  const one = [0, 1].map((side) => ({
    sides: new Set([side]),
    words: side === data.owner ? `${player(side)}, by the plan` : `${player(side)}, ${other}`,
  }));
  const first = data.owner === null ? position(0).mover : 1 - data.owner;
  return [one[first], one[1 - first], { sides: new Set([0, 1]), words: "both sides" }];
}

/** The move that the page plays: the plan's or the best move, or against the plan's owner the hardest reply. */
export const replyIn = (here) => here.moves.find((move) => move.best) ?? hardest(here);

/** The reply after which the plan's owner gets least or, among equals, waits longest. */
const hardest = (here) =>
  here.moves.reduce((most, move) => {
    const [a, b] = [worth(here, most), worth(here, move)];
    return b.gain > a.gain || (b.gain === a.gain && (b.plies ?? Infinity) > (a.plies ?? Infinity)) ? move : most;
  });
