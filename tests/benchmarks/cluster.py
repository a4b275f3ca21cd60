"""Threads against workers of a cluster: `python -m tests.benchmarks.cluster [GAME PARAM=VALUE ... --OPTION]`.

Each solves the game twice in turn, from the command line in a process of its own. The first solve fills the
cache of compiled code; the second is told. With `--driver` a cluster of one worker gets 100,000 tasks that do
nothing, and what the driver takes for each is told.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from solver.system.executors import Tell, cluster_at
from tests.benchmarks.measured import PROGRAM, bytes_in_words, setting, table, taken

GAME = ["connect", "rows=6", "columns=5"]

WAYS = {"threads": ["--engine", "layers"], "local:2": ["--cluster", "local:2"]}

TASKS = 100_000


@contextmanager
def tasks(opening: None, tell: Tell) -> Iterator[Callable[[Any], Any]]:
    """Yield a function that does nothing."""
    yield lambda task: None


def compare(game: list[str]) -> str:
    """A table of what each way takes."""
    seconds, rows = dict[str, float](), []
    with TemporaryDirectory() as folder:
        for nth in range(2):
            for way, options in WAYS.items():
                path = Path(folder, f"{way.replace(':', '')}.db")
                command = [
                    PROGRAM,
                    "solve",
                    *game,
                    *options,
                    "--layout",
                    "packed",
                    "-o",
                    str(path),
                    "--force",
                ]
                solved = taken(command, folder=Path(folder))
                seconds[way] = solved.seconds
                if nth:
                    ratio = f"{solved.seconds / seconds['threads']:.2f}"
                    rows.append([way, f"{solved.seconds:.1f}", bytes_in_words(solved.peak), ratio])
        files = {path.read_bytes() for path in Path(folder).glob("*.db")}
    same = "the same bytes" if len(files) == 1 else "DIFFERENT FILES"
    return table(("way ", "seconds", "peak memory", f"ratio ({same})"), rows)


def drive() -> str:
    """What the driver takes for a task that does nothing."""
    with closing(cluster_at("local:1", "tests.benchmarks.cluster", None)) as pool:
        next(pool.each([None], lambda states: None))
        began, used = perf_counter(), process_time()
        for _ in pool.each([None] * TASKS, lambda states: None):
            pass
        seconds, cpu = perf_counter() - began, process_time() - used
    return (
        f"{TASKS:,} tasks: {seconds / TASKS * 1e3:.2f} ms each, {cpu / TASKS * 1e3:.2f} CPU ms of the driver"
    )


def main() -> None:
    """Print the table."""
    arguments = sys.argv[1:]
    found = drive() if "--driver" in arguments else compare(arguments or GAME)
    print(setting(), found, sep="\n\n")


if __name__ == "__main__":
    main()
