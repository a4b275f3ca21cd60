// A small curve: the plies to the end at each step of the line.

import { data, position } from "./data.js";
import { shape } from "./elements.js";

const STEP = 16;
const HEIGHT = 48;

/** The curve, labelled for screen readers; null if fewer than two steps have plies to the end. */
export function curveOf(line) {
  const plies = line.steps.map(({ n }) => position(n).plies);
  const known = plies.filter((left) => left !== null);
  if (known.length < 2) return null;
  const most = Math.max(...known, 1);
  const y = (left) => (HEIGHT - 6 - (left / most) * (HEIGHT - 12)).toFixed(1);
  const dots = plies.map((left, at) => (left === null ? null : dot(line, at, y(left)))).filter(Boolean);
  const d = plies.map((left, at) => (left === null ? "" : `${plies[at - 1] == null ? "M" : "L"}${x(at)} ${y(left)}`));
  const lasting = ({ n }) => position(n).plies ?? (position(n).value || data.kind === "plan" ? "endless" : "draw");
  const said = `Plies to the end, step by step: ${line.steps.map(lasting).join(", ")}`;
  const width = x(plies.length - 1) + 6;
  return shape(
    "svg",
    { class: "curve", role: "img", "aria-label": said, viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT },
    shape("path", { d: d.join("") }),
    ...dots,
  );
}

const x = (at) => 6 + at * STEP;

/** The dot of a step, in the colour of the player who is ahead. */
function dot(line, at, cy) {
  const { value } = position(line.steps[at].n);
  const ahead = value ? `side${value > 0 ? 0 : 1}` : "ink";
  return shape("circle", { class: ahead, cx: x(at), cy, r: at === line.at ? 4.5 : 3 });
}
