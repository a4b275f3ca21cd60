// The list of moves.

import { chip, nameOf } from "./board.js";
import { data } from "./data.js";
import { by, element, item } from "./elements.js";
import { focusAgain, scrollToCurrent, whereTheFocusIs } from "./focus.js";
import { prospects } from "./ranking.js";
import { count, ranked, worth } from "./words.js";

let latest = null; // the position whose moves are listed

/**
 * List the moves of position `here`, best first if values are shown. If the box is checked, equal moves are ordered by
 * what an opponent who errs is expected to give away. A click on a move calls `choose`.
 */
export function showMoves(here, valuesShown, choose) {
  latest = here;
  by("none").hidden = here.moves.length > 0;
  list(here, valuesShown ? ranked(here) : here.moves, valuesShown, choose);
  if (!valuesShown || !by("rank").checked) return;
  const relist = (order) => {
    if (latest !== here) return;
    const focused = whereTheFocusIs();
    const notes = new Map(order.map((move) => [move.move, noteOf(move)]));
    list(here, [...notes.keys()], true, choose, notes);
    focusAgain(focused);
  };
  const order = prospects(here);
  if (!(order instanceof Promise)) relist(order);
  else order.then(relist, () => {}); // if the server fails, the list stays as it is
}

function list(here, moves, valuesShown, choose, notes = new Map()) {
  by("moves").replaceChildren(
    ...moves.map((move) => {
      const tags = valuesShown && move.best ? [here.mover === data.owner ? "plan" : "best"] : [];
      if (notes.get(move)) tags.push(notes.get(move));
      const signs = valuesShown ? [chip(worth(here, move), move.best, false)] : [];
      signs.push(...tags.map((tag) => element("span", { class: "tag" }, tag)));
      return item(() => choose(move), { "data-move": move.number }, nameOf(move), ...signs);
    }),
  );
  scrollToCurrent(by("moves"));
}

/** The replies that err, and the expected result against an opponent who errs. */
function noteOf({ replies, errors, expected }) {
  if (!replies) return "";
  const err = `${errors} of ${count(replies, "reply", "replies")} ${errors === 1 ? "errs" : "err"}`;
  return `${err}, expected ${expected.toFixed(3).replace("-", "−")}`;
}
