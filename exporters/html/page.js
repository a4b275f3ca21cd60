// What the page does: it shows where play stands, takes moves, answers them, and follows the address.

import { data, position } from "./data.js";
import { by, element } from "./elements.js";
import { boardOf, chip } from "./board.js";
import { find } from "./finder.js";
import { focusAgain, whereTheFocusIs } from "./focus.js";
import { Line } from "./line.js";
import { showPlace } from "./place.js";
import { plain, player, ranked, situation, worth } from "./words.js";

const THINKING = 450; // milliseconds before an answer, so that one sees what it answers

const play = { line: new Line(0), sides: new Set(), start: 0, waiting: null };

const linkTo = (n) => `#p=${encodeURIComponent(data.positions[n][0])}`;

const valuesShown = () => by("values").checked;

/** Make a move in the game, as a person does; whoever the page plays answers. */
function choose(move) {
  if (play.waiting !== null) return;
  const said = `${player(position(play.line.here).mover)} plays ${plain(move.name)}.`;
  play.line.play(move);
  location.hash = linkTo(play.line.here);
  show(said);
  answerLater(said);
}

/** Let the page move, a little later, as long as a side is to move that it plays. */
function answerLater(said) {
  const here = position(play.line.here);
  if (!here.moves.length || play.sides.has(here.mover)) return;
  play.waiting = setTimeout(() => {
    play.waiting = null;
    answer(said);
  }, THINKING);
  by("board").setAttribute("aria-busy", "true");
}

/** Let the page move now: the plan's or the best move, and for who plays against a plan what is hardest. */
function answer(said = "") {
  const here = position(play.line.here);
  const move = here.moves.find((each) => each.best) ?? hardest(here);
  play.line.play(move);
  location.replace(linkTo(play.line.here)); // going back leads to where a person was to move
  const all = `${said} ${player(here.mover)} plays ${plain(move.name)}.`.trim();
  show(all);
  answerLater(all);
}

/** The reply by which the plan's owner gets least, or has to wait longest. */
const hardest = (here) =>
  here.moves.reduce((most, move) => {
    const [a, b] = [worth(here, most), worth(here, move)];
    return b.gain > a.gain || (b.gain === a.gain && (b.plies ?? Infinity) > (a.plies ?? Infinity)) ? move : most;
  });

/** Go to a place in the line of play. */
function stepTo(at) {
  pause();
  play.line.at = at;
  location.hash = linkTo(play.line.here);
  show("");
}

/** Go to position `n` from wherever play is. */
function goTo(n) {
  pause();
  if (n === play.line.here) return show("");
  const at = play.line.find(n);
  if (at < 0) play.line = new Line(n);
  else play.line.at = at;
  show("");
}

/** Let the page not move by itself now: the person does something else. */
function pause() {
  clearTimeout(play.waiting);
  play.waiting = null;
  by("board").removeAttribute("aria-busy");
}

function newGame() {
  pause();
  play.line = new Line(play.start);
  location.hash = linkTo(play.start);
  show("A new game.");
  answerLater("A new game.");
}

/** What is to be said where a position occurs again. */
function repeated() {
  const times = play.line.times;
  return times > 1 ? `This position has occurred ${times} times in this game.` : "";
}

/** Show where play stands, after what was `said`. What had the focus has it again. */
function show(said) {
  const focused = whereTheFocusIs();
  const here = position(play.line.here);
  by("board").removeAttribute("aria-busy");
  by("standing").textContent = situation(here, valuesShown());
  by("said").textContent = [said, repeated()].join(" ").trim();
  by("board").replaceChildren(boardOf(here, play.line.before, valuesShown(), clicked));
  showMoves(here);
  showPlace(play.line, stepTo);
  by("position").value = plain(here.text);
  by("refusal").textContent = "";
  by("undo").disabled = !play.line.at;
  by("redo").disabled = play.line.at === play.line.steps.length - 1;
  by("reply").hidden = !here.moves.length || play.sides.has(here.mover);
  by("reply").textContent = `Let ${player(here.mover)} move`;
  focusAgain(focused);
}

/** A cell was clicked that these moves fill. */
function clicked(moves) {
  if (moves.length === 1) return choose(moves[0]);
  return by("moves").querySelector(`[data-move="${moves[0].number}"]`)?.focus();
}

function showMoves(here) {
  by("none").hidden = here.moves.length > 0;
  by("moves").replaceChildren(
    ...(valuesShown() ? ranked(here) : here.moves).map((move) => {
      const button = element("button", { type: "button", "data-move": move.number });
      button.append(element("bdi", { class: "name" }, plain(move.name)));
      if (valuesShown()) {
        button.append(chip(worth(here, move), move.best, false));
        if (move.best) button.append(element("span", { class: "tag" }, here.mover === data.owner ? "plan" : "best"));
      }
      button.addEventListener("click", () => choose(move));
      return element("li", {}, button);
    }),
  );
}

/** Go where the address says, or say why not. */
function followAddress() {
  const given = location.hash.startsWith("#p=") ? location.hash.slice(3) : null;
  if (given === null) return goTo(play.start);
  let found;
  try {
    found = find(decodeURIComponent(given));
  } catch {
    found = { refusal: "The address does not name a position." };
  }
  if (found.n === undefined) return void (by("refusal").textContent = found.refusal);
  if (found.n !== play.line.here) goTo(found.n);
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

/** The sides that a person can play, each with its words; the one to begin with comes first. */
function sides() {
  const other = data.kind === "plan" ? "against the plan" : "against best play";
  const one = [0, 1].map((side) => ({
    sides: new Set([side]),
    words: side === data.owner ? `${player(side)}, by the plan` : `${player(side)}, ${other}`,
  }));
  const first = data.owner === null ? position(0).mover : 1 - data.owner;
  return [one[first], one[1 - first], { sides: new Set([0, 1]), words: "both sides" }];
}

const MOST_STARTS = 300;

function begin() {
  by("needs").remove();
  by("main").hidden = false;
  const choices = sides();
  by("side").append(...choices.map(({ words }, nth) => element("option", { value: nth }, words)));
  play.sides = choices[0].sides;
  by("side").addEventListener("change", () => {
    pause();
    play.sides = choices[by("side").value].sides;
    show("");
    answerLater("");
  });
  const starts = Math.min(data.roots, MOST_STARTS);
  by("starts").hidden = starts === 1;
  for (let n = 0; n < starts; n += 1) by("start").append(element("option", { value: n }, plain(position(n).text)));
  by("start").addEventListener("change", () => {
    play.start = Number(by("start").value);
    newGame();
  });
  by("values").addEventListener("change", () => show(""));
  by("undo").addEventListener("click", () => stepTo(play.line.turn(-1, play.sides)));
  by("redo").addEventListener("click", () => stepTo(play.line.turn(1, play.sides)));
  by("reply").addEventListener("click", () => play.waiting === null && answer());
  by("new").addEventListener("click", newGame);
  by("copy").addEventListener("click", copyLink);
  by("position").addEventListener("input", pause); // a move would take away what is being typed
  by("jump").addEventListener("submit", (event) => {
    event.preventDefault();
    const found = find(by("position").value);
    if (found.n === undefined) by("refusal").textContent = found.refusal;
    else location.hash = linkTo(found.n);
  });
  window.addEventListener("hashchange", followAddress);
  show("");
  followAddress();
  if (!location.hash) answerLater("");
}

begin();
