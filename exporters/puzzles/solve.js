// The puzzles: one at a time, whose only good move is to be found on the board or in the list.

import { boardOf } from "./board.js";
import { data, position } from "./data.js";
import { by, element } from "./elements.js";
import { keyOf } from "./marks.js";
import { inWords, plain, valued, worth } from "./words.js";

const SIGNS = { solved: "✓", missed: "✗", shown: "?" };

const SAID = { solved: "solved", missed: "not solved yet", shown: "the answer was shown" };

const puzzle = {
  at: 0, // the number of the puzzle, which is that of its position
  made: null, // the right move, once it is made
  picked: [], // the cells that are clicked already
  said: "",
  results: new Map(), // by number: solved, missed or shown
};

const keeps = (here, move) => worth(here, move).gain === valued(here, here).gain;

/** Make a move: the right one is shown on the board, of another one is said what it throws away. */
function choose(move) {
  if (puzzle.made) return;
  const here = position(puzzle.at);
  const leads = inWords(worth(here, move));
  puzzle.picked = [];
  if (keeps(here, move)) {
    if (!puzzle.results.has(puzzle.at)) puzzle.results.set(puzzle.at, "solved");
    puzzle.made = move;
    puzzle.said = `Right: ${plain(move.name)}, ${leads}.`;
  } else {
    if (!puzzle.results.has(puzzle.at)) puzzle.results.set(puzzle.at, "missed");
    puzzle.said = `No: ${plain(move.name)} is a ${leads}. Try again.`;
  }
  render();
}

/** A cell was clicked: it makes a move, or begins some, or makes several that look alike. */
function clicked({ picked, made, longer }) {
  if (puzzle.made) return;
  if (!longer.length && made.length === 1) return choose(made[0]);
  puzzle.picked = longer.length ? picked : [];
  puzzle.said = longer.length ? "Now choose where it goes." : "Choose one of these moves from the list.";
  render();
  by("board").querySelector('[data-cell][tabindex="0"]')?.focus();
}

function showAnswer() {
  const here = position(puzzle.at);
  if (puzzle.results.get(puzzle.at) !== "solved") puzzle.results.set(puzzle.at, "shown");
  puzzle.made = here.moves.find((move) => keeps(here, move));
  puzzle.said = `The answer: ${plain(puzzle.made.name)}, ${inWords(worth(here, puzzle.made))}.`;
  render();
}

function goTo(at) {
  Object.assign(puzzle, { at, made: null, picked: [], said: "" });
  history.replaceState(null, "", `#${at + 1}`);
  render();
}

function render() {
  const here = position(puzzle.at);
  const shown = puzzle.made ? position(puzzle.made.to) : here;
  const open = { ...shown, moves: puzzle.made ? [] : here.moves };
  const board = boardOf(open, puzzle.made ? here.n : null, puzzle.picked, false, clicked);
  by("standing").textContent = `${puzzle.at + 1}. ${plain(data.tasks[puzzle.at])}`;
  by("said").textContent = puzzle.said;
  by("said").className = puzzle.made ? "right" : "";
  by("board").replaceChildren(board);
  by("moves").replaceChildren(...here.moves.map((move) => listed(move)));
  by("puzzles").replaceChildren(...data.tasks.map((task, n) => numberOf(n)));
  const solved = [...puzzle.results.values()].filter((each) => each === "solved").length;
  by("score").textContent = `${solved} of ${data.roots} solved at the first try`;
  by("previous").disabled = puzzle.at === 0;
  by("next").disabled = puzzle.at === data.roots - 1;
  by("show").hidden = Boolean(puzzle.made);
  by("again").hidden = !puzzle.made;
}

function listed(move) {
  const button = element("button", { type: "button" }, element("bdi", { class: "name" }, plain(move.name)));
  button.disabled = Boolean(puzzle.made) && puzzle.made.number !== move.number;
  if (puzzle.made?.number === move.number) button.setAttribute("aria-current", "true");
  button.addEventListener("click", () => choose(move));
  return element("li", {}, button);
}

function numberOf(n) {
  const result = puzzle.results.get(n);
  const button = element("button", { type: "button" }, `${n + 1}${result ? ` ${SIGNS[result]}` : ""}`);
  button.setAttribute("aria-label", `puzzle ${n + 1}${result ? `, ${SAID[result]}` : ""}`);
  if (n === puzzle.at) button.setAttribute("aria-current", "true");
  button.addEventListener("click", () => goTo(n));
  return element("li", {}, button);
}

/** The puzzle that the address names by its number; the first one if it names none. */
const named = () => Math.min(Math.max(1, Number.parseInt(location.hash.slice(1), 10) || 1), data.roots) - 1;

by("needs").remove();
by("key").append(...keyOf());
by("main").hidden = false;
by("previous").addEventListener("click", () => goTo(puzzle.at - 1));
by("next").addEventListener("click", () => goTo(puzzle.at + 1));
by("again").addEventListener("click", () => goTo(puzzle.at));
by("show").addEventListener("click", showAnswer);
window.addEventListener("hashchange", () => goTo(named()));
goTo(named());
