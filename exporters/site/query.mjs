// Prints a line for each position, as `perfectplay query --json` does: node query.mjs POSITION...

import { readFile } from "node:fs/promises";
import { Site } from "./site.js";

const positions = process.argv.slice(2);
if (!positions.length) {
  console.error("Usage: node query.mjs POSITION...");
  process.exit(2);
}
const site = await Site.open((name) => readFile(new URL(name, import.meta.url)));
for (const position of positions) {
  const refused = ({ code, message }) => {
    if (!code) throw new Error(message);
    process.exitCode = 3;
    return { position, error: { code, message } };
  };
  console.log(JSON.stringify(await site.answer(position).catch(refused)));
}
