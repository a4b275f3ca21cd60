"""The cost of answers from a solved file, and of the start of commands."""

import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from urllib.parse import quote

import httpx2
import psutil

from solver import open_database
from solver.database.packed.reader import PackedDatabase
from solver.games.mnk import TicTacToe
from solver.rules.notation import write_position
from solver.search.packed_playouts import packed_sampler
from solver.search.playouts import MAX_PLAYOUT_PLIES, playout, random_policy
from solver.system.words import number_of
from tests.benchmarks.measured import Bench, Row, apart, row, table, taken
from tests.support.drawn_states import drawn_states

ROUNDS = 5
"""Rounds whose median counts, after a first round that does not count."""


def middle(bench: Bench) -> str:
    """The file of a game with 69,763,700 states."""
    return "connect rows=5 columns=5" if not bench.small else "connect rows=4 columns=4 --layout packed"


@table("command", ratio="Python's start")
def start(bench: Bench) -> Iterator[Row]:
    """Commands on small files from a cold start: medians of eleven processes."""
    path = bench.solved("tictactoe")
    commands = {"python -c pass": [sys.executable, "-c", "pass"]}
    for name in ("query", "stats", "plan", "verify"):
        commands[f"perfectplay {name} tictactoe.db"] = [bench.program, name, str(path)]
    solve = [bench.program, "solve", "tictactoe", "-o", f"{path}.new", "--force"]
    least = None
    for name, command in {**commands, "perfectplay solve tictactoe": solve}.items():
        took = [taken(command) for _ in range(11 if not bench.small else 1)]
        seconds = statistics.median(item.seconds for item in took)
        least = least or seconds
        yield Row(name, (), seconds, seconds / least, max(item.peak for item in took))


AGAIN = 50
"""A number of positions whose blocks all stay in a database's cache."""


def seconds_of(number: int, do: Callable[[], object]) -> float:
    """The seconds for each of the `number` items that `do` handles."""
    times = []
    for _ in range(ROUNDS + 1):
        began = time.perf_counter()
        do()
        times.append(time.perf_counter() - began)
    return statistics.median(times[1:]) / number


def lookup_times(file: str, alone: str, at_once: str) -> dict[str, float]:
    """The seconds of a lookup, by the method of lookup."""
    few = int(alone)
    with open_database(file) as db:
        states = drawn_states(db, int(at_once))
    with open_database(file) as db:  # which has read no block yet
        texts = [write_position(db.game, state) for state in states[:few].tolist()]
        again = (texts[:AGAIN] * few)[:few]
        return {
            "`db[position]`: all moves": seconds_of(few, lambda: [db[text] for text in texts]),
            f"the same, of {AGAIN} again and again": seconds_of(few, lambda: [db[text] for text in again]),
            "`db.probe(position)`: best moves": seconds_of(few, lambda: [db.probe(text) for text in texts]),
            f"`db.lookup` of {few:,} texts": seconds_of(few, lambda: db.lookup(texts)),
            f"`db.lookup` of {len(states):,} states": seconds_of(len(states), lambda: db.lookup(states)),
            "the same without best moves": seconds_of(len(states), lambda: db.lookup(states, best=False)),
        }


@table("lookup", "positions a second", ratio="one by one")
def lookups(bench: Bench) -> Iterator[Row]:
    """Lookups of random positions of a packed file, from the shell and from Python."""
    game = "connect rows=6 columns=5" if not bench.small else middle(bench)
    path = bench.solved(game)
    with open_database(path) as db:
        texts = [write_position(db.game, state) for state in drawn_states(db, 11).tolist()]
    shell = sorted(bench.run("query", path, text) for text in texts)[5]
    times, peak = apart(lookup_times, path, *((5_000, 1_000_000) if not bench.small else (100, 1000)))
    one = next(iter(times.values()))
    yield row("`perfectplay query FILE POSITION`", shell, one, f"{1 / shell.seconds:,.0f}")
    for name, seconds in times.items():
        yield Row(name, (f"{1 / seconds:,.0f}",), seconds, seconds / one, peak)


CONNECTIONS, AT_ONCE = 32, 1000

LUA = """
local paths = {{}}
for line in io.lines("{paths}") do paths[#paths + 1] = line end
request = function() return wrk.format("GET", paths[math.random(#paths)]) end
"""


@contextmanager
def served(bench: Bench, path: Path) -> Iterator[tuple[str, int]]:
    """The address and the process of a service of the file."""
    command = [bench.program, "serve", str(path), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as program:
        assert program.stderr is not None
        yield program.stderr.readline().partition("/ ")[0], program.pid
        program.terminate()


def loaded(address: str, paths: Path, script: Path, seconds: float) -> dict[str, float]:
    """Requests per second over 32 connections of `wrk`, and the median and 99% quantile of their seconds."""
    script.write_text(LUA.format(paths=paths))
    options = ["-t1", f"-c{CONNECTIONS}", f"-d{max(1, seconds):.0f}s", "--latency", "-s", str(script)]
    said = taken(["wrk", *options, address]).output
    assert "Non-2xx" not in said, said
    units = {"": 1, "s": 1, "ms": 1e-3, "us": 1e-6}
    actual = {key: re.search(rf"{key}\s+([\d.]+)(\w*)", said) for key in ("Requests/sec:", "50%", "99%")}
    return {key: float(match[1]) * units[match[2]] for key, match in actual.items() if match}


@table("request", "requests/s", ratio="the median of single positions")
def service(bench: Bench) -> Iterator[Row]:
    """Random positions of a service, over 32 connections of the load generator `wrk` on the same machine."""
    if shutil.which("wrk") is None:
        yield Row("`wrk` is not installed", (), "not measured")
        return
    for game in ("tictactoe", middle(bench)):
        path = bench.solved(game)
        with open_database(path) as db:
            if isinstance(db, PackedDatabase):
                texts = [write_position(db.game, state) for state in drawn_states(db, 20_000).tolist()]
            else:
                texts = random.Random(1).choices([*db], k=20_000)
        paths, url = bench.folder / "paths", f"/games/{quote(path.stem)}/positions"
        paths.write_text("".join(f"{url}?position={quote(text)}\n" for text in texts))
        with served(bench, path) as (address, pid):
            loaded(address, paths, bench.folder / "ask.lua", 2 if not bench.small else 1)
            held = psutil.Process(pid).memory_full_info().uss
            actual = loaded(address, paths, bench.folder / "ask.lua", 20 if not bench.small else 1)
            times = []
            with httpx2.Client(base_url=address, timeout=60) as client:
                for nth in range(21 if not bench.small else 1):
                    began = time.perf_counter()
                    client.post(url, json=texts[nth * 900 :][:AT_ONCE]).raise_for_status()
                    times.append(time.perf_counter() - began)
            after = psutil.Process(pid).memory_full_info().uss
        one, many = actual["50%"], statistics.median(times)
        rate = f"{actual['Requests/sec:']:,.0f}"
        yield Row(f"a position of {game}, median", (rate,), one, 1.0, held)
        yield Row("the same, 99%", (), actual["99%"], actual["99%"] / one)
        yield Row(f"{AT_ONCE:,} positions in one request", (), many, many / one, after)


@table("command", ratio="the first")
def puzzles(bench: Bench) -> Iterator[Row]:
    """Puzzles of a packed file."""
    wanted = ("", "--remoteness 3-9", "--remoteness 3-5 --for second", "--outcome draw -n 1000")
    took = [(words, bench.run("puzzles", bench.solved(middle(bench)), *words.split())) for words in wanted]
    for words, item in took:
        yield row(f"puzzles connect.db {words}".rstrip(), item, took[0][1].seconds)


@table("command", ratio="the first")
def reports(bench: Bench) -> Iterator[Row]:
    """Reports on a packed file, by the number of positions sampled, on one processor and on two."""
    samples = (100_000, 1_000_000) if not bench.small else (1000,)
    first = None
    for sample in samples:
        for processors in ("0", "0,1"):
            command = ["taskset", "-c", processors, bench.program, "report", str(bench.solved(middle(bench)))]
            took = taken([*command, "-o", str(bench.folder / "report.html"), "--sample", str(sample)])
            first = first or took.seconds
            number = number_of(len(processors.split(",")), "processor")
            yield row(f"report connect.db --sample {sample}, {number}", took, first)


def playout_times(one_by_one: str, at_once: str) -> dict[str, float]:
    """The seconds of a random playout of tic-tac-toe, in plain Python and as arrays."""
    game, few, many = TicTacToe(), int(one_by_one), int(at_once)
    policy = random_policy(game, Random(0))
    sample = packed_sampler(game, [game.initial], 0, MAX_PLAYOUT_PLIES)
    return {
        "one by one": seconds_of(few, lambda: [playout(game, game.initial, policy) for _ in range(few)]),
        f"{many:,} at once": seconds_of(many, lambda: sample([many])),
    }


@table("playouts of tic-tac-toe", "playouts/s", ratio="one by one")
def playouts(bench: Bench) -> Iterator[Row]:
    """Random playouts from the empty board."""
    times, peak = apart(playout_times, *((5_000, 200_000) if not bench.small else (100, 1000)))
    for name, seconds in times.items():
        yield Row(name, (f"{1 / seconds:,.0f}",), seconds, seconds / times["one by one"], peak)
