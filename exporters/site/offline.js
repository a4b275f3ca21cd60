// A service worker that caches all files of a site, so that it works offline after the first visit.

const OWN = `perfectplay ${registration.scope} `;
const CACHE = OWN + VERSION; // `perfectplay site` writes VERSION into the first line; it changes if any file does

async function load() {
  const sums = await (await fetch("SHA256SUMS", { cache: "reload" })).text();
  const names = sums.trim().split("\n").map((line) => line.split("  ")[1]);
  const cache = await caches.open(CACHE);
  await cache.addAll(["./", ...names].map((name) => new Request(name, { cache: "reload" })));
}

async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OWN) && name !== CACHE).map((name) => caches.delete(name)));
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

/** Leave the next visits to the host if it no longer has this file: its site is written without --offline now. */
async function yieldToHost() {
  const { status } = await fetch("offline.js", { cache: "no-store" });
  if (status === 404) await registration.unregister();
}

addEventListener("install", (event) => event.waitUntil(load()));
addEventListener("activate", (event) => event.waitUntil(forget()));
addEventListener("fetch", (event) => {
  event.respondWith(answer(event.request));
  if (event.request.mode === "navigate") event.waitUntil(yieldToHost().catch(() => {})); // without a network
});
