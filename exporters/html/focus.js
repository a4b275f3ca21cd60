// Restores the focus and scrolls lists after elements have been replaced.

import { by } from "./elements.js";

/** A function that finds the element in place of the focused one, or if there is none, what `next` returns. */
export function whereTheFocusIs(next = () => by("new")) {
  const { id, dataset } = document.activeElement;
  if (dataset.cell !== undefined) return () => by("board").querySelector(`[data-cell="${dataset.cell}"]`) ?? next();
  if (dataset.move !== undefined) return () => by("moves").querySelector("button:enabled") ?? next();
  const list = document.activeElement.closest("#line, #instead, #puzzles");
  if (list) return () => list.querySelector("[aria-current]") ?? next();
  return id ? () => (by(id).disabled || by(id).hidden ? next() : by(id)) : () => null;
}

/** Focus the element that `find` returns, if any. */
export function focusAgain(find) {
  const focused = find();
  if (!focused || focused === document.activeElement) return;
  if (focused.dataset.cell !== undefined) {
    for (const cell of by("board").querySelectorAll('[tabindex="0"]')) cell.tabIndex = -1;
    focused.tabIndex = 0;
  }
  focused.focus({ preventScroll: true });
}

/** Scroll a list so that its current item is in the middle, or to the top if it has none. */
export function scrollToCurrent(list) {
  const current = list.querySelector("[aria-current]");
  list.scrollTop = current ? current.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
}
