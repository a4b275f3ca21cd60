"""Runs a job of a batch: solves the game, checks the expected figures, and makes the listed outputs.

Each command runs as a `perfectplay` process of its own, whose time and memory are measured.
"""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from tempfile import TemporaryFile
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.analysis.statistics import statistics
from solver.commands.batch.catalogue import digest_of
from solver.commands.batch.jobs import BatchJob, BatchLine
from solver.database import open_database
from solver.engines.solve import is_current
from solver.errors import SolverError, message_of
from solver.system.plugins import release
from solver.system.progress import Progress, waiting
from solver.system.words import number_of

if TYPE_CHECKING:
    from sqlite_utils import Database as Catalogue

MAX_PRINTED = 100_000
"""The most bytes of standard output that are recorded."""

GRACE = 2.0
"""Seconds to wait for a process that Ctrl-C may have interrupted, too, before it is sent SIGINT."""


class Finished(NamedTuple):
    """The output and cost of a command that succeeded."""

    printed: str
    seconds: float
    memory: int | None
    """The peak memory of its process, in bytes; None where the system does not report it."""


def run_program(words: Sequence[str], folder: Path, progress: Callable[[dict[str, Any]], object]) -> Finished:
    """Run `perfectplay` with the arguments `words` in a folder; `progress` gets its progress as JSON objects.

    Raises `SolverError` with its message if it fails, and, after it has ended, `KeyboardInterrupt`.
    """
    began, memory, messages = perf_counter(), None, list[str]()
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
                progress(report) if "task" in report else messages.append(line)
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
        output = stdout.read(MAX_PRINTED).decode("utf-8", "replace").strip()
        printed = "\n".join([output, *messages]).strip()
    if status:
        last = printed.splitlines()[-1] if printed else f"it ends with exit code {status}"
        raise SolverError(_object_in(last).get("error", {}).get("message") or last.removeprefix("Error: "))
    return Finished(printed, round(perf_counter() - began, 3), memory)


def _object_in(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


PROGRAM = f"perfectplay {release()}"
"""The program and its version, on which outputs depend."""


@dataclass
class BatchOutcome:
    """The outcome of a job."""

    name: str
    states: int | None = None
    value: int | None = None
    remoteness: int | None = None
    seconds: float = 0.0
    """The wall-clock time of this run."""
    status: str = "up to date"
    """`done`, `up to date` or `failed`."""
    failure: str | None = None
    """The reason of the first failure; None if there is none."""
    outputs: list[dict[str, str | None]] = field(default_factory=list)
    """For each line, its text (`line`), the `file` that it writes and its `status`, as above."""

    def in_words(self, width: int) -> str:
        """The outcome in one line, which begins with the name, padded to `width` characters."""
        figures = ""
        if self.states is not None:
            remoteness = "-" if self.remoteness is None else self.remoteness
            states = number_of(self.states, "state")
            figures = f"{states:>21}  value {self.value:>2}  remoteness {remoteness:>3}  "
        reason = "" if self.failure is None else f": {self.failure}"
        return f"{self.name:<{width}}  {figures}{self.status}{reason}, {self.seconds:.2f} s"


@dataclass
class JobRun:
    """A run of one job: it solves the game, checks its figures and runs its lines."""

    job: BatchJob
    home: Path
    """The folder of the batch file, in which the solve runs."""
    folder: Path
    """The output folder, in which the lines run."""
    catalogue: "Catalogue"
    force: bool
    """Whether to solve and make everything anew, even if it is up to date."""
    progress: Progress
    heading: str
    """The prefix of each task in progress reports."""

    def __post_init__(self) -> None:
        self.path, self.outcome = self.folder / f"{self.job.name}.db", BatchOutcome(self.job.name)

    def run(self) -> BatchOutcome:
        """Run the whole job, even if a line fails; return the outcome, which the catalogue records."""
        began, outcome, games = perf_counter(), self.outcome, self.catalogue.table("games")
        try:
            database = self._solve()
            for line in self.job.lines:
                self._make(line, database)
        except SolverError as error:
            outcome.failure = message_of(error)
        if outcome.failure is not None:
            outcome.status = "failed"
        outcome.seconds = round(perf_counter() - began, 3)
        lines = json.dumps([line.text for line in self.job.lines])
        unlisted = "game = ? and line not in (select value from json_each(?))", [self.job.name, lines]
        self.catalogue.table("outputs").delete_where(*unlisted)
        games.upsert({"name": self.job.name, "failure": outcome.failure})
        return outcome

    def _solve(self) -> str:
        """Solve the game unless it is up to date, check its figures, and return the database's digest."""
        job, outcome, row = self.job, self.outcome, dict[str, Any]()
        if self.force or not is_current(job.game, self.path, job.options):
            words = ["solve", *job.words, "-o", str(self.path), "--json", "--json-progress"]
            done = self._run([*words, *["--force"] * (self.force or self._is_ours())], self.home)
            outcome.status, row = "done", {"seconds": done.seconds, "peak_memory": done.memory}
        with open_database(self.path) as db:
            db.game, start = job.game, db[db.start]
            outcome.states, outcome.value, outcome.remoteness = len(db), start.value, start.remoteness
            row |= {"name": job.name, "command": f"perfectplay solve {job.text}", "source": job.source}
            row |= {"states": len(db), "moves": db.moves, "value": start.value, "best_move": start.best_move}
            row |= {"remoteness": start.remoteness, "bytes": self.path.stat().st_size}
            row |= {key: db.about[key] for key in ("rules", "sha256")}
            self.catalogue.table("games").upsert(row)
            figures = statistics(db) if job.expect else {}
        for key, expected in job.expect.items():
            if figures.get(key) != expected:
                raise SolverError(f"{key} should be {expected}, not {figures.get(key)}")
        return str(row["sha256"])

    def _is_ours(self) -> bool:
        """Whether the existing database, if any, is in the catalogue, so that it may be replaced."""
        if not self.path.exists():
            return False
        with open_database(self.path) as db:
            recorded = "name = ? and sha256 = ?", [self.job.name, db.about["sha256"]]
        return bool(self.catalogue.table("games").count_where(*recorded))

    def _make(self, line: BatchLine, database: str) -> None:
        outputs, status = self.catalogue.table("outputs"), "up to date"
        file = next(iter(line.outputs), None)
        last = next(outputs.rows_where("game = ? and line = ?", [self.job.name, line.text]), {})
        paths = [self.folder / file for file in line.outputs]
        is_unchanged = bool(last) and last["sha256"] == digest_of(paths)
        if self.force or not is_unchanged or (last["database"], last["program"]) != (database, PROGRAM):
            key = {"game": self.job.name, "line": line.text}
            was_killed = bool(last) and last["program"] is None
            if is_unchanged or was_killed or (last and self.force):
                _delete(paths)  # some commands never replace
            new = [path for path in paths if not path.exists()]
            if paths and new == paths:
                outputs.upsert({**key, "file": file, "program": None})
            try:
                done = self._run(line.words, self.folder)
            except KeyboardInterrupt:
                _delete(new)  # it may have written all or some of them, and would not replace them
                self._restore({} if was_killed else last, key, new)
                raise
            except SolverError as error:
                self._restore({} if was_killed else last, key, new)
                status = "failed"
                self.outcome.failure = self.outcome.failure or f"{line.text}: {message_of(error)}"
            else:
                status = self.outcome.status = "done"
                row = {**key, "database": database, "program": PROGRAM}
                written = {"file": file, "sha256": digest_of(paths)}
                outputs.upsert({**row, **written, "printed": done.printed, "seconds": done.seconds})
        self.outcome.outputs.append({"line": line.text, "file": file, "status": status})

    def _restore(self, last: dict[str, Any], key: dict[str, str], new: list[Path]) -> None:
        """Record the `last` output of a command again, if any, unless it has left one of its new files."""
        if not any(path.exists() for path in new):
            outputs = self.catalogue.table("outputs")
            outputs.delete_where("game = ? and line = ?", list(key.values()))
            outputs.insert_all([last] if last else [])

    def _run(self, words: Sequence[str], folder: Path) -> Finished:
        def report(step: dict[str, Any]) -> None:
            self.progress(f"{self.heading}: {step['task']}", step["done"], step["total"])

        if words[0] == "solve":
            return run_program(words, folder, report)
        with waiting(self.progress, f"{self.heading}: {words[0]}"):
            return run_program(words, folder, report)


def _delete(paths: Sequence[Path]) -> None:
    for path in paths:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
