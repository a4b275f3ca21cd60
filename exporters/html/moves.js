// The list of the moves of a position.

import { chip } from "./board.js";
import { data } from "./data.js";
import { by, element } from "./elements.js";
import { plain, ranked, worth } from "./words.js";

/** List the moves of position `here`, best first where values are shown; `choose` is called with one. */
export function showMoves(here, valuesShown, choose) {
  by("none").hidden = here.moves.length > 0;
  by("moves").replaceChildren(
    ...(valuesShown ? ranked(here) : here.moves).map((move) => {
      const button = element("button", { type: "button", "data-move": move.number });
      button.append(element("bdi", { class: "name" }, plain(move.name)));
      if (valuesShown) {
        button.append(chip(worth(here, move), move.best, false));
        if (move.best) button.append(element("span", { class: "tag" }, here.mover === data.owner ? "plan" : "best"));
      }
      button.addEventListener("click", () => choose(move));
      return element("li", {}, button);
    }),
  );
}
