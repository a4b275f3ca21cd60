// Annotated games: one at a time, move by move, with the value of each position and a better line for each mistake.

import { boardOf, chip, nameOf } from "./board.js";
import { data, position } from "./data.js";
import { by, element, item, shape } from "./elements.js";
import { focusAgain, scrollToCurrent, whereTheFocusIs } from "./focus.js";
import { showPage } from "./marks.js";
import { stepBy } from "./stepping.js";
import { inWords, outcome, plain, player, ranked, situation, worth } from "./words.js";

const GOOD = ["!", "!?"];

const place = {
  game: 0, // the number of the game
  ply: 0, // how many moves of the game have been made
  aside: null, // the variation shown: { steps: [name, position] each, at: its latest move, from: where it begins }
};

const game = () => data.games[place.game];

const lastPly = () => game().moves.length;

/** Go to a ply of a game, and make the address link to it. */
function goTo(number, ply) {
  place.game = Math.min(Math.max(number, 0), data.games.length - 1);
  Object.assign(place, { ply: Math.min(Math.max(ply, 0), lastPly()), aside: null });
  history.replaceState(null, "", `#game=${place.game + 1}&ply=${place.ply}`);
  render();
}

/** The numbers of the position shown and of the position before it. */
function shown() {
  const path = game().path;
  if (!place.aside) return { n: path[place.ply], before: path[place.ply - 1] ?? null };
  const { steps, at, from } = place.aside;
  return { n: steps[at][1], before: at ? steps[at - 1][1] : from };
}

function step(plies) {
  const { aside } = place;
  if (!aside) return goTo(place.game, place.ply + plies);
  if (aside.at + plies < 0) return goTo(place.game, place.ply);
  aside.at = Math.min(aside.at + plies, aside.steps.length - 1);
  render();
}

/** Show a variation, moves that were not played, from position `from` to the move with index `at`. */
function turnAside(steps, at, from) {
  place.aside = { steps, at, from };
  render();
}

/** Make a move: the move that was played continues the game, any other a variation. */
function choose(move) {
  const played = !place.aside && game().moves[place.ply]?.at === move.number;
  if (played) return goTo(place.game, place.ply + 1);
  const made = place.aside?.steps.slice(0, place.aside.at + 1) ?? [];
  turnAside([...made, [move.name, move.to]], made.length, place.aside?.from ?? shown().n);
}

/** Handle a click on a cell: it completes a move, begins some, or completes several that look alike. */
function clicked({ picked, made, longer }) {
  if (!longer.length && made.length === 1) return choose(made[0]);
  render(longer.length ? picked : []);
  if (made.length > 1) by("moves").querySelector(`[data-move="${made[0].number}"]`)?.focus();
}

/** Render the current place, with the cells picked so far, and restore the focus. */
function render(picked = []) {
  const focused = whereTheFocusIs(() => (by("next").disabled ? by("previous") : by("next")));
  const { n, before } = shown();
  const here = position(n);
  const valuesShown = by("values").checked;
  by("game").value = place.game;
  by("standing").textContent = standing(here);
  by("said").textContent = said();
  by("board").replaceChildren(boardOf(here, before, picked, valuesShown, clicked));
  by("moves").replaceChildren(...(here.moves ? ranked(here) : []).map((move) => listed(here, move)));
  by("moves").parentElement.hidden = !here.moves?.length;
  by("line").replaceChildren(...game().moves.map((_, at) => moveOf(at + 1)));
  scrollToCurrent(by("line"));
  scrollToCurrent(by("moves"));
  by("curve").replaceChildren(...curve());
  by("first").disabled = by("previous").disabled = !place.ply && !place.aside;
  by("last").disabled = by("next").disabled = place.aside
    ? place.aside.at === place.aside.steps.length - 1
    : place.ply === lastPly();
  const move = game().moves[place.ply - 1];
  by("better").hidden = !move?.line.length;
  if (move?.line.length) showBetter(move);
  by("accuracy").replaceChildren(...[...game().accuracy, ...data.total].map((line) => element("li", {}, plain(line))));
  focusAgain(focused);
}

/** The last move in words, with its sign, or the moves of the variation. */
function standing(here) {
  if (place.aside) return `Not played: ${place.aside.steps.slice(0, place.aside.at + 1).map(([name]) => plain(name)).join(", ")}`;
  if (!place.ply) return situation(here, true);
  const before = position(game().path[place.ply - 1]);
  const { at, sign } = game().moves[place.ply - 1];
  return `${place.ply}. ${player(before.mover)} plays ${plain(before.moves[at].name)} ${sign}`.trim();
}

/** What the sign of the last move means, and how play stands or how the game ended. */
function said() {
  if (!place.ply && !place.aside) return "";
  const here = position(shown().n);
  const stands = situation(here, true);
  if (place.aside) return stands;
  const { sign, had } = game().moves[place.ply - 1];
  const why = !sign ? "" : sign.startsWith("?") && sign !== "?!" ? `It was a ${had}. ` : `It ${data.signs[sign]}. `;
  return why + (place.ply === lastPly() && !here.over ? plain(game().end) : stands);
}

function showBetter({ had, line }) {
  const from = game().path[place.ply - 1];
  by("had").textContent = had;
  by("instead").replaceChildren(
    ...line.map(([name], at) => {
      const current = place.aside?.steps === line && place.aside.at === at ? "step" : null;
      return item(() => turnAside(line, at, from), { "aria-current": current }, element("bdi", {}, plain(name)));
    }),
  );
}

function listed(here, move) {
  const played = !place.aside && game().moves[place.ply]?.at === move.number;
  const signs = [chip(worth(here, move), move.best, false)];
  if (played) signs.push(element("span", { class: "tag" }, "played"));
  return item(() => choose(move), { "data-move": move.number }, nameOf(move), ...signs);
}

/** A move of the game with its sign, coloured by its outcome. */
function moveOf(ply) {
  const before = position(game().path[ply - 1]);
  const { at, sign } = game().moves[ply - 1];
  const move = before.moves[at];
  const look = {
    class: outcome(worth(before, move)),
    "aria-label": `ply ${ply}, ${plain(move.name)} ${sign}, ${inWords(worth(before, move))}`,
    "aria-current": ply === place.ply ? "step" : null,
  };
  const parts = [element("span", { class: "tag" }, `${ply}. `), element("bdi", {}, plain(move.name))];
  if (sign) parts.push(element("span", { class: GOOD.includes(sign) ? "mistake good" : "mistake" }, sign));
  return item(() => goTo(place.game, ply), look, ...parts);
}

/** The curve of the values for the first player, with a dot for each move that has a sign; a click goes to that ply. */
function curve() {
  const values = game().path.map((n) => position(n).value);
  const most = Math.max(1, ...values.map(Math.abs));
  const [width, y] = [Math.max(lastPly(), 1), (value) => 10 - (9 * value) / most];
  const names = [0, 1].map((side) => `${player(side)} wins${data.scored ? ` by ${most}` : ""}`);
  const said = `The value, step by step: ${values.map((value) => (value ? player(value > 0 ? 0 : 1) : "draw")).join(", ")}`;
  const dot = ({ sign }, at) =>
    sign ? [shape("path", { class: GOOD.includes(sign) ? "dot good" : "dot", d: `M${at + 1} ${y(values[at + 1])}h0` })] : [];
  const drawn = shape(
    "svg",
    { viewBox: `0 0 ${width} 20`, preserveAspectRatio: "none", role: "img", "aria-label": said },
    ...[most, 0, -most].map((value) => shape("path", { class: "level", d: `M0 ${y(value)}H${width}` })),
    shape("path", { d: values.map((value, at) => `${at ? "L" : "M"}${at} ${y(value)}`).join("") }),
    ...game().moves.flatMap(dot),
    shape("path", { class: "now", d: `M${place.ply} 0V20` }),
  );
  drawn.addEventListener("click", (event) => {
    const box = drawn.getBoundingClientRect();
    goTo(place.game, Math.round(((event.clientX - box.left) / box.width) * width));
  });
  const levels = [names[0], "draw", names[1]].map((name) => element("span", {}, name));
  return [element("div", { "aria-hidden": "true" }, ...levels), drawn];
}

/** Go to the game and ply in the address. */
function followAddress() {
  const named = new URLSearchParams(location.hash.slice(1));
  const number = (key) => Number.parseInt(named.get(key), 10) || 0;
  goTo(number("game") - 1, number("ply"));
}

showPage();
by("which").hidden = data.games.length === 1;
data.games.forEach(({ heading }, n) => by("game").append(element("option", { value: n }, plain(heading))));
by("game").addEventListener("change", () => goTo(Number(by("game").value), 0));
by("values").addEventListener("change", () => render());
stepBy(step, () => goTo(place.game, 0), () => goTo(place.game, lastPly()));
by("signs").append(
  ...Object.entries(data.signs).flatMap(([sign, says]) => [element("dt", {}, sign), element("dd", {}, says)]),
);
window.addEventListener("hashchange", followAddress);
followAddress();
