"""The table of docs/site.md: what sites of games take, and what an answer loads."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from random import Random

from solver import load_game
from tests.benchmarks.measured import Bench, bytes_in_words, table, taken, time_in_words

GAMES = (
    "tictactoe",
    "connect rows=4 columns=4",
    "connect rows=5 columns=4",
    "connect rows=5 columns=5",
    "dots-and-boxes rows=2 columns=2",
    "quixo rows=3 columns=3 k=3",
    "chess-ending pieces=KRK",
    "teeko rows=4 columns=3",
    "othello",
    "nim heaps=3,5,7",
)

PLAYED = 20
"""Games of random play in which an answer is asked for each position."""

PROGRAM = """
import { readFile } from "node:fs/promises";
const [folder, games] = JSON.parse(await readFile("/dev/stdin", "utf8"));
const { Site } = await import(`${folder}/site.js`);
const loaded = [];
for (const texts of games) {
  let bytes = 0;
  const read = async (name) => {
    const content = await readFile(`${folder}/${name}`);
    bytes += content.length;
    return content;
  };
  const site = await Site.open(read);
  for (const text of texts) {
    const before = bytes;
    await site.answer(text);
    if (before && text !== texts[0]) loaded.push(bytes - before);
  }
}
console.log(JSON.stringify(loaded));
"""


@table(
    "",
    hours=True,
    columns=("game ", "states", "files", "bytes", "made in", "memory", "an answer loads", "at most"),
)
def sites(bench: Bench) -> Iterator[Sequence[str]]:
    """Sites, and the bytes that answers load after the first one, game by game of random play."""
    for words in GAMES if not bench.small else GAMES[:1]:
        folder = bench.folder / "site"
        made = taken(
            [bench.program, "site", str(bench.solved(words)), "-o", str(folder), "--force", "--json"]
        )
        facts, loaded = json.loads(made.output), _loaded(words, str(folder.resolve()))
        yield (
            f"`{words}`",
            f"{bench.facts(words)['states']:,}",
            f"{facts['files']:,}",
            bytes_in_words(facts["bytes"]),
            time_in_words(made.seconds),
            bytes_in_words(made.peak),
            bytes_in_words(sum(loaded) // max(1, len(loaded))),
            bytes_in_words(max(loaded, default=0)),
        )


def _loaded(words: str, folder: str) -> list[int]:
    """The bytes that each answer loads in games of random play, but for the first answer of each."""
    name, *pairs = words.split()
    game, random, games = load_game(name, dict(pair.split("=") for pair in pairs)), Random(0), []
    for _ in range(PLAYED):
        state, texts = game.initial, [game.position(game.initial)]
        while len(texts) < 60 and (actions := game.actions(state)):
            state = game.result(state, random.choice(actions))
            if game.actions(state):
                texts.append(game.position(state))
        games.append(texts)
    asked = ["node", "--input-type=module", "-e", PROGRAM]
    done = subprocess.run(
        asked, input=json.dumps([folder, games]), capture_output=True, text=True, check=True
    )
    loaded: list[int] = json.loads(done.stdout)
    return loaded
