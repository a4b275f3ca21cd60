// The line of play, and facts about the current position in the plan or the game.

import { atPly, data, position, reach } from "./data.js";
import { curveOf } from "./curve.js";
import { by, element, item } from "./elements.js";
import { scrollToCurrent } from "./focus.js";
import { count, inWords, outcome, plain, player, valued, worth } from "./words.js";

/** Show the line of play, the curve and the facts. A click on a step calls `stepTo` with its index. */
export function showPlace(line, valuesShown, stepTo) {
  const here = position(line.here);
  by("line").replaceChildren(...line.steps.map((step, at) => stepOf(line, at, valuesShown, stepTo)));
  scrollToCurrent(by("line"));
  const curve = valuesShown ? curveOf(line) : null;
  by("curve").replaceChildren(...(curve ? [element("p", { class: "tag" }, "Plies to the end"), curve] : []));
  by("curve").scrollLeft = (by("curve").scrollWidth * line.at) / line.steps.length - by("curve").clientWidth / 2;
  by("facts").replaceChildren(...facts(here, line).map((fact) => element("li", {}, fact)));
}

/** A step of the line. If values are shown, it is coloured by outcome, and a mistake is marked. */
function stepOf(line, at, valuesShown, stepTo) {
  const step = line.steps[at];
  const name = at ? plain(step.move) : step.n < data.roots ? "start" : "set up";
  const parts = [element("bdi", {}, name)];
  const look = { "aria-current": at === line.at ? "step" : null };
  const said = at ? [`after ply ${at}, ${name}`] : [];
  if (at && valuesShown) {
    const before = position(line.steps[at - 1].n);
    const [had, got] = [valued(before, before), worth(before, { to: step.n })];
    look.class = outcome(got);
    said.push(inWords(got));
    if (got.gain < had.gain && data.kind !== "plan") {
      parts.push(element("span", { class: "mistake" }, "?"));
      said.push(`a mistake: it had a ${outcome(had)}`);
    }
  }
  if (at) look["aria-label"] = said.join(", ");
  const shown = item(() => stepTo(at), look, ...parts);
  shown.classList.toggle("ahead", at > line.at);
  return shown;
}

/** The ply of the position, and what can follow it in the plan or the game. */
function facts(here, line) {
  if (data.source !== null) return ofServed(here, line);
  const { positions, ends } = reach(here.n);
  const after = `${count(positions - 1, "position", "positions")} can follow, ${count(ends, "end", "ends")} among them`;
  const words = [here.moves.length ? after : "An end"];
  if (data.kind === "plan") return [...ofPlan(here, line), ...words];
  if (here.ply === null) return [`Ply ${line.at} of this line of play`, ...words];
  const beside = atPly(here.ply);
  const there = beside === 1 ? "the only position" : `one of ${count(beside, "position", "positions")}`;
  return [`Ply ${here.ply}, ${there} there`, ...words];
}

/** The facts if not all positions are known. */
function ofServed(here, line) {
  const ply = here.ply === null ? `Ply ${line.at} of this line of play` : `Ply ${here.ply}`;
  const moves = here.moves ? [count(here.moves.length, "move", "moves")] : [];
  return [ply, ...(here.over ? ["An end"] : moves)];
}

function ofPlan(here, line) {
  const longest = position(0).plies;
  const ply = `Ply ${line.at}${longest === null ? "; play can go on for ever" : ` of at most ${longest}`}`;
  if (!here.moves.length) return [ply];
  const owner = player(data.owner);
  if (here.mover === data.owner) return [ply, `The plan's move for ${owner}: ${plain(here.moves[0].name)}`];
  const replies = count(here.moves.length, "reply", "replies");
  return [ply, `${replies} of ${player(here.mover)}, each of which the plan for ${owner} answers`];
}
