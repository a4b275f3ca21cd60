// Stepping by buttons and keys: to the start, back, forward, to the end.

import { by } from "./elements.js";

/** Make buttons and keys call `step` with -1 or 1, `toStart` or `toEnd`. */
export function stepBy(step, toStart, toEnd) {
  const back = () => step(-1);
  const on = () => step(1);
  const keys = { Home: toStart, ArrowLeft: back, ArrowRight: on, End: toEnd };
  Object.entries({ first: toStart, previous: back, next: on, last: toEnd }).forEach(([id, go]) =>
    by(id).addEventListener("click", go),
  );
  document.addEventListener("keydown", (event) => {
    const typing = event.defaultPrevented || event.target.closest("select");
    if (typing || !(event.key in keys) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });
}
