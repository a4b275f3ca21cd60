// What the page does: it shows where play stands, takes moves, answers them, and follows the address.

import { atPly, data, position, reach } from "./data.js";
import { boardOf, chip, element } from "./board.js";
import { find } from "./finder.js";
import { Line } from "./line.js";
import { count, plain, player, ranked, situation, worth } from "./words.js";

const THINKING = 450; // milliseconds before an answer, so that one sees what it answers

const by = (id) => document.getElementById(id);

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

function pause() {
  clearTimeout(play.waiting);
  play.waiting = null;
}

function newGame() {
  pause();
  play.line = new Line(play.start);
  location.hash = linkTo(play.start);
  show("A new game.");
  answerLater("A new game.");
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
  showLine(here);
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

function showLine(here) {
  by("line").replaceChildren(
    ...play.line.steps.map((step, at) => {
      const name = at ? plain(step.move) : "start";
      const button = element("button", { type: "button" }, element("bdi", {}, name));
      if (at) button.setAttribute("aria-label", `after ply ${at}, ${name}`);
      if (at === play.line.at) button.setAttribute("aria-current", "step");
      button.addEventListener("click", () => stepTo(at));
      return element("li", { class: at > play.line.at ? "ahead" : "" }, button);
    }),
  );
  by("facts").replaceChildren(...facts(here).map((fact) => element("li", {}, fact)));
}

/** Where in the plan or in the game the position is. */
function facts(here) {
  const { positions, ends } = reach(here.n);
  const after = `${count(positions - 1, "position", "positions")} can follow, ${count(ends, "end", "ends")} among them`;
  const found = [here.moves.length ? after : "An end"];
  if (data.kind === "plan") return [...ofPlan(here), ...found];
  if (here.ply === null) return [`Ply ${play.line.at} of this line of play`, ...found];
  return [`Ply ${here.ply}, one of ${count(atPly(here.ply), "position", "positions")} there`, ...found];
}

function ofPlan(here) {
  const longest = position(0).plies;
  const ply = `Ply ${play.line.at}${longest === null ? "; play can go on for ever" : ` of at most ${longest}`}`;
  if (!here.moves.length) return [ply];
  const owner = player(data.owner);
  if (here.mover === data.owner) return [ply, `The plan's move for ${owner}: ${plain(here.moves[0].name)}`];
  const replies = count(here.moves.length, "reply", "replies");
  return [ply, `${replies} of ${player(here.mover)}, each of which the plan for ${owner} answers`];
}

/** What is to be said where a position occurs again. */
function repeated() {
  const times = play.line.times;
  return times > 1 ? `This position has occurred ${times} times in this game.` : "";
}

/** What the focus is on, so that what takes its place can get it. */
function whereTheFocusIs() {
  const { cell, move } = document.activeElement.dataset;
  if (cell !== undefined) return () => by("board").querySelector(`[data-cell="${cell}"]`);
  if (move !== undefined) return () => by("moves").querySelector("button") ?? by("new");
  if (by("line").contains(document.activeElement)) return () => by("line").querySelector("[aria-current]");
  const { id } = document.activeElement;
  return id ? () => (by(id).disabled || by(id).hidden ? by("new") : by(id)) : () => null;
}

function focusAgain(found) {
  const focused = found();
  if (!focused || focused === document.activeElement) return;
  if (focused.dataset.cell !== undefined) {
    for (const each of by("board").querySelectorAll('[tabindex="0"]')) each.tabIndex = -1;
    focused.tabIndex = 0;
  }
  focused.focus({ preventScroll: true });
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
