// Where play is: the line of moves that led there, and what is to be said of the place in the plan or the game.

import { atPly, data, position, reach } from "./data.js";
import { by, element } from "./elements.js";
import { count, plain, player } from "./words.js";

/** Show the line of play, each step of which `stepTo` leads to, and where in the plan or the game it has come. */
export function showPlace(line, stepTo) {
  const here = position(line.here);
  by("line").replaceChildren(
    ...line.steps.map((step, at) => {
      const name = at ? plain(step.move) : "start";
      const button = element("button", { type: "button" }, element("bdi", {}, name));
      if (at) button.setAttribute("aria-label", `after ply ${at}, ${name}`);
      if (at === line.at) button.setAttribute("aria-current", "step");
      button.addEventListener("click", () => stepTo(at));
      return element("li", { class: at > line.at ? "ahead" : "" }, button);
    }),
  );
  by("facts").replaceChildren(...facts(here, line).map((fact) => element("li", {}, fact)));
}

/** Where in the plan or in the game the position is. */
function facts(here, line) {
  const { positions, ends } = reach(here.n);
  const after = `${count(positions - 1, "position", "positions")} can follow, ${count(ends, "end", "ends")} among them`;
  const found = [here.moves.length ? after : "An end"];
  if (data.kind === "plan") return [...ofPlan(here, line), ...found];
  if (here.ply === null) return [`Ply ${line.at} of this line of play`, ...found];
  return [`Ply ${here.ply}, one of ${count(atPly(here.ply), "position", "positions")} there`, ...found];
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
