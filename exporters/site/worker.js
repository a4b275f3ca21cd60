// What source.js of the page asks: a message with a position is answered, at its port, by rows or by a message that says why not.

async function fetched(name) {
  const answer = await fetch(new URL(name, import.meta.url)).catch(() => ({ status: "none" }));
  if (!answer.ok) throw new Error(`The file ${name} cannot be fetched (status ${answer.status}).`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** The site; all that its first answer needs is asked for at once, as each answer of a host takes its time on the way. */
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
