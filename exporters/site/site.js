// Perfect play from the plain files of a site, in a page and in Node. It gives the entry of a position as
// `perfectplay query` does, and as rows for the page. A site stores integer states, with printed rules and tables of
// texts, or rows of texts.

import { Late } from "./late.js";

const PLANES = 256; // how many labels a byte can number

const sign = (mover) => (mover === 0 ? 1 : -1);
const outcome = (value, mover) => ["loss", "draw", "win"][1 + Math.sign(sign(mover) * value)];
const unpacked = async (bytes) =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
const asText = (bytes) => new TextDecoder().decode(bytes);

/** A refusal, with the code that `perfectplay query` uses for it. */
class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const unreadable = (text, about) =>
  new Refusal("unreadable-position", `cannot read the position '${text}': it should be like '${about.start}'`);
const unknown = (text, about) => {
  const starts = `${about.starts.toLocaleString("en")} ${about.folded ? "classes of starts" : "starts"}`;
  const begins = about.starts === 1 ? `'${about.start}'` : `any of its ${starts}`;
  return new Refusal("unknown-position", `the position '${text}' is not in this site: play from ${begins} cannot reach it`);
};
const notWritten = (text, about) =>
  new Refusal("unknown-position", `this site does not know the position '${text}', only those that it writes, like '${about.start}'`);

/** Binary search in an ascending list: the last index for which `isAfter` is false; -1 if there is none. */
function placeOf(isAfter, count) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(middle)) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/** The blocks, found by their first entries. The latest blocks are cached. */
class Blocks {
  constructor(about, read, decode) {
    Object.assign(this, { about, read, decode, cache: new Map() });
  }

  /** The last block whose first entry `isAfter` rejects, with that entry; undefined if there is none. */
  async find(isAfter) {
    const page = placeOf((nth) => isAfter(this.about.pages[nth]), this.about.pages.length);
    if (page < 0) return undefined;
    const firsts = await this.keep(`pages/${String(page).padStart(3, "0")}.bin`, (bytes) => JSON.parse(asText(bytes)));
    const nth = placeOf((at) => isAfter(firsts[at]), firsts.length);
    const block = await this.keep(`blocks/${String(1000 * page + nth).padStart(5, "0")}.bin`, this.decode);
    return { first: firsts[nth], block };
  }

  keep(name, decode) {
    const known = this.cache.get(name) ?? this.read(name).then(unpacked).then((buffer) => decode(new Uint8Array(buffer)));
    this.cache.delete(name);
    this.cache.set(name, known);
    if (this.cache.size > 100) this.cache.delete(this.cache.keys().next().value);
    known.catch(() => this.cache.delete(name));
    return known;
  }
}

/** The states of a block, and their labels by number. */
function statesOf(bytes, width) {
  const [keys, labels] = [[], []];
  let at = 0;
  const number = () => {
    let [low, scale] = [0, 1];
    for (; scale < 2 ** 49; scale *= 128) {
      const byte = bytes[at++];
      low += (byte & 127) * scale;
      if (byte < 128) return BigInt(low);
    }
    let [all, shift] = [BigInt(low), 49n];
    for (;;) {
      const byte = bytes[at++];
      all |= BigInt(byte & 127) << shift;
      if (byte < 128) return all;
      shift += 7n;
    }
  };
  while (at < bytes.length) {
    const count = Number(number());
    let key = 0n;
    for (let nth = 0; nth < count; nth += 1) keys.push((key += number()));
    for (let nth = 0; nth < count; nth += 1) labels.push(bytes[at + nth] + (width > 1 ? 256 * bytes[at + count + nth] : 0));
    at += width * count;
  }
  return { keys: BigInt64Array.from(keys), labels };
}

/** A game of integer states, with the rules in rules.js and tables of texts. */
class States {
  constructor(about, read, rules) {
    const width = about.labels.length > PLANES ? 2 : 1;
    Object.assign(this, { about, rules, blocks: new Blocks(about, read, (bytes) => statesOf(bytes, width)) });
    this.late = about.back ? new Late(about, rules, (state) => this.folded(state)[0]) : null;
    for (const table of [about.text, about.picture])
      for (const group of table?.groups ?? []) group.bits = group.bits.map(BigInt);
    const symbols = new Set(this.drawn ? [about.picture.blank, ...tablesOf(about.picture)].flat() : []);
    this.codes = new Map([...symbols].filter((symbol) => typeof symbol === "string").map((mark, nth) => [mark, codeOf(nth)]));
    this.marks = Object.fromEntries([...this.codes].map(([mark, code]) => [code, mark]));
  }

  get drawn() {
    return Boolean(this.about.picture?.rows);
  }

  /** The canonical state of a state, and the factor of its value: -1 if the players are exchanged, else 1. */
  folded(state) {
    const { symmetries, exchanged, to_move } = this.rules;
    const turned = this.about.fold > 1 && to_move(state) !== 0n;
    const own = turned ? exchanged(state) : state;
    const images = this.about.fold ? symmetries.map((image) => image(own)) : [];
    return [images.reduce((least, image) => (image < least ? image : least), own), turned ? -1 : 1];
  }

  /** Whether a symmetry takes the canonical state back to this one: if none does, this is no state of the game. */
  isOfItsClass(state) {
    const [key, sign] = this.folded(state);
    const images = [key, ...(this.about.fold ? this.rules.symmetries.map((image) => image(key)) : [])];
    return images.some((image) => state === (sign > 0 ? image : this.rules.exchanged(image)));
  }

  /** The value and the plies to the end of a state; undefined if the site does not have it. */
  async label(state) {
    if (this.rules.is_terminal(state)) return { value: Number(this.rules.utility(state)), plies: 0, over: true };
    if (this.late?.has(state)) return { ...this.late.label(state), over: false };
    const [key, factor] = this.folded(state);
    const number = await this.stored(key);
    if (number === undefined) return undefined;
    const [value, plies] = this.about.labels[number];
    return { value: factor * value, plies, over: false };
  }

  /** The number of the label of a canonical state; undefined if no block has it. */
  async stored(key) {
    const { block } = (await this.blocks.find((first) => BigInt(first) > key)) ?? {};
    const at = block ? placeOf((nth) => block.keys[nth] > key, block.keys.length) : -1;
    return at < 0 || block.keys[at] !== key ? undefined : block.labels[at];
  }

  /** The label of a state that may be unreachable; undefined if it is, or if no way back to a start is found. */
  async reachedLabel(state) {
    if (!this.isOfItsClass(state)) return undefined;
    const isOver = this.rules.is_terminal(state);
    if (this.about.ends && isOver && (await this.stored(this.folded(state)[0])) === undefined) return undefined;
    const isSearched = this.late && (isOver || this.late.has(state));
    return isSearched && !this.late.isReached(state) ? undefined : this.label(state);
  }

  async node(state) {
    const label = await this.label(state);
    const text = this.text(state);
    if (!label) throw unknown(text, this.about);
    return { ...label, id: state, text, mover: Number(this.rules.to_move(state)), ply: null, picture: this.picture(state) };
  }

  moves({ id }) {
    return this.rules.actions(id).map((action) => [this.about.moves[action], this.rules.result(id, action)]);
  }

  /** The contents of the slots of a state. If the table lacks the state, the site is faulty. */
  slots(table, state) {
    const slots = [...table.blank];
    for (const { bits, table: known } of table.groups) {
      const value = bits.reduce((all, bit, nth) => all + (Number((state >> bit) & 1n) << nth), 0);
      if (!known[value]) throw new Error(`the site does not know how ${state} is written`);
      const [, ...pairs] = known[value];
      for (let at = 0; at < pairs.length; at += 2) slots[pairs[at]] = pairs[at + 1];
    }
    return slots;
  }

  text(state) {
    const { groups, hidden, rest, runs } = this.about.text;
    const given = [...groups.flatMap(({ bits }) => bits), ...hidden.map(BigInt)];
    const other = given.reduce((left, bit) => left & ~(1n << bit), state ^ BigInt(rest));
    if (other) throw new Error(`the site does not know how ${state} is written`);
    const text = this.slots(this.about.text, state).join("");
    return runs ? text.replace(/\.+/g, (dots) => dots.length) : text;
  }

  picture(state) {
    const table = this.about.picture;
    if (!table) return this.text(state).split("\n");
    const slots = this.slots(table, state);
    if (!this.drawn) return slots.join("").split("\n");
    let at = 0;
    return table.rows.map((row) => slots.slice(at, (at += row)).map((mark) => this.codes.get(mark)).join("")).join("/");
  }

  /** The state that a text means. The text may end with the player to move. Rejects with a `Refusal`. */
  async find(text) {
    const { text: table, players } = this.about;
    const read = (...texts) => texts.map((text) => this.shown(this.cells(text))).find((text) => text);
    const plain = this.plain(text);
    const [, board, word] = /^(.*) (\S+)$/.exec(plain) ?? [];
    const whole = read(text, text.trim(), this.parted(plain), this.parted(`${plain} ${table.last ?? ""}`));
    const isNamed = table.named && players.includes(word) && !players.some((name) => board.endsWith(` ${name}`));
    const placed = whole ?? (isNamed ? read(this.parted(board)) : undefined);
    if (!placed) throw unreadable(text, this.about);
    const { shown, flips } = placed;
    const all = flips === null ? [...Array(1 << table.hidden.length).keys()] : [flips];
    const isMeant = (state) => whole || players[this.rules.to_move(state)] === word;
    const states = all.map((bits) => shown | (BigInt(table.rest) ^ bitsOf(bits, table.hidden))).filter(isMeant);
    const labels = await Promise.all(states.map((state) => this.reachedLabel(state)));
    const known = states.filter((_, nth) => labels[nth] && !labels[nth].over);
    const ends = states.filter((_, nth) => labels[nth]?.over);
    const alike = new Set(ends.map((state) => `${this.rules.to_move(state)} ${this.rules.utility(state)}`));
    if (!known.length && alike.size > 1)
      throw new Refusal("unknown-position", `the game is over in '${text}': this site cannot know who would be to move`);
    if (known.length !== 1 && (known.length || !ends.length)) throw unknown(text, this.about);
    return known[0] ?? ends[0];
  }

  /** The slots of a text; undefined if its shape is wrong. */
  cells(text) {
    const { shape, runs } = this.about.text;
    const spelled = runs ? text.replace(/[1-9]/g, (digit) => ".".repeat(digit)) : text;
    const words = spelled.match(/[^ /,\n]+|[ /,\n]/g) ?? [];
    if (shape.some((length, nth) => !words[nth] || (length !== null && [...words[nth]].length !== length))) return undefined;
    return [...shape.flatMap((length, nth) => (length === null ? [words[nth]] : [...words[nth]])), words.slice(shape.length).join("")];
  }

  /** The text in one line, with single spaces, and each character replaced by the one that the game reads it as. */
  plain(text) {
    const { also, fen } = this.about.text;
    const line = text.trim().replace(/\s+/g, " ");
    const letters = [...(fen ? line.replace(/ - -( \S+ \S+)?$/, "") : line)];
    return letters.map((letter) => also[letter] ?? letter).join("");
  }

  /** The text with `/` where the game writes it, if the game also reads boards with `/` elsewhere. */
  parted(text) {
    const { blank, shape, joined } = this.about.text;
    if (!joined) return text;
    let [rest, slot] = [text.replace(/^\S+/, (board) => board.replaceAll("/", "")), 0];
    const words = shape.map((length) => {
      const word = blank[slot] === "/" ? "/" : length === null ? /^\S*/.exec(rest)[0] : rest.slice(0, length);
      rest = word === "/" ? rest : rest.slice(word.length);
      slot += length ?? 1;
      return word;
    });
    return words.join("") + rest;
  }

  /** The bits that the slots show, and which hidden bits they flip; undefined if no state has these slots. */
  shown(cells) {
    if (!cells) return undefined;
    const { blank, groups } = this.about.text;
    const left = cells.map((symbol, slot) => (symbol === blank[slot] ? null : symbol));
    let [shown, flips] = [0n, 0];
    for (const { bits, slots, table } of groups) {
      const fits = ([, ...pairs]) => pairs.every((symbol, at) => at % 2 === 0 || left[pairs[at - 1]] === symbol);
      const alone = ([, ...pairs]) => slots.every((slot) => pairs.includes(slot) || left[slot] === null || this.shared.has(slot));
      const entry = Object.entries(table).find(([, effect]) => fits(effect) && alone(effect));
      if (!entry) return undefined;
      const [value, [flipped, ...pairs]] = entry;
      for (let at = 0; at < pairs.length; at += 2) left[pairs[at]] = null;
      shown |= bits.reduce((state, bit, nth) => state | (BigInt((value >> nth) & 1) << bit), 0n);
      flips = flips === null || flipped === null ? null : flips ^ flipped;
    }
    return left.some((symbol) => symbol !== null) ? undefined : { shown, flips };
  }

  /** The slots that several groups write. */
  get shared() {
    const all = this.about.text.groups.flatMap(({ slots }) => slots);
    return (this.several ??= new Set(all.filter((slot, at) => all.indexOf(slot) !== at)));
  }
}

const tablesOf = (table) => table.groups.flatMap((group) => Object.values(group.table));
const codeOf = (nth) => String.fromCharCode(0x100 + nth);
const bitsOf = (value, bits) => bits.reduce((all, bit, nth) => all | (BigInt((value >> nth) & 1) << BigInt(bit)), 0n);

/** A game whose positions are stored as texts: numbered rows, in the order of their texts. */
class Texts {
  constructor(about, read) {
    const rowsOf = (bytes) => asText(bytes).trimEnd().split("\n").map((line) => JSON.parse(line));
    Object.assign(this, { about, marks: about.marks, blocks: new Blocks(about, read, rowsOf) });
  }

  async node(id) {
    const { first, block } = await this.blocks.find(([number]) => number > id);
    const [text, picture, mover, value, plies, ply, links] = block[id - first[0]];
    return { id, text, picture, mover, value, plies, ply, links, over: !links.length };
  }

  moves({ links }) {
    const places = [...Array(links.length / 2).keys()];
    return places.map((nth) => [this.about.moves[links[2 * nth]], Math.max(links[2 * nth + 1], ~links[2 * nth + 1])]);
  }

  async find(text) {
    for (const asked of this.about.trims ? [text, text.trim()] : [text]) {
      const { first, block } = (await this.blocks.find(([, begins]) => begins > asked)) ?? {};
      const at = block ? block.findIndex(([known]) => known === asked) : -1;
      if (at >= 0) return first[0] + at;
    }
    throw notWritten(text, this.about);
  }
}

/** Answers about one game. */
export class Site {
  constructor(about, game) {
    Object.assign(this, { about, game });
  }

  /** Open a site. `read` takes the name of a file and returns a promise of its bytes. */
  static async open(read) {
    const [content, rules] = await Promise.all([read("site.json"), import("./rules.js")]);
    const about = JSON.parse(asText(content));
    return new Site(about, about.text ? new States(about, read, rules) : new Texts(about, read));
  }

  /** A position with its moves in the order of the rules; rejects with a `Refusal`. */
  async entry(text) {
    this.game.late?.begin();
    const own = await this.game.node(await this.game.find(text));
    const moves = this.game.moves(own).map(async ([name, id]) => {
      const to = await this.game.node(id);
      const isDraw = to.value === 0 && this.about.endless === "draw";
      const plies = to.over ? (isDraw ? null : 1) : to.plies === null ? null : to.plies + 1;
      return { name, to, plies, best: to.value === own.value && plies === own.plies };
    });
    return { ...own, moves: await Promise.all(moves) };
  }

  /** What `query --json` prints for a position, without an evaluation. */
  async answer(text) {
    const { game, parameters, players, scored } = this.about;
    const { text: position, mover, value, plies, moves } = await this.entry(text);
    const listed = best(moves, mover).map(({ name, to, plies: remoteness, best }) => {
      const move = { move: name, position: to.text, outcome: outcome(to.value, mover), remoteness, best };
      return scored ? { ...move, value: to.value } : move;
    });
    return {
      game,
      parameters,
      position,
      to_move: players[mover],
      value,
      outcome: outcome(value, mover),
      remoteness: plies,
      best_move: moves.find((move) => move.best)?.name ?? null,
      moves: listed,
    };
  }

  /** The rows of a position and of the positions after its moves, for the page. */
  async rows(text) {
    const { moves, ...own } = await this.entry(text);
    const numbers = new Map([[own.text, 0]]);
    const rows = [null];
    for (const { to, plies } of best(moves, own.mover)) {
      if (numbers.has(to.text)) continue;
      numbers.set(to.text, rows.length);
      rows.push([to.text, to.picture, to.mover, to.value, to.over ? 0 : plies === null ? null : plies - 1, null, null]);
    }
    const links = moves.flatMap(({ to, best }, nth) => [nth, best ? numbers.get(to.text) : ~numbers.get(to.text)]);
    rows[0] = [own.text, own.picture, own.mover, own.value, own.plies, own.ply, links];
    return { marks: this.game.marks, moves: moves.map(({ name }) => name), positions: rows };
  }
}

/**
 * The moves, best first: wins, the largest and then the soonest first; draws; losses, the smallest and then the latest
 * first. Equal moves stay in the order of the rules.
 */
function best(moves, mover) {
  const rank = ({ to, plies, best }) => {
    const gain = sign(mover) * to.value;
    const last = plies === null ? Infinity : plies;
    return gain === 0 ? [1, 0, !best, 0] : gain > 0 ? [0, -gain, !best, last] : [2, -gain, !best, -last];
  };
  const differ = (a, b) => a.rank.map((difference, at) => difference - b.rank[at]).find((difference) => difference) ?? 0;
  return moves.map((move) => ({ move, rank: rank(move) })).sort(differ).map(({ move }) => move);
}
