"""The costs of solving and proving."""

import json
import os
import re
import subprocess
import sysconfig
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

from solver import solve
from solver.commands.arguments import as_parameters, assignment
from solver.engines.storage.steps import Answer, OpenedSolve, Task
from solver.rules.loading import load_game
from solver.system.executors import OnProgress, cluster_at, ignore
from tests.benchmarks.measured import Bench, Failed, Row, Taken, apart, row, table, taken

RACE = f"{Path(__file__).with_name('race.py')}:Race"

SHAPE = ("states", "states/s", "bytes a state")


def solved(bench: Bench, game: str, ratio: float | None = None) -> Row:
    """The row of a solve, compared with one that takes `ratio` seconds, or with itself."""
    took, facts = bench.solve(game), bench.facts(game)
    shape = (f"{facts['states'] / took.seconds:,.0f}", f"{facts['bytes'] / facts['states']:.2f}")
    return row(f"solve {game}", took, ratio or took.seconds, f"{facts['states']:,}", *shape)


def verified(bench: Bench, game: str, solve: Row) -> Row:
    """The row of the proof of a file, compared with its solve."""
    took, states = bench.run("verify", bench.path(game)), bench.facts(game)["states"]
    return row("verify it", took, float(solve.seconds), "", f"{states / took.seconds:,.0f}")


@table("command", *SHAPE, ratio="the solve")
def layers(bench: Bench) -> Iterator[Row]:
    """Games in which no position repeats, solved layer by layer."""
    games = ["mnk rows=4 columns=4 k=4", "connect rows=5 columns=5", "connect rows=6 columns=5"]
    for game in games if not bench.small else ["connect rows=4 columns=4 --engine layers"]:
        yield (plain := solved(bench, game))
        yield solved(bench, f"{game} --fold", float(plain.seconds))
        yield verified(bench, game, plain)


@table("command", *SHAPE, ratio="the solve")
def loops(bench: Bench) -> Iterator[Row]:
    """Games in which positions can repeat, solved tier by tier."""
    endings = ["chess-ending pieces=KRK", "chess-ending pieces=KQKR --fold"]
    games = ["quixo rows=4 columns=4 k=4", "morris variant=six --fold", *endings]
    for game in games if not bench.small else ["quixo rows=3 columns=3 k=3 --layout packed"]:
        yield (solve := solved(bench, game))
        yield verified(bench, game, solve)


@table("command", *SHAPE, ratio="the solve", hours=True)
def largest(bench: Bench) -> Iterator[Row]:
    """Games that take up to an hour, and up to 20 GB of disk."""
    most = "connect rows=6 columns=6 --fold --memory 6G"  # its proof takes another two hours
    sizes = ["dobutsu --fold --memory 8G", "connect rows=5 columns=6", most]
    for game in sizes if not bench.small else ["connect rows=4 columns=4 --fold"]:
        yield (solve := solved(bench, game))
        if game != most:
            yield verified(bench, game, solve)
        bench.path(game).unlink()


@table("command", *SHAPE, ratio="the solve", hours=True)
def endings(bench: Bench) -> Iterator[Row]:
    """Chess endings with five pieces, which take hours, and up to 40 GB of disk."""
    for pieces in ["KRRKR", "KQBKQ", "KQNKQ"] if not bench.small else ["KQK"]:
        game = f"chess-ending pieces={pieces} --fold --memory 8G"
        yield (solve := solved(bench, game))
        yield verified(bench, game, solve)
        bench.path(game).unlink()


@table("command", ratio="the solve with compiled code in the cache")
def first_run(bench: Bench) -> Iterator[Row]:
    """The same solve with an empty cache of compiled code, and with a full one."""
    words = ["solve", "connect", "--engine", "layers", "-o", bench.folder / "first.db", "--force"]
    first, second = (bench.run(*words, cache="empty") for _ in range(2))
    for name, took in {"an empty cache": first, "the same again": second}.items():
        yield row(f"solve connect --engine layers, {name}", took, second.seconds)


def rules_alone(*words: str) -> float:
    """The seconds to enumerate every state, move and position by the rules alone, with a set and a stack."""
    name, *given = words
    game = load_game(name, as_parameters(tuple(map(assignment, given))))
    began = time.process_time()
    seen = set(game.initial_states())
    stack = list(seen)
    while stack:
        state = stack.pop()
        game.to_move(state)
        actions = game.actions(state)
        if not actions:
            game.utility(state)
        for action in actions:
            child = game.result(state, action)
            if child not in seen:
                seen.add(child)
                stack.append(child)
    for state in seen:
        game.position(state)
    return time.process_time() - began


@table("command", "states", "moves", "memory, bytes a state", ratio="the rules alone")
def any_game(bench: Bench) -> Iterator[Row]:
    """Readable files, solved by the engines in memory, and the time of the rules alone."""
    games = ["mnk rows=4 columns=3 k=3", "lgame", "othello rows=4 columns=4", RACE]
    least = bench.solve("tictactoe", "--layout", "readable").peak
    for game in games if not bench.small else ["hexapawn rows=4 columns=4"]:
        alone, peak = apart(rules_alone, *game.split())
        title = game.rpartition("/")[2]
        yield Row(f"the rules of {title}", (), alone, 1.0, peak)
        for engine in ("arrays", "graph") if "mnk" in game else ("arrays",):
            took = bench.solve(game, "--engine", engine, "--layout", "readable")
            facts = bench.facts(game)
            per_state = max(0, took.peak - least) / facts["states"]
            shape = (f"{facts['states']:,}", f"{facts['moves']:,}", f"{per_state:,.0f}")
            yield row(f"solve {title} --engine {engine}", took, alone, *shape)


CONTESTANTS = {
    "plain dictionaries": "in_dictionaries",
    "networkx": "with_networkx",
    "easyAI, depth-first with table": "with_easyai",
    "OpenSpiel, value iteration": "with_openspiel",
}
"""The function of each solver, by name."""


@table("solver", "states known", "value", ratio="perfectplay")
def others(bench: Bench) -> Iterator[Row]:
    """Other solvers on the same board, each in its own process."""
    game, board = "connect rows=5 columns=4", ["connect", "5", "4", "4"]
    if bench.small:
        game, board = "connect rows=3 columns=4", ["connect", "3", "4", "4"]
    ours, facts = bench.solve(game), bench.facts(game)
    yield row("perfectplay", ours, ours.seconds, f"{facts['states']:,}", f"{facts['value']}")
    python = bench.folder / "venv" / "bin" / "python"
    venv.create(python.parents[1], with_pip=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "easyAI", "cvxpy"]
    subprocess.run(install, check=False, capture_output=True)
    besides = {"PYTHONPATH": os.pathsep.join([os.getcwd(), sysconfig.get_path("purelib")])}
    for name, solver in CONTESTANTS.items():
        command = [str(python), "-m", "tests.benchmarks.contestants", solver, *board]
        try:
            took = taken(command, environment=besides, timeout=60)
        except Failed as failure:
            yield Row(name, (), str(failure))
            continue
        said = json.loads(took.output)
        yield row(name, took, ours.seconds, f"{said['states']:,}", f"{said['value']}")


@contextmanager
def tasks(opening: None, on_progress: OnProgress) -> Iterator[Callable[[Any], Any]]:
    """Yield a function that does nothing."""
    yield lambda task: None


@table("command", ratio="threads")
def cluster(bench: Bench) -> Iterator[Row]:
    """Threads and workers of a cluster, and the cost of a task for the driver."""
    games = ["connect rows=5 columns=5", "quixo rows=4 columns=4 k=4", "chess-ending pieces=KRKN --fold"]
    for game in games if not bench.small else ["connect rows=4 columns=4"]:
        engine = "layers" if game.startswith("connect") else "arrays"
        ways = (("--engine", engine), ("--engine", engine, "--cluster", "local:2"))
        took = [bench.solve(game, *way, "--layout", "packed") for way in ways]
        for way, item in zip(ways, took, strict=True):
            yield row(f"solve {game} {' '.join(way)}", item, took[0].seconds)
    count = 10_000 if not bench.small else 100
    with closing(cluster_at("local:1", "tests.benchmarks.engines", None)) as pool:
        next(pool.map([None], lambda states: None))
        began, used = time.perf_counter(), time.process_time()
        for _ in pool.map([None] * count, lambda states: None):
            pass
        seconds, cpu = time.perf_counter() - began, time.process_time() - used
    yield Row("a task that does nothing", (), seconds / count)
    yield Row("processor time of the driver for it", (), cpu / count)
    seconds, cpu = label_time(bench)
    yield Row("a label for which workers have tasks", (), seconds)
    yield Row("processor time of the driver for it", (), cpu)


def label_time(bench: Bench) -> tuple[float, float]:
    """Seconds, and CPU seconds of this process, for a label of KRKN: medians over those with most tasks."""
    times, run = list[tuple[int, float, float]](), OpenedSolve.run

    def timed(
        self: OpenedSolve, step: str, tasks: Sequence[Task], on_progress: OnProgress = ignore
    ) -> list[Answer]:
        began, used = time.perf_counter(), time.process_time()
        answers = run(self, step, tasks, on_progress)
        if ".settled" in step:
            times.append((len(tasks), time.perf_counter() - began, time.process_time() - used))
        return answers

    game = load_game("chess-ending", {"pieces": "KRKN" if not bench.small else "KRK"})
    large = patch("solver.engines.choose.MAX_STATES_FOR_READABLE", 0)
    with large, patch.object(OpenedSolve, "run", timed):
        solve(game, bench.folder / "labels.db", fold=True, engine="arrays", cluster="local:2")
    most = max(tasks for tasks, *_ in times)
    seconds, cpu = zip(*(taken for tasks, *taken in times if tasks == most), strict=True)
    return median(seconds), median(cpu)


COMMANDS = (
    "--help",
    "query {tictactoe}",
    "solve tictactoe -o {new}.db",
    "verify {tictactoe}",
    "plan {tictactoe} -o {new}.json",
    "solve morris variant=tapatan -o {new}.db",
    "solve othello rows=4 columns=4 -o {new}.db",
    "solve lgame -o {new}.db",
    f"solve {RACE} length=25 tank=16 -o {{new}}.db",
    "solve quixo rows=3 columns=4 k=3 --layout packed -o {new}.db",
    "solve connect rows=4 columns=5 -o {new}.db",
    "verify {connect}",
    "report {connect} -o {new}.html",
    "verify {othello}",
    "explore {othello} -o {new}.html",
)
"""The commands to compare two versions by; {new} is the path of a file that does not exist."""


def repeated(bench: Bench, command: str) -> Taken:
    """The cost of one of the `COMMANDS`."""
    size = "rows=4 columns=5" if not bench.small else "rows=3 columns=4"
    games = {"tictactoe": "tictactoe", "connect": f"connect {size}", "othello": "othello rows=4 columns=4"}
    files = {name: bench.solved(game) for name, game in games.items()}
    for file in bench.folder.glob("new.*"):
        file.unlink()
    return bench.run(*command.format(**files, new=bench.folder / "new").split())


@table("command", "ratio of processor time", "ratio of peak memory", ratio="the other version", hours=True)
def versions(bench: Bench) -> Iterator[Row]:
    """Commands of this version and of another checkout, alternately: medians of five."""
    other = replace(bench, program=bench.other or bench.program, folder=bench.folder / "other")
    other.folder.mkdir()
    other.warm()
    for command in COMMANDS if not bench.small else COMMANDS[:2]:
        pairs = [(repeated(bench, command), repeated(other, command)) for _ in range(5)]
        time, cpu, peak = (
            median(float(ours[at]) / float(theirs[at]) for ours, theirs in pairs) for at in range(3)
        )
        seconds, most = median(ours.seconds for ours, _ in pairs), max(ours.peak for ours, _ in pairs)
        name = re.sub(r" -o \S+|\S*/|[{}]", "", command)
        yield Row(name, (f"{cpu:.2f}", f"{peak:.2f}"), seconds, time, most)
