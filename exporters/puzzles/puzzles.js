// The puzzles, one at a time: find the only move that keeps the value. The page refutes wrong moves and plays on.

import { boardOf, nameOf } from "./board.js";
import { data, position } from "./data.js";
import { by, element, item } from "./elements.js";
import { focusAgain, scrollToCurrent, whereTheFocusIs } from "./focus.js";
import { showPage } from "./marks.js";
import { inWords, outcome, plain, player, situation, valued, worth } from "./words.js";

const SIGNS = { solved: "✓", missed: "✗", shown: "?" };

const SAID = { solved: "solved", missed: "not solved yet", shown: "the answer was shown" };

const puzzle = {
  at: 0, // the number of the puzzle and of its position
  steps: [], // the line of play: positions by number, each with the move that led to it
  shown: 0, // the step on the board
  turn: 0, // the step in which a move is to be chosen, or was chosen last
  state: "open", // or refuted, right, over
  picked: [], // the cells clicked so far
  said: "",
  results: new Map(), // by number: solved, missed or shown
};

const choices = new Set(data.choices); // the positions whose moves the page has, all of them

const asked = () => position(puzzle.steps[puzzle.turn].n);

const keeps = (here, move) => worth(here, move).gain === valued(here, here).gain;

const mayChoose = () => puzzle.state === "open" && puzzle.shown === puzzle.turn;

/** Best play from position `n`: as far as the page has moves, until a position repeats or `side` is to move. */
function bestPlay(n, side = null) {
  const steps = [];
  const met = new Set();
  for (let here = position(n); here.moves?.length && here.mover !== side && !met.has(here.n); ) {
    met.add(here.n);
    const { name, to } = here.moves.find((move) => move.best);
    steps.push({ n: to, move: name });
    here = position(to);
  }
  return steps;
}

/** The replies to a move, up to the solver's next choice or the end; null if the page does not have so many moves. */
function replies(here, move) {
  const steps = bestPlay(move.to, here.mover);
  const last = position(steps.at(-1)?.n ?? move.to);
  return last.over || choices.has(last.n) ? steps : null;
}

/** Make a move. A move that keeps the value is right, any other is refuted. */
function choose(move) {
  const here = asked();
  if (!keeps(here, move)) return refute(here, move);
  const first = puzzle.turn === 0;
  const then = replies(here, move);
  if (first) note("solved");
  if (!first && !then) {
    puzzle.picked = [];
    puzzle.said = "Right, but this page does not go on from there.";
    return render();
  }
  make(move, "right", first ? `Right: ${plain(data.tasks[puzzle.at][2])}.` : "");
  if (!first) playOn();
}

/** Show a wrong move; the person can step through best play after it. */
function refute(here, move) {
  if (puzzle.turn === 0) note("missed");
  make(move, "refuted", "");
  puzzle.steps.push(...bestPlay(move.to));
  const more = puzzle.steps.length > puzzle.shown + 1 ? " Step forward to see how it goes on." : "";
  puzzle.said = `No: ${plain(move.name)} leads to a ${inWords(worth(here, move))}.${more}`;
  render();
}

function note(result) {
  if (!puzzle.results.has(puzzle.at)) puzzle.results.set(puzzle.at, result);
}

/** Add the move after the step in which it was to be chosen, and show it. */
function make(move, state, said) {
  const steps = [...puzzle.steps.slice(0, puzzle.turn + 1), { n: move.to, move: move.name }];
  Object.assign(puzzle, { steps, shown: steps.length - 1, state, said, picked: [] });
  render();
}

/** Reply to the right move with best play, up to the next choice or the end. */
function playOn() {
  const made = puzzle.steps[puzzle.turn + 1];
  const { mover } = asked();
  const then = replies({ mover }, { to: made.n });
  puzzle.steps.push(...then);
  puzzle.shown = puzzle.turn = puzzle.steps.length - 1;
  puzzle.state = asked().over ? "over" : "open";
  const moves = then.map((step) => plain(step.move)).join(", ");
  puzzle.said = `Right.${moves && ` ${player(1 - mover)} plays ${moves}.`}`;
  render();
}

/** Handle a click on a cell: it completes a move, begins some, or completes several that look alike. */
function clicked({ picked, made, longer }) {
  if (!longer.length && made.length === 1) return choose(made[0]);
  puzzle.picked = longer.length ? picked : [];
  puzzle.said = longer.length ? "Now choose where it goes." : "Choose one of these moves from the list.";
  render();
}

/** Make the move that solves the puzzle, or later in play the best move. */
function showAnswer() {
  const move = asked().moves.find((move) => move.best && keeps(asked(), move));
  if (puzzle.turn) return choose(move);
  if (puzzle.results.get(puzzle.at) !== "solved") puzzle.results.set(puzzle.at, "shown");
  make(move, "right", `The answer: ${plain(data.tasks[puzzle.at][2])}.`);
}

function tryAgain() {
  if (puzzle.state !== "refuted") return goTo(puzzle.at);
  puzzle.steps.length = puzzle.turn + 1;
  Object.assign(puzzle, { shown: puzzle.turn, state: "open", said: "" });
  render();
}

function goTo(at) {
  Object.assign(puzzle, { at, steps: [{ n: at }], shown: 0, turn: 0, state: "open", picked: [], said: "" });
  history.replaceState(null, "", `#${at + 1}`);
  render();
}

function stepTo(shown) {
  Object.assign(puzzle, { shown, picked: [] });
  render();
}

/** The element to use next: a cell of the board, or a button. */
function next() {
  if (mayChoose()) return by("board").querySelector('[tabindex="0"]');
  return by("on").hidden ? by("again") : by("on");
}

/** Render the current step of the puzzle and restore the focus. */
function render() {
  const focused = whereTheFocusIs(next);
  const shown = position(puzzle.steps[puzzle.shown].n);
  const before = puzzle.shown ? puzzle.steps[puzzle.shown - 1].n : null;
  const [task, level] = data.tasks[puzzle.at];
  const made = puzzle.steps[puzzle.turn + 1];
  const last = puzzle.steps.length - 1;
  const board = boardOf({ ...shown, moves: mayChoose() ? shown.moves : [] }, before, puzzle.picked, false, clicked);
  by("standing").textContent = `${puzzle.at + 1}. ${plain(task)}`;
  by("level").textContent = `Difficulty ${level} of ${data.hardest}`;
  by("said").textContent = puzzle.said;
  by("said").className = puzzle.state === "right" || puzzle.state === "over" ? "right" : "";
  by("now").textContent = last ? `${situation(shown, true)}.` : "";
  by("board").replaceChildren(board);
  by("line").replaceChildren(...(last ? puzzle.steps.map(puzzleStep) : []));
  scrollToCurrent(by("line"));
  by("moves").replaceChildren(...asked().moves.map((move) => listed(move, made)));
  by("moves").parentElement.hidden = !asked().moves.length;
  by("puzzles").replaceChildren(...levels());
  const solved = [...puzzle.results.values()].filter((result) => result === "solved").length;
  by("score").textContent = `${solved} of ${data.roots} solved at the first try`;
  by("previous").disabled = puzzle.at === 0;
  by("next").disabled = puzzle.at === data.roots - 1;
  by("back").hidden = by("forward").hidden = !last;
  by("back").disabled = !puzzle.shown;
  by("forward").disabled = puzzle.shown === last;
  by("show").hidden = puzzle.state === "right" || puzzle.state === "over";
  by("show").textContent = puzzle.turn ? "Show the best move" : "Show the answer";
  by("again").hidden = !last;
  by("again").textContent = puzzle.state === "refuted" ? "Try again" : "From the beginning";
  by("on").hidden = puzzle.state !== "right" || !goesOn(made);
  focusAgain(focused);
}

/** Whether the page can continue play after the right move. */
const goesOn = (made) => !position(made.n).over && replies(asked(), { to: made.n }) !== null;

/** A step of the line of play, coloured by its outcome for the solver. */
function puzzleStep({ n, move }, at) {
  const look = at ? outcome(valued(position(puzzle.at), position(n))) : null;
  const current = at === puzzle.shown ? "step" : null;
  const name = element("bdi", {}, at ? plain(move) : "puzzle");
  return item(() => stepTo(at), { class: look, "aria-current": current }, name);
}

function listed(move, made) {
  const current = made?.n === move.to && made.move === move.name ? "true" : null;
  const disabled = mayChoose() ? null : "";
  return item(() => choose(move), { disabled, "aria-current": current, "data-move": move.number }, nameOf(move));
}

/** The numbers of the puzzles, grouped by difficulty. */
function levels() {
  return [...new Set(data.tasks.map(([, level]) => level))].flatMap((level) => [
    element("p", { class: "tag" }, `Difficulty ${level}`),
    element("ol", {}, ...data.tasks.flatMap((task, n) => (task[1] === level ? [numberOf(n)] : []))),
  ]);
}

function numberOf(n) {
  const result = puzzle.results.get(n);
  const label = `puzzle ${n + 1}${result ? `, ${SAID[result]}` : ""}`;
  const current = n === puzzle.at ? "true" : null;
  const words = `${n + 1}${result ? ` ${SIGNS[result]}` : ""}`;
  return item(() => goTo(n), { "aria-label": label, "aria-current": current }, words);
}

/** The index of the puzzle whose number is in the address; that of the first puzzle if there is none. */
const named = () => Math.min(Math.max(1, Number.parseInt(location.hash.slice(1), 10) || 1), data.roots) - 1;

showPage();
by("previous").addEventListener("click", () => goTo(puzzle.at - 1));
by("next").addEventListener("click", () => goTo(puzzle.at + 1));
by("back").addEventListener("click", () => stepTo(puzzle.shown - 1));
by("forward").addEventListener("click", () => stepTo(puzzle.shown + 1));
by("again").addEventListener("click", tryAgain);
by("on").addEventListener("click", playOn);
by("show").addEventListener("click", showAnswer);
window.addEventListener("hashchange", () => goTo(named()));
goTo(named());
