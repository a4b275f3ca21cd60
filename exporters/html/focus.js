// The focus, which stays where it was though what it was on is replaced.

import { by } from "./elements.js";

/** What the focus is on, so that what takes its place can get it. */
export function whereTheFocusIs() {
  const { cell, move } = document.activeElement.dataset;
  if (cell !== undefined) return () => by("board").querySelector(`[data-cell="${cell}"]`);
  if (move !== undefined) return () => by("moves").querySelector("button") ?? by("new");
  if (by("line").contains(document.activeElement)) return () => by("line").querySelector("[aria-current]");
  const { id } = document.activeElement;
  return id ? () => (by(id).disabled || by(id).hidden ? by("new") : by(id)) : () => null;
}

/** Put the focus on what has taken the place of what it was on. */
export function focusAgain(found) {
  const focused = found();
  if (!focused || focused === document.activeElement) return;
  if (focused.dataset.cell !== undefined) {
    for (const each of by("board").querySelectorAll('[tabindex="0"]')) each.tabIndex = -1;
    focused.tabIndex = 0;
  }
  focused.focus({ preventScroll: true });
}
