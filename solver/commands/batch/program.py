"""Runs the program in a process of its own, and measures it."""

import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from tempfile import TemporaryFile
from time import perf_counter
from typing import Any, NamedTuple

from solver.errors import SolverError

MAX_PRINTED = 100_000
"""Bytes of standard output that are kept."""

GRACE = 2.0
"""Seconds in which a process may end that Ctrl-C in a terminal has interrupted, too."""


class Finished(NamedTuple):
    """A command that has done what it should."""

    printed: str
    seconds: float
    memory: int | None
    """The most bytes that its process has held; None where the system does not tell."""


def run_program(words: Sequence[str], folder: Path, progress: Callable[[dict[str, Any]], object]) -> Finished:
    """Run `perfectplay` with these arguments in a folder; `progress` gets what `--json-progress` reports.

    Raises `SolverError` with its message if it fails, and `KeyboardInterrupt` after its end.
    """
    began, memory, said = perf_counter(), None, list[str]()
    with (
        TemporaryFile() as stdout,
        Popen(
            [sys.executable, "-P", "-m", "solver", *words],
            cwd=folder,
            env=os.environ | {"PYTHONIOENCODING": "utf-8"},
            stdin=DEVNULL,
            stdout=stdout,
            stderr=PIPE,
            encoding="utf-8",
            errors="replace",
        ) as process,
    ):
        assert process.stderr
        try:
            for line in process.stderr:
                report = _object_in(line)
                progress(report) if "task" in report else said.append(line)
            if hasattr(os, "wait4"):
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        except KeyboardInterrupt:
            try:
                process.wait(GRACE)
            except TimeoutExpired:
                process.send_signal(getattr(signal, "CTRL_C_EVENT", signal.SIGINT))
                process.wait()
            raise
        status = process.wait()
        stdout.seek(0)
        printed = "\n".join([stdout.read(MAX_PRINTED).decode("utf-8", "replace").strip(), *said]).strip()
    if status:
        last = printed.splitlines()[-1] if printed else f"it ends with exit code {status}"
        raise SolverError(_object_in(last).get("error", {}).get("message") or last.removeprefix("Error: "))
    return Finished(printed, round(perf_counter() - began, 3), memory)


def _object_in(line: str) -> dict[str, Any]:
    """The object of JSON in a line; an empty one for another line."""
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
