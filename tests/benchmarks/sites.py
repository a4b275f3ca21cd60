"""The table of docs/site.md: the cost of sites of games, and the bytes that an answer loads."""

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

from solver import load_game
from tests.benchmarks.measured import Bench, bytes_in_words, table, time_in_words
from tests.support.browser import chromium
from tests.support.sites import Files, hosted, in_node

GAMES = (
    "tictactoe",
    "connect rows=4 columns=4",
    "connect rows=5 columns=4",
    "connect rows=5 columns=5",
    "connect rows=6 columns=5",
    "dots-and-boxes rows=2 columns=2",
    "quixo rows=3 columns=3 k=3",
    "quixo rows=4 columns=4 k=4 --fold",
    "chess-ending pieces=KRK",
    "chess-ending pieces=KQKR --fold",
    "teeko rows=4 columns=3",
    "othello",
    "nim heaps=3,5,7",
)

RATE, LATENCY = 1_250_000, 0.05
"""Bytes per second of a 10 Mbit/s line, and the latency of an answer in seconds."""

LOADS = 3
"""How often the page is opened; the fastest time counts."""

PLAYED = 20
"""Games of random play, with an answer for each position."""

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
    columns=(
        *("game ", "states", "files", "bytes", "made in", "memory"),
        *("the first answer loads", "in", "a further one", "at most"),
    ),
)
def sites(bench: Bench) -> Iterator[Sequence[str]]:
    """Sites: their cost, their page over a slow line, and the bytes of further answers in random play."""
    for words in GAMES if not bench.small else GAMES[:1]:
        folder = bench.folder / "site"
        made = bench.run("site", bench.solved(words), "-o", folder, "--force", "--json")
        facts, loaded = json.loads(made.output), _loaded(words, str(folder.resolve()))
        first, seconds = _opened(folder)
        yield (
            f"`{words}`",
            f"{bench.facts(words)['states']:,}",
            f"{facts['files']:,}",
            bytes_in_words(facts["bytes"]),
            time_in_words(made.seconds),
            bytes_in_words(made.peak),
            bytes_in_words(first),
            time_in_words(seconds),
            bytes_in_words(sum(loaded) // max(1, len(loaded))),
            bytes_in_words(max(loaded, default=0)),
        )


class SlowFiles(Files):
    """Serves files over a line of `RATE` and `LATENCY`, one at a time."""

    protocol_version, disable_nagle_algorithm = "HTTP/1.1", True
    line, sent = Lock(), 0

    def setup(self) -> None:
        time.sleep(LATENCY)
        super().setup()

    def do_GET(self) -> None:  # noqa: N802  http.server calls this name
        time.sleep(LATENCY)
        super().do_GET()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        while part := source.read(4096):
            with self.line:
                time.sleep(len(part) / RATE)
                SlowFiles.sent += len(part)
            outputfile.write(part)


def _opened(folder: Path) -> tuple[int, float]:
    """The bytes and the seconds until a page shows the moves of the start."""
    seconds = list[float]()
    with chromium() as browser, hosted(folder, SlowFiles) as url:
        for _ in range(LOADS):
            context, SlowFiles.sent = browser.new_context(), 0
            page, began = context.new_page(), time.perf_counter()
            page.goto(url, wait_until="commit")
            page.wait_for_selector("#moves button")
            seconds.append(time.perf_counter() - began)
            context.close()
    return SlowFiles.sent, min(seconds)


def _loaded(words: str, folder: str) -> list[int]:
    """The bytes that each answer loads in games of random play, except the first answer of each game."""
    name, *pairs = (word for word in words.split() if not word.startswith("--"))
    game, random, games = load_game(name, dict(pair.split("=") for pair in pairs)), Random(0), []
    for _ in range(PLAYED):
        state, texts = game.initial, [game.position(game.initial)]
        while len(texts) < 60 and (actions := game.actions(state)):
            state = game.result(state, random.choice(actions))
            if game.actions(state):
                texts.append(game.position(state))
        games.append(texts)
    loaded: list[int] = json.loads(in_node(PROGRAM, [folder, games]))
    return loaded
