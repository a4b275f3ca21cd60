// Waiting for a server: only what was asked last counts when it comes.

import { by } from "./elements.js";
import { plain } from "./words.js";

const NOTICED = 200; // milliseconds after which one notices that nothing happens

let waiting = null;

/** Forget what was asked, and what went wrong with it. */
export function stopWaiting() {
  waiting = null;
  by("trouble").hidden = true;
}

/** Say that the server is waited for, then go on; if it does not answer, offer to try again. */
export function waitFor(answer, goOn, again) {
  const asked = Symbol("one of many");
  waiting = asked;
  by("board").setAttribute("aria-busy", "true");
  setTimeout(() => waiting === asked && (by("said").textContent = "Waiting for the server …"), NOTICED);
  const stillCounts = (then) => (result) => {
    if (waiting !== asked) return;
    waiting = null;
    then(result);
  };
  answer.then(stillCounts(goOn), stillCounts((error) => trouble(error, again)));
}

function trouble(error, again) {
  by("said").textContent = "";
  by("trouble").hidden = false;
  by("trouble").firstElementChild.textContent = plain(error.message);
  by("again").onclick = again;
}
