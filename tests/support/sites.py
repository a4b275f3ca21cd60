"""Sites asked in Node, and the rules of random tables as a site has them."""

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.support.games.random_tables import Relabelled

PROGRAM = """
import { readFile } from "node:fs/promises";
const asked = JSON.parse(await readFile("/dev/stdin", "utf8"));
for (const [folder, texts] of asked) {
  const { Site } = await import(`${folder}/site.js`);
  const site = await Site.open((name) => readFile(`${folder}/${name}`));
  for (const text of texts) {
    const refused = (error) => {
      if (!error.code) throw error;
      return error.code;
    };
    const found = await Promise.all([site.answer(text).catch(refused), site.rows(text).catch(refused)]);
    console.log(JSON.stringify(found));
  }
}
"""


def answers(asked: Mapping[Path, Sequence[str]]) -> list[list[tuple[Any, Any]]]:
    """For each folder what its site says of each text: an answer and rows, or the code of a refusal twice."""
    folders = [(str(folder), list(texts)) for folder, texts in asked.items()]
    words = ["node", "--input-type=module", "-e", PROGRAM]
    done = subprocess.run(words, input=json.dumps(folders), capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    lines = iter(done.stdout.splitlines())
    return [[tuple(json.loads(next(lines))) for _ in texts] for _, texts in folders]


def nodes(folder: Path, texts: Sequence[str]) -> list[int]:
    """How many states the search of a site makes for the answer of each text."""
    program = """
import { readFile } from "node:fs/promises";
const [folder, texts] = JSON.parse(await readFile("/dev/stdin", "utf8"));
const { Site } = await import(`${folder}/site.js`);
const site = await Site.open((name) => readFile(`${folder}/${name}`));
for (const text of texts) await site.answer(text).then(() => console.log(site.game.late.nodes));
"""
    words, asked = ["node", "--input-type=module", "-e", program], json.dumps([str(folder), texts])
    done = subprocess.run(words, input=asked, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return [*map(int, done.stdout.split())]


def module_of_table(game: Relabelled) -> str:
    """What `printed_module` would print of a random table, had it operators only."""
    size, most = len(game.movers), game.most
    tables = {
        "children": game.children,
        "movers": game.movers,
        "utilities": game.utilities,
        "images": _rows(game.images, size),
        "others": game.others,
    }
    return "".join(
        [
            *(f"const {name} = {json.dumps(table)};\n" for name, table in tables.items()),
            f"const leads = (s, a) => children[Number(s) * {most} + a];\n",
            f"const moves = (s) => [...Array({most}).keys()].filter((a) => leads(s, a) >= 0);\n",
            "export const is_terminal = (s) => BigInt(moves(s).length === 0);\n",
            "export const to_move = (s) => BigInt(movers[s]);\n",
            "export const utility = (s) => BigInt(utilities[s]);\n",
            "export const actions = moves;\n",
            "export { moves };\n",
            f"export const ply = {f'(s) => s / {game.width}n' if game.tells else 'null'};\n",
            "export const result = (s, a) => BigInt(leads(s, a));\n",
            "export const symmetries = images.map((image) => (s) => BigInt(image[s]));\n",
            "export const exchanged = others.length ? (s) => BigInt(others[s]) : null;\n",
        ]
    )


def _rows(table: Iterable[int], size: int) -> list[list[int]]:
    numbers = [*table]
    return [numbers[begin : begin + size] for begin in range(0, len(numbers), size)]
