"""What a command takes in a process of its own, and Markdown tables that say where, when and how."""

import argparse
import os
import platform
import shlex
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Event, Thread, Timer
from typing import NamedTuple

import psutil

PROGRAM = str(Path(sys.executable).with_name("perfectplay"))
"""The program that is measured unless another is named."""


class Taken(NamedTuple):
    """What a command took."""

    seconds: float
    """By the wall clock."""
    cpu: float
    """Seconds of processors, of all threads."""
    peak: int
    """The most memory that it held, in bytes; if it had other processes do something, that they all held."""
    disk: int
    """The most bytes that were seen in the folder."""
    output: str
    """What it wrote to standard output."""


class Failed(Exception):
    """The command did not end well, or not in time."""


def taken(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    timeout: float | None = None,
) -> Taken:
    """What a command takes; raises `Failed` where it fails or takes longer than `timeout` seconds."""
    with TemporaryFile("w+") as output, TemporaryFile("w+") as errors:
        began = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=output, stderr=errors, env={**os.environ, **(environment or {})}
        )
        timer = Timer(timeout, process.kill) if timeout else None
        if timer:
            timer.start()
        with _Watched(process.pid, folder) as watched:
            _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        if timer:
            timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            said = errors.read().strip().splitlines() or [f"exit status {process.returncode}"]
            raise Failed(f"more than {timeout:,.0f} s" if timeout and seconds >= timeout else said[-1])
        cpu = usage.ru_utime + usage.ru_stime
        peak = max(usage.ru_maxrss * 1024, watched.memory)
        return Taken(seconds, cpu, peak, watched.disk, output.read())


@contextmanager
def file_to_measure(about: str) -> Iterator[tuple[Path, str, Path]]:
    """Yield the file and the program that the command line names, and a folder that is deleted afterwards.

    Without a file connect 5x5 is solved for it. `about` describes the script in its first line.
    """
    parser = argparse.ArgumentParser(description=about.partition("\n")[0])
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--program", default=PROGRAM)
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = arguments.file or Path(folder, "connect.db")
        if arguments.file is None:
            taken([arguments.program, "solve", "connect", "rows=5", "columns=5", "-o", str(path)])
        yield path, arguments.program, Path(folder)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; columns whose name ends in a space are of text; rows that end early are filled."""
    rules = ["---" if column.endswith(" ") else "---:" for column in columns]
    filled = ([*row, *[""] * (len(columns) - len(row))] for row in rows)
    lines = [[column.strip() for column in columns], rules, *filled]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def setting() -> str:
    """The machine, the day and the command, in a line of Markdown."""
    memory = psutil.virtual_memory().total / 2**30
    script = Path(sys.argv[0]).stem
    command = shlex.join(["python", "-m", f"tests.benchmarks.{script}", *sys.argv[1:]])
    return (
        f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()}, "
        f"Python {platform.python_version()}; {date.today().isoformat()}; `{command}`"
    )


def bytes_in_words(size: float) -> str:
    """A size for a person."""
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


class _Watched:
    """How much memory a process and those that it starts hold, and how large a folder becomes, meanwhile."""

    def __init__(self, process: int, folder: Path | None) -> None:
        self.memory = self.disk = 0
        self._process, self._folder, self._over = process, folder, Event()
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "_Watched":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while True:
            self.memory = max(self.memory, self._held())
            self.disk = max(self.disk, self._size() if self._folder else 0)
            if self._over.wait(0.5):
                return

    def _held(self) -> int:
        try:
            process = psutil.Process(self._process)
            return sum(each.memory_info().rss for each in (process, *process.children(recursive=True)))
        except psutil.Error:  # one of them has ended
            return 0

    def _size(self) -> int:
        size = 0
        for path in (self._folder or Path()).rglob("*"):
            try:
                size += path.stat().st_blocks * 512
            except OSError:  # it is gone again
                continue
        return size
