// The rows of a position for the page. A worker has the site, so that a search in it does not hold up the page.

let worker = null;
let lost = null; // rejects when the worker cannot be loaded

function begin() {
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  lost = new Promise((_, reject) => {
    worker.onerror = () => reject(new Error("The server cannot be reached."), (worker = null));
  });
  lost.catch(() => {}); // it may be lost while nobody asks
}

export async function rows(text) {
  if (!worker) begin();
  const { port1, port2 } = new MessageChannel();
  worker.postMessage(text, [port2]);
  const answered = new Promise((resolve) => (port1.onmessage = resolve));
  const { data } = await Promise.race([answered, lost]).finally(() => port1.close());
  if (data.message) throw new Error(data.message);
  return data.rows;
}
