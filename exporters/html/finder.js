// Finds positions by their text. The page has no rules to read texts: it asks a server, or compares with known texts.

import { data, numbered } from "./data.js";
import { ask } from "./source.js";
import { count, plain } from "./words.js";

const exactly = (text) => plain(text).trim().replace(/ +/g, " ");

const joined = (text) => exactly(text).replace(/[ /]/g, "");

/**
 * The text without the differences in which people write it: spaces, `/` between rows, and for a character that no
 * position has its other case, or an empty cell for `_` or `-`.
 */
const nearly = (text) => [...joined(text)].map(spelled).join("");

const spelled = (char) =>
  [char, char.toLowerCase(), char.toUpperCase(), "_-".includes(char) ? "." : ""].find((other) => used.has(other)) ?? char;

const used = new Set(); // the characters of all positions

let index = null;

/** The number `n` of the position that `typed` means, or a `refusal`; a promise of either if the server is asked. */
export function find(typed) {
  if (numbered().has(typed)) return { n: numbered().get(typed) };
  if (data.source === null) return findHere(typed);
  return ask(typed).then(
    (n) => ({ n }),
    (error) => ({ refusal: plain(error.message) }),
  );
}

function findHere(typed) {
  index ??= indexed();
  const text = exactly(typed);
  const numbers = index.exact.get(text) ?? candidates(text);
  if (numbers.length === 1) return { n: numbers[0] };
  const known = (n) => `“${plain(data.positions[n][0])}”`;
  if (numbers.length)
    return { refusal: `“${text}” can be read as ${numbers.slice(0, 3).map(known).join(" or ")}: type it exactly.` };
  const here = data.kind === "plan" ? "does not arise by this plan" : "does not arise in this game";
  const all = count(data.positions.length, "position", "positions");
  return { refusal: `“${text}” ${here}, which has ${all} such as ${known(0)}.` };
}

/** The numbers of the positions that `text` may mean, read as a whole, without its last word, or as a board alone. */
function candidates(text) {
  const whole = index.whole.get(nearly(text));
  if (whole) return whole;
  const { board, mover } = split(text);
  const same = mover === null ? [] : index.whole.get(nearly(board)) ?? index.boards.get(nearly(board)) ?? [];
  const moving = same.filter((n) => data.positions[n][2] === mover);
  return moving.length ? moving : mover === null ? index.boards.get(nearly(text)) ?? [] : [];
}

function indexed() {
  const texts = { exact: new Map(), whole: new Map(), boards: new Map() };
  const add = (map, key, n) => (map.has(key) ? map.get(key).push(n) : map.set(key, [n]));
  data.positions.forEach(([text], n) => {
    for (const char of text) used.add(char);
    add(texts.exact, exactly(text), n);
    add(texts.whole, joined(text), n);
    const { board, mover } = split(exactly(text));
    if (mover !== null) add(texts.boards, joined(board), n);
  });
  return texts;
}

/** Split a text whose last word names a player into the board and that player; otherwise `mover` is null. */
function split(text) {
  const [, board, word] = /^(.*) ([^ ]*)$/.exec(text) ?? [null, text, ""];
  const mover = data.players.findIndex((name) => plain(name).toLowerCase() === word.toLowerCase());
  return mover < 0 ? { board: text, mover: null } : { board, mover };
}
