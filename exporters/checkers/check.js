/* Checks a certificate: that a player, the owner, can get at least a goal from the start of a game.

     node check.js NAME.rules.js NAME.first       exit status 0: proved

   Why it is a proof. A state is good if it is in the file's set, or terminal with at least the goal for the
   owner. It is answered if the other player is to move, has a move, and every move leads to a good state. By
   the rules, each state of the set is terminal with the goal, or answered, or has an owner's move to a good
   or answered state; the start is good or answered. So the owner can make play return to good states, within
   two plies each time, and has the goal where play ends. If endless play is worth less, states have ranks,
   and each return lowers the rank or ends play: so play ends. Images under symmetries are checked, too. */
"use strict";
const { resolve } = require("path");
const { readFileSync } = require("fs");
const { gunzipSync } = require("zlib");
const rules = require(resolve(process.argv[2]));

const refuse = (why) => {
  console.log(`refused: ${why}`);
  process.exit(1);
};
process.on("uncaughtException", (error) => refuse(error));
const data = gunzipSync(readFileSync(process.argv[3]));
const end = data.indexOf("\n\n");
const whole = "(0|[1-9][0-9]*)", number = "(0|-?[1-9][0-9]*)";
const names = ["game", "parameters", "rules", "play"].map((name) => `${name} [^\n]+\n`).join("");
const numbers = `start ${whole}\nowner ([01])\ngoal ${number}\nendless (-1|0|1)\nsymmetries ${number}\n`;
const form = `^perfectplay certificate 1\n${names}${numbers}ranks ([01])\ntexts 0\ncount ${whole}$`;
const facts = data.toString("utf8", 0, end).match(form) ?? refuse("its header");
const [, start, owner, goal, endless, symmetries, ranked, count] = facts;
const sign = owner === "1" ? -1n : 1n;
const mustEnd = BigInt(goal) > sign * BigInt(endless);
const maps = symmetries === "0" ? [] : rules.symmetries;
if (maps.length !== Number(symmetries) || (mustEnd && ranked === "0")) refuse("its symmetries, or ranks");
if (BigInt(start) >= 1n << 63n) refuse("its start");

let at = end + 2;
function leb128() {
  for (let number = 0n, shift = 0n; ; shift += 7n) {
    if (at >= data.length || shift > 56n) refuse("the file ends early, or has a number of over 63 bits");
    const byte = data[at++];
    number |= BigInt(byte & 127) << shift;
    if (byte < 128) return number;
  }
}
const ranks = new Map();
let state = 0n;
for (let n = 0; n < Number(count); n++) {
  const step = leb128();
  state += step;
  if ((n > 0 && step === 0n) || state >= 1n << 63n) refuse("states that do not ascend below 2**63");
  const rank = ranked === "1" ? leb128() : 0n;
  for (const s of [state, ...maps.map((map) => map(state))])
    if (!ranks.has(s) || rank < ranks.get(s)) ranks.set(s, rank);
}
if (at !== data.length) refuse("more than is announced");

// moved: 0 for a state of the set, 1 after a move of the owner, 2 after a reply; bound: null for any rank
function holds(s, bound, moved) {
  if (moved && ranks.has(s) && (bound === null || ranks.get(s) < bound)) return true;
  if (rules.is_terminal(s)) return sign * rules.utility(s) >= BigInt(goal);
  const mine = rules.to_move(s) === BigInt(owner);
  if (moved === 2 || (moved === 1 && mine)) return false;
  const after = rules.actions(s).map((a) => rules.result(s, a));
  if (mine) return after.some((t) => holds(t, bound, 1));
  return after.length > 0 && after.every((t) => holds(t, bound, 2));
}
for (const [s, rank] of ranks) if (!holds(s, mustEnd ? rank : null, 0)) refuse(`state ${s}`);
if (!holds(BigInt(start), null, 1)) refuse("its start");
const who = owner === "1" ? "second" : "first", many = `${count} state${count === "1" ? "" : "s"}`;
const loops = endless === "0" ? "" : ` (${endless === "1" ? "first" : "second"} wins endless play)`;
console.log(`proved by ${many}: from ${start} the ${who} player gets at least ${goal}${loops}`);
