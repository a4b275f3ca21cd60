// The page: it shows the current position, makes and answers moves, and follows the address.

import { data, position } from "./data.js";
import { by, element } from "./elements.js";
import { boardOf, keyOfChips } from "./board.js";
import { find } from "./finder.js";
import { focusAgain, whereTheFocusIs } from "./focus.js";
import { Line } from "./line.js";
import { showPage } from "./marks.js";
import { showMoves } from "./moves.js";
import { showPlace } from "./place.js";
import { replyIn, sides } from "./sides.js";
import { ask } from "./source.js";
import { stopWaiting, waitFor } from "./waiting.js";
import { plain, player, situation } from "./words.js";

const THINKING = 450; // milliseconds before the page answers, so that one sees the move first

const play = {
  line: new Line(0),
  sides: new Set(), // the sides that the person plays
  start: 0, // the position in which new games begin
  waiting: null, // the timer of an answer
  said: "",
  picked: [], // the cells clicked so far
  typing: false,
};

const linkTo = (n) => `#p=${encodeURIComponent(position(n).text)}${valuesShown() ? "" : "&answers=hidden"}`;

const valuesShown = () => by("values").checked;

/** Make a move of the person; the page answers if it plays the side to move. */
function choose(move) {
  const here = position(play.line.here);
  if (play.waiting !== null || !here.moves) return;
  const said = `${player(here.mover)} plays ${plain(move.name)}.`;
  play.line.play(move);
  location.hash = linkTo(play.line.here);
  show(said, answerLater);
}

/** Have the page move after a pause, if it plays the side to move and its own play has not repeated a position. */
function answerLater(said) {
  const here = position(play.line.here);
  if (here.over || play.sides.has(here.mover) || play.line.circles(play.sides)) return;
  play.waiting = setTimeout(() => {
    play.waiting = null;
    answer(said);
  }, THINKING);
  by("board").setAttribute("aria-busy", "true");
}

/** Have the page move now. */
function answer(said = "") {
  const here = position(play.line.here);
  if (!here.moves?.length) return;
  const move = replyIn(here);
  play.line.play(move);
  location.replace(linkTo(play.line.here)); // going back leads to where a person was to move
  show(`${said} ${player(here.mover)} plays ${plain(move.name)}.`.trim(), answerLater);
}

/** Go to a step of the line of play. */
function stepTo(at) {
  pause();
  play.line.at = at;
  location.hash = linkTo(play.line.here);
  show("");
}

/** Go to position `n`: a step of the line if it has the position, else a new line. */
function goTo(n) {
  pause();
  if (n === play.line.here) return show("");
  const at = play.line.find(n);
  if (at < 0) play.line = new Line(n);
  else play.line.at = at;
  show("");
}

/** Cancel the page's pending move, because the person does something else. */
function pause() {
  clearTimeout(play.waiting);
  play.waiting = null;
  by("board").removeAttribute("aria-busy");
}

function newGame() {
  pause();
  play.line = new Line(play.start);
  location.hash = linkTo(play.start);
  show("A new game.", answerLater);
}

/** A note if the current position has occurred before. */
function repeated() {
  const times = play.line.times;
  return times > 1 ? `This position has occurred ${times} times in this game.` : "";
}

/** Show the current position, with the message `said`, once its moves are known; then call `goOn(said)`. */
function show(said, goOn = () => {}) {
  stopWaiting();
  play.typing = false;
  by("refusal").textContent = "";
  by("undo").disabled = !play.line.at;
  by("redo").disabled = play.line.at === play.line.steps.length - 1;
  const end = () => {
    render(said);
    goOn(said);
  };
  const { text, moves } = position(play.line.here);
  if (moves) end();
  else waitFor("shown", ask(text), end, () => show(said, goOn));
}

/** Render the current position, whose moves are known, and restore the focus. */
function render(said) {
  const focused = whereTheFocusIs();
  const here = position(play.line.here);
  play.said = said;
  play.picked = [];
  by("board").removeAttribute("aria-busy");
  by("answer").hidden = !valuesShown();
  by("unit").replaceChildren(...(valuesShown() && here.board ? [keyOfChips()] : []));
  by("ranks").hidden = !valuesShown() || data.kind === "plan" || (data.source !== null && !data.ranking);
  by("standing").textContent = situation(here, valuesShown());
  by("said").textContent = [said, repeated()].join(" ").trim();
  showBoard();
  showMoves(here, valuesShown(), choose);
  showPlace(play.line, valuesShown(), stepTo);
  if (!play.typing) by("position").value = plain(here.text);
  by("reply").hidden = here.over || play.sides.has(here.mover);
  by("reply").textContent = `Let ${player(here.mover)} move`;
  focusAgain(focused);
}

function showBoard() {
  const here = position(play.line.here);
  by("board").replaceChildren(boardOf(here, play.line.before, play.picked, valuesShown(), clicked));
}

/** Handle a click on a cell: it completes a move, begins some, or completes several that look alike. */
function clicked({ picked, made, longer }) {
  if (play.waiting !== null || !position(play.line.here).moves) return;
  if (!longer.length && made.length === 1) return choose(made[0]);
  pick(longer.length ? picked : []);
  if (made.length > 1) by("moves").querySelector(`[data-move="${made[0].number}"]`)?.focus();
}

/** Show which cells are picked. */
function pick(cells) {
  const focused = whereTheFocusIs();
  play.picked = cells;
  by("said").textContent = cells.length ? "Now choose where it goes." : play.said;
  showBoard();
  focusAgain(focused);
}

/** Handle a key: a digit makes the move with this name, Escape clears the picked cells. */
function typed(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("#position, select")) return;
  if (event.key === "Escape" && play.picked.length) pick([]);
  const move = /^\d$/.test(event.key) && position(play.line.here).moves?.find(({ name }) => String(name) === event.key);
  if (move) choose(move);
}

/** Go to the position in the address, or say why not; `answers=hidden` in the address hides the values. */
function followAddress() {
  if (!play.typing) by("refusal").textContent = ""; // that of another address
  const parts = location.hash.slice(1).split("&");
  const given = parts.find((part) => part.startsWith("p="))?.slice(2);
  if (parts.includes("answers=hidden") && valuesShown()) {
    by("values").checked = false;
    show("");
  }
  if (given === undefined) return goTo(0); // as when the page was loaded
  try {
    seek(decodeURIComponent(given), (n) => n !== play.line.here && goTo(n));
  } catch {
    by("refusal").textContent = "The address does not name a position.";
  }
}

/** Find the position `named` and call `goOn` with its number, or say why there is none. */
function seek(named, goOn) {
  const end = ({ n, refusal }) => {
    if (n === undefined) by("refusal").textContent = refusal;
    else goOn(n);
  };
  const place = find(named);
  if (!(place instanceof Promise)) return end(place);
  waitFor("typed", place, (result) => {
    by("said").textContent = "";
    by("board").removeAttribute("aria-busy");
    end(result);
  });
}

async function copyLink() {
  const link = location.href.split("#")[0] + linkTo(play.line.here);
  try {
    await navigator.clipboard.writeText(link);
    by("said").textContent = "The link to this position is copied.";
  } catch {
    location.hash = linkTo(play.line.here);
    by("said").textContent = "The address of this page is now the link to this position.";
  }
}

const MOST_STARTS = 300;

function begin() {
  showPage();
  const choices = sides();
  by("side").append(...choices.map(({ words }, nth) => element("option", { value: nth }, words)));
  play.sides = choices[0].sides;
  by("side").addEventListener("change", () => {
    pause();
    play.sides = choices[by("side").value].sides;
    show("", answerLater);
  });
  const starts = Math.min(data.roots, MOST_STARTS);
  by("starts").hidden = starts === 1;
  for (let n = 0; n < starts; n += 1) by("start").append(element("option", { value: n }, plain(position(n).text)));
  by("start").addEventListener("change", () => {
    play.start = Number(by("start").value);
    newGame();
  });
  by("values").addEventListener("change", () => {
    location.replace(linkTo(play.line.here));
    show("");
  });
  by("rank").addEventListener("change", () => show(""));
  by("undo").addEventListener("click", () => stepTo(play.line.turn(-1, play.sides)));
  by("redo").addEventListener("click", () => stepTo(play.line.turn(1, play.sides)));
  by("reply").addEventListener("click", () => play.waiting === null && answer());
  by("new").addEventListener("click", newGame);
  by("copy").addEventListener("click", copyLink);
  by("position").addEventListener("input", () => {
    play.typing = true;
    pause(); // a move would take away what is being typed
  });
  by("jump").addEventListener("submit", (event) => {
    event.preventDefault();
    seek(by("position").value, (n) => {
      location.hash = linkTo(n);
      goTo(n); // the address may be the same
    });
  });
  document.addEventListener("keydown", typed);
  window.addEventListener("hashchange", followAddress);
  show("", location.hash ? undefined : answerLater);
  if (location.hash) followAddress();
}

begin();
