// Where rows come from that the page does not have: a server, or the files of a site, whose address data.source is.

import { data, keep } from "./data.js";

const PATIENCE = 60_000; // milliseconds, within which a server answers

/** Ask for position `text`; its number, once it and those after its moves are known. */
export async function ask(text) {
  return keep(await (data.source.endsWith(".js") ? fromFiles(text) : fromServer(text)));
}

async function fromServer(text) {
  let answer;
  try {
    const url = `${data.source}?position=${encodeURIComponent(text)}`;
    answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    throw new Error("The server cannot be reached.");
  }
  const found = await answer.json().catch(() => ({}));
  if (answer.ok && found.positions) return found;
  throw new Error(found.error?.message ?? `The server's answer cannot be read (status ${answer.status}).`);
}

async function fromFiles(text) {
  const missing = () => {
    const isFile = location.protocol === "file:";
    throw new Error(isFile ? "The files of a site need a web host." : "The server cannot be reached.");
  };
  const { rows } = await import(new URL(data.source, document.baseURI)).catch(missing);
  return rows(text);
}
