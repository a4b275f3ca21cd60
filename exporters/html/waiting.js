// Waiting for a server, for a position to show or for one that was typed. Of each kind, only the latest request counts.

import { by } from "./elements.js";
import { plain } from "./words.js";

const NOTICED = 200; // milliseconds after which the page says that it waits

const waiting = { shown: null, typed: null };

/** Ignore the requests that are waiting, and hide the message of an error. */
export function stopWaiting() {
  waiting.shown = waiting.typed = null;
  by("trouble").hidden = true;
}

/**
 * Wait for `answer`, a promise, and call `goOn` with its result; if it rejects, show the error and a button that calls
 * `again`. `kind` is "shown" or "typed".
 */
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
