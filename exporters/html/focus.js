// The focus, which stays where it was though what it was on is replaced.

import { by } from "./elements.js";

/** What the focus is on, so that what takes its place can get it; `next` is what comes if nothing does. */
export function whereTheFocusIs(next = () => by("new")) {
  const { id, dataset } = document.activeElement;
  if (dataset.cell !== undefined) return () => by("board").querySelector(`[data-cell="${dataset.cell}"]`) ?? next();
  if (dataset.move !== undefined) return () => by("moves").querySelector("button:enabled") ?? next();
  const list = document.activeElement.closest("#line, #instead, #puzzles");
  if (list) return () => list.querySelector("[aria-current]") ?? next();
  return id ? () => (by(id).disabled || by(id).hidden ? next() : by(id)) : () => null;
}

/** Put the focus on what has taken the place of what it was on. */
export function focusAgain(find) {
  const focused = find();
  if (!focused || focused === document.activeElement) return;
  if (focused.dataset.cell !== undefined) {
    for (const cell of by("board").querySelectorAll('[tabindex="0"]')) cell.tabIndex = -1;
    focused.tabIndex = 0;
  }
  focused.focus({ preventScroll: true });
}
