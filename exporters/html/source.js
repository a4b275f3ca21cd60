// Fetches rows that the page lacks. data.source is the address of a server, or of a worker that reads a site's files.

import { data, keep } from "./data.js";

const PATIENCE = 60_000; // milliseconds after which a request to a server fails

/** Fetch position `text` and the positions after its moves; resolve to its number. */
export async function ask(text) {
  return keep(await (data.source.endsWith(".js") ? fromFiles(text) : fromServer(text)));
}

let first; // the digest of the database of the first answer

/** The answer of a server, unless its file has been replaced by another database since its first answer. */
export function ofFirst(answer) {
  const digest = answer.headers.get("Database-Digest");
  if (answer.ok && digest !== (first ??= digest)) throw new Error("The file was replaced: load the page again.");
  return answer;
}

async function fromServer(text) {
  let answer;
  try {
    const url = `${data.source}?position=${encodeURIComponent(text)}`;
    answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    throw new Error("The server cannot be reached.");
  }
  const reply = await answer.json().catch(() => ({}));
  if (ofFirst(answer).ok && reply.positions) return reply;
  throw new Error(reply.error?.message ?? `The server's answer cannot be read (status ${answer.status}).`);
}

let worker = null; // answers from the site's files, so that a search does not block the page
let lost = null; // a promise that rejects if the worker cannot be loaded

function beginWorker() {
  const isFile = location.protocol === "file:";
  const missing = new Error(isFile ? "The files of a site need a web host." : "The server cannot be reached.");
  lost = new Promise((_, reject) => {
    try {
      worker = new Worker(new URL(data.source, document.baseURI), { type: "module" });
      worker.onerror = () => reject(missing, (worker = null));
    } catch {
      reject(missing);
    }
  });
  lost.catch(() => {}); // it may reject while no request is waiting
}

async function fromFiles(text) {
  if (!worker) beginWorker();
  const { port1, port2 } = new MessageChannel();
  worker?.postMessage(text, [port2]);
  const answered = new Promise((resolve) => (port1.onmessage = resolve));
  const { data: reply } = await Promise.race([answered, lost]).finally(() => port1.close());
  if (reply.message) throw new Error(reply.message);
  return reply.rows;
}

const { serviceWorker } = navigator; // a page that it answers must not register it again while it may be leaving
if (data.offline && !serviceWorker?.controller) serviceWorker?.register(new URL("offline.js", document.baseURI));
