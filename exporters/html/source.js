// Where rows come from that the page does not have: a server, whose address data.source is.

import { data, keep } from "./data.js";

const PATIENCE = 60_000; // milliseconds, within which a server answers

/** Ask the server for position `text`; its number, once it and those after its moves are known. */
export async function ask(text) {
  let answer;
  try {
    const url = `${data.source}?position=${encodeURIComponent(text)}`;
    answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    throw new Error("The server cannot be reached.");
  }
  const found = await answer.json().catch(() => ({}));
  if (answer.ok && found.positions) return keep(found);
  throw new Error(found.error?.message ?? `The server's answer cannot be read (status ${answer.status}).`);
}
