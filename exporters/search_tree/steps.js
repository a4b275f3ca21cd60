// Shows the state of the search after each step.

import { by } from "./elements.js";
import { stepBy } from "./stepping.js";

const { parents, upsideDown, steps } = JSON.parse(by("data").textContent);
const place = by("place");
const byNumber = (selector) =>
  new Map([...document.querySelectorAll(selector)].map((element) => [Number(element.id.slice(1)), element]));
const [nodes, edges, arcs] = ["g.node[id^='n']", "g.edge[id^='e']", "g.edge[id^='a']"].map(byNumber);
const lines = new Map();
let step = 0;

// The lines that change are the last of a label, or the first if the value stands above the name. Centre all of them.
const lengths = new Map();
for (const [number, caption] of steps.flatMap((step) => step[3]))
  lengths.set(number, Math.max(lengths.get(number) ?? 0, caption.length));
for (const [number, node] of nodes) {
  const length = lengths.get(number) ?? 0;
  const all = [...node.querySelectorAll("text")];
  const texts = upsideDown.includes(number) ? all.slice(0, length) : all.slice(all.length - length);
  for (const text of texts) {
    const box = text.getBBox();
    text.setAttribute("x", box.x + box.width / 2);
    text.setAttribute("text-anchor", "middle");
  }
  lines.set(number, texts);
}

function show(number) {
  step = Math.min(Math.max(number, 0), steps.length - 1);
  const captions = new Map();
  const settled = new Set();
  for (const before of steps.slice(0, step + 1)) {
    for (const [node, caption] of before[3]) captions.set(node, caption);
    for (const node of before[4]) settled.add(node);
  }
  const [at, words, window] = steps[step];
  for (const [node, element] of nodes) {
    const seen = captions.has(node);
    element.classList.toggle("unseen", !seen);
    element.classList.toggle("open", seen && !settled.has(node));
    element.classList.toggle("here", node === at);
    lines.get(node).forEach((text, nth) => {
      text.textContent = captions.get(node)?.[nth] ?? "";
    });
    edges.get(node)?.classList.toggle("unseen", !seen);
    arcs.get(node)?.classList.toggle("unseen", !seen);
    edges.get(node)?.classList.toggle("undecided", step < steps.length - 1 && !settled.has(parents[node]));
  }
  nodes.get(at)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  by("said").textContent = words;
  by("window").textContent = window;
  by("count").textContent = `Step ${step + 1} of ${steps.length}`;
  place.value = step;
  by("first").disabled = by("previous").disabled = step === 0;
  by("last").disabled = by("next").disabled = step === steps.length - 1;
}

place.max = steps.length - 1;
place.addEventListener("input", () => show(Number(place.value)));
stepBy((more) => show(step + more), () => show(0), () => show(steps.length - 1));
by("needs").hidden = true;
show(0);
