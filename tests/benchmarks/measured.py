"""Measures commands in processes of their own, and formats the results as tables."""

import json
import os
import platform
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile
from threading import Event, Thread
from typing import Any, NamedTuple

import psutil

PROGRAM = str(Path(sys.executable).with_name("perfectplay"))
"""The program that is measured by default."""


class Taken(NamedTuple):
    """The cost of a command."""

    seconds: float
    """Wall-clock seconds."""
    cpu: float
    """CPU seconds of all threads."""
    peak: int
    """Peak memory in bytes, of all processes together if it started others."""
    output: str
    """Its standard output."""


class Failed(Exception):
    """The command failed, or timed out."""


class Row(NamedTuple):
    """A row of a table: what was done, its cost, and the seconds to compare it with."""

    name: str
    more: Sequence[str] = ()
    """Cells between the name and the time."""
    seconds: float | str = ""
    """The time, or the reason why there is none."""
    ratio: float | None = None
    peak: int | None = None
    """Bytes."""


def row(name: str, took: Taken, compared: float, *more: str) -> Row:
    """The row of a command, whose seconds are compared with `compared`."""
    return Row(name, more, took.seconds, took.seconds / compared, took.peak)


class Table(NamedTuple):
    """A table: its columns, and the function that measures its rows."""

    rows: "Callable[[Bench], Iterator[Row] | Iterator[Sequence[str]]]"
    columns: Sequence[str]
    hours: bool
    """Whether it takes hours and is made only on request."""


TABLES: dict[str, Table] = {}
"""All tables by name, in the order in which they are made."""


def table(
    first: str, *more: str, ratio: str = "", hours: bool = False, columns: Sequence[str] = ()
) -> Callable[[Any], Any]:
    """Register a function that yields rows as the table of its name; `ratio` names what times are divided by.

    `columns` are all columns of a table in another form, whose rows are texts.
    """

    def registered(rows: Any) -> Any:
        every = columns or (f"{first} ", *more, "time", f"ratio to {ratio}", "peak memory")
        TABLES[rows.__name__.replace("_", "-")] = Table(rows, every, hours)
        return rows

    return registered


@dataclass
class Bench:
    """The folder of a benchmark, and the commands that it measures there."""

    folder: Path
    program: str = PROGRAM
    other: str = ""
    """Another version of the program."""
    small: bool = False
    """Whether to use the smallest games, to test that the benchmark works."""

    def run(self, *words: object, cache: str = "cache", timeout: float | None = None) -> Taken:
        """The cost of a command of the program, with a cache of compiled code that commands share."""
        environment = {"NUMBA_CACHE_DIR": str(self.folder / cache)}
        return taken([self.program, *map(str, words)], environment=environment, timeout=timeout)

    def path(self, game: str) -> Path:
        """The file of a solved game."""
        return self.folder / f"{'-'.join(game.replace('=', '').split()).rpartition('/')[2]}.db"

    def solve(self, game: str, *options: object) -> Taken:
        """Solve a game into its file; `options` are those of `solve`."""
        return self.run("solve", *game.split(), *options, "-o", self.path(game), "--force")

    def solved(self, game: str) -> Path:
        """The file of a game, which is solved first if necessary."""
        if not self.path(game).exists():
            self.solve(game)
        return self.path(game)

    def facts(self, game: str) -> dict[str, Any]:
        """The output of `stats` for a file, and its size in bytes."""
        actual = json.loads(self.run("stats", self.path(game), "--json").output)
        return {**actual, "bytes": self.path(game).stat().st_size}

    def warm(self) -> None:
        """Fill the cache of compiled code."""
        small = "rows=3 columns=3 k=3"
        for game in (f"connect {small} --engine layers", f"quixo {small} --layout packed"):
            self.solve(game)
            self.run("verify", self.path(game))


START = """
import json, os, sys, time
began = time.perf_counter()
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
seconds, cpu = time.perf_counter() - began, usage.ru_utime + usage.ru_stime
with open(sys.argv[1], "w") as file:
    json.dump([os.waitstatus_to_exitcode(status), seconds, cpu, usage.ru_maxrss * 1024], file)
"""
"""A small program that starts another, whose peak memory would include that of a larger parent process."""


def taken(
    command: Sequence[str], *, environment: Mapping[str, str] | None = None, timeout: float | None = None
) -> Taken:
    """The cost of a command; raises `Failed` if it fails or takes longer than `timeout` seconds."""
    command = [shutil.which(command[0]) or command[0], *command[1:]]
    with TemporaryFile("w+") as output, TemporaryFile("w+") as errors, NamedTemporaryFile("r") as usage:
        process = subprocess.Popen(
            [sys.executable, "-S", "-c", START, usage.name, *command],
            stdout=output,
            stderr=errors,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
        )
        with memory_of(process.pid) as most:
            try:
                process.wait(timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                raise Failed(f"more than {timeout:,.0f} s") from None
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)
                raise
        status, seconds, cpu, peak = json.load(usage)
        output.seek(0)
        errors.seek(0)
        if status:
            raise Failed((errors.read().strip().splitlines() or [f"exit status {status}"])[-1])
        return Taken(seconds, cpu, max(peak, most[0]), output.read())


def apart(function: Callable[..., Any], *words: object) -> tuple[Any, int]:
    """The result, passed as JSON, of a function of texts in a process of its own, and its peak memory."""
    source = f"from {function.__module__} import {function.__name__} as function"
    program = f"import json, sys\n{source}\nprint(json.dumps(function(*sys.argv[1:])))"
    actual = taken([sys.executable, "-c", program, *map(str, words)])
    return json.loads(actual.output), actual.peak


@contextmanager
def memory_of(pid: int) -> Iterator[list[int]]:
    """Yield a list for the peak memory, in bytes, of all processes that a process starts meanwhile."""
    most, over = [0], Event()

    def watch() -> None:
        while not over.wait(0.5):
            try:
                held = [child.memory_info().rss for child in psutil.Process(pid).children(recursive=True)]
            except psutil.Error:  # a process has ended
                continue
            most[0] = max(most[0], sum(held))

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield most
    finally:
        over.set()
        thread.join()


def markdown(columns: Sequence[str], rows: Iterable[Row | Sequence[str]]) -> str:
    """A table in Markdown; columns of text have names that end in a space."""
    rules = ["---" if column.endswith(" ") else "---:" for column in columns]
    lines = [[column.strip() for column in columns], rules]
    lines += (cells(item, len(columns)) if isinstance(item, Row) else [*item] for item in rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cells(row: Row, count: int) -> list[str]:
    """The texts of the `count` cells of a row."""
    seconds = row.seconds if isinstance(row.seconds, str) else time_in_words(row.seconds)
    form = ",.0f" if (row.ratio or 0) >= 10 else ".2f" if (row.ratio or 0) >= 0.1 else ".2g"
    ratio = "" if row.ratio is None else format(row.ratio, form)
    peak = "" if row.peak is None else bytes_in_words(row.peak)
    return [row.name, *row.more, *[""] * (count - 4 - len(row.more)), seconds, ratio, peak]


def setting() -> str:
    """The machine and the day, in a line of Markdown."""
    memory = psutil.virtual_memory().total / 2**30
    return (
        f"{date.today().isoformat()}, {_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB, "
        f"{platform.system()}, Python {platform.python_version()}"
    )


def time_in_words(seconds: float) -> str:
    if seconds >= 600:
        return f"{seconds / 60:,.0f} min"
    for unit in ("s", "ms"):
        if seconds >= 0.1:
            return f"{seconds:.{2 if seconds < 1 else 1 if seconds < 100 else 0}f} {unit}"
        seconds *= 1000
    return f"{seconds:.3g} µs"


def bytes_in_words(size: float) -> str:
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:,.3g} GB" if size < 1000 else f"{size:,.0f} GB"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
