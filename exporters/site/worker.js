// Answers source.js of the page. A message is the text of a position; the reply on its port is rows or an error.

async function fetched(name) {
  const answer = await fetch(new URL(name, import.meta.url)).catch(() => ({ status: "none" }));
  if (!answer.ok) throw new Error(`The file ${name} cannot be fetched (status ${answer.status}).`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Open the site. Request all files that the first answer needs at once, so that their latencies do not add up. */
async function open() {
  const about = fetched("site.json");
  about.catch(() => {});
  const modules = ["./site.js", "./late.js", "./rules.js"].map((name) => import(name));
  const [{ Site }] = await Promise.all(modules).catch(() => {
    throw new Error("The server cannot be reached.");
  });
  return Site.open((name) => (name === "site.json" ? about : fetched(name)));
}

let opened = open();
opened.catch(() => (opened = null));

onmessage = async ({ data: text, ports: [port] }) => {
  opened ??= open();
  opened.catch(() => (opened = null));
  const answer = opened.then((site) => site.rows(text)).then((rows) => ({ rows }));
  port.postMessage(await answer.catch(({ message }) => ({ message })));
};
