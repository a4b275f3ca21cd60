/* Checks a certificate: that a player, the owner, gets at least a goal from the start of a game.

     node check.js NAME.rules.js NAME.first                exit status 0: proved

   Why it is a proof. The file has a set of states. A state is good if play is over in it and brings the owner the goal,
   or if it is in the set. For each state of the set this program finds by the rules: if the owner is to move, a move
   to a good state, or to a state of the other player all of whose moves lead to good states; if the other player is to
   move, that all moves lead to good states. The same holds at the start. So by always making such a move the owner
   goes on to good states, whatever the other player does, and where play ends the owner has the goal. If endless play
   would bring less than the goal, each state has a rank, and each of these steps leads to a lower one: so play ends.
   Images of states under symmetries that the file uses are in the set, and are checked like the rest: nothing has to be
   proved about symmetries. */
"use strict";
const { resolve } = require("path");
const { readFileSync } = require("fs");
const rules = require(resolve(process.argv[2]));
const data = require("zlib").gunzipSync(readFileSync(process.argv[3]));

const refuse = (why) => {
  console.log(`refused: ${why}`);
  process.exit(1);
};
const end = data.indexOf("\n\n");
const [title, ...lines] = data.toString("utf8", 0, end).split("\n");
const facts = Object.fromEntries(lines.map((line) => [line.split(" ", 1)[0], line.slice(line.indexOf(" ") + 1)]));
const [owner, goal, endless] = ["owner", "goal", "endless"].map((name) => BigInt(facts[name]));
const maps = facts.symmetries === "0" ? [] : rules.symmetries;
if (Number(facts.symmetries) !== maps.length) refuse("its symmetries are others than those of the rules");
const ranked = facts.ranks === "1";
if (title !== "perfectplay certificate 1" || facts.texts !== "0") refuse("its header");
if (!ranked && goal > (owner ? -endless : endless)) refuse("it needs ranks");

let at = end + 2;
function leb128() {
  for (let number = 0n, shift = 0n; ; shift += 7n) {
    if (at >= data.length) refuse("the file ends early");
    const byte = data[at++];
    number |= BigInt(byte & 127) << shift;
    if (byte < 128) return number;
  }
}
const states = new Map();
let last = 0n;
let listed = 0;
for (; at < data.length; listed++) {
  const difference = leb128();
  if (listed && !difference) refuse("states are not in order");
  last += difference;
  const rank = ranked ? leb128() : 0n;
  for (const s of [last, ...maps.map((map) => map(last))])
    if (!states.has(s) || rank < states.get(s)) states.set(s, rank);
}
if (listed !== Number(facts.count)) refuse("another number of states than it says");

const endsWell = (s) => (owner ? -rules.utility(s) : rules.utility(s)) >= goal;
const isOver = (s) => Boolean(rules.is_terminal(s));
const isTheirs = (s) => !isOver(s) && rules.to_move(s) !== owner;
const after = (s) => rules.actions(s).map((a) => rules.result(s, a));
const good = (s, rank) => {
  const own = states.get(s);
  return (own !== undefined && (!ranked || rank === null || own < rank)) || (isOver(s) && endsWell(s));
};
const answered = (s, rank) => {
  if (!isTheirs(s)) return false;
  const next = after(s);
  return next.length > 0 && next.every((t) => good(t, rank));
};
const right = (s, rank) => {
  if (isOver(s)) return endsWell(s);
  if (isTheirs(s)) return answered(s, rank);
  return after(s).some((t) => good(t, rank) || answered(t, rank));
};
for (const [state, rank] of states) if (!right(state, rank)) refuse(`state ${state}`);
const start = BigInt(facts.start);
if (!good(start, null) && !answered(start, null)) refuse("its start");
const who = owner ? "second" : "first";
console.log(`proved by ${facts.count} states: from ${start} the ${who} player gets at least ${goal}`);
