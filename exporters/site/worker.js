// What source.js of the page asks: a message with a position is answered, at its port, by rows or by a message that says why not.

import { Site } from "./site.js";
import "./late.js"; // which site.js imports: so both are fetched at once

async function fetched(name) {
  const answer = await fetch(new URL(name, import.meta.url)).catch(() => ({ status: "none" }));
  if (!answer.ok) throw new Error(`The file ${name} cannot be fetched (status ${answer.status}).`);
  return new Uint8Array(await answer.arrayBuffer());
}

let opened = null;

onmessage = async ({ data: text, ports: [port] }) => {
  opened ??= Site.open(fetched);
  opened.catch(() => (opened = null));
  const found = opened.then((site) => site.rows(text)).then((rows) => ({ rows }));
  port.postMessage(await found.catch(({ message }) => ({ message })));
};
