// Waiting for a server: what it is asked to show, and what was typed. Of each only what was asked last counts.

import { by } from "./elements.js";
import { plain } from "./words.js";

const NOTICED = 200; // milliseconds after which one notices that nothing happens

const waiting = { shown: null, typed: null };

/** Forget what was asked, and what went wrong with it. */
export function stopWaiting() {
  waiting.shown = waiting.typed = null;
  by("trouble").hidden = true;
}

/** Say that the server is waited for, then go on; if it does not answer, offer to try again. `kind`: shown or typed. */
export function waitFor(kind, answer, goOn, again) {
  const asked = Symbol("one of many");
  waiting[kind] = asked;
  by("board").setAttribute("aria-busy", "true");
  setTimeout(() => waiting[kind] === asked && (by("said").textContent = "Waiting for the answer …"), NOTICED);
  const stillCounts = (then) => (result) => {
    if (waiting[kind] !== asked) return;
    waiting[kind] = null;
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
