"""Chooses who does the tasks of a proof: this process, worker processes, or the workers of a cluster."""

import sys
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from hashlib import sha256
from tempfile import TemporaryDirectory

from solver.database.packed.block import BLOCK
from solver.database.packed.reader import PackedDatabase
from solver.proof.packed.checker import Checker
from solver.proof.packed.layers import tasks as layers
from solver.proof.packed.loops import tasks as loops
from solver.rules.loading import game_place
from solver.rules.named import as_named
from solver.rules.source import trust
from solver.system import resources
from solver.system.executors import InProcess, TaskExecutor, WorkerPool, cluster_at
from solver.system.files import user_folder
from solver.system.ledger import Ledger
from solver.system.plugins import release
from solver.system.resources import cores

PARALLEL_FROM = 1 << 25
"""The number of states times actions from which starting worker processes pays."""

WORKER = "solver.proof.packed.worker"
"""The module that worker processes run."""

BYTES_PER_PROCESS = 1 << 29
"""Bytes of memory that a process may need, besides the children that it collects."""

PROCESSES_OF_CLUSTER = 16
"""The number of workers of a cluster that a file is divided for."""


@dataclass(frozen=True)
class Workforce:
    """The processes that do the tasks of the proof of a file."""

    db: PackedDatabase
    processes: int
    """The number of processes that tasks are divided for; 1 for this process alone."""
    cluster: str | None

    @property
    def children_at_once(self) -> int:
        """The number of children that a process collects: as many as fit into half of its memory.

        The memory of the workers of a cluster is unknown: they collect the least number.
        """
        least, most = layers.CHILDREN_AT_ONCE, layers.MAX_CHILDREN_AT_ONCE
        if self.cluster is not None:
            return least
        return max(least, min(resources.available() // self.processes // 2 // layers.BYTES_PER_CHILD, most))

    def work_folder(self) -> AbstractContextManager[str | None]:
        """A temporary folder for the proof of a game with loops; None for other games."""
        if not self.db.has_loops:
            return nullcontext()
        beside = None if self.cluster is None else self.db.path.resolve().parent
        return TemporaryDirectory(prefix="perfectplay-", dir=beside, ignore_cleanup_errors=True)

    def ledger(self) -> Ledger | None:
        """The ledger of the proof of a large file in layers; None for others.

        It is in the user's own folder: a ledger beside the file might be the work of whoever made the file.
        The digest, which is checked last, shows whether the file is still the one whose plies were proved.
        """
        folder = user_folder()
        if self.processes == 1 or self.db.has_loops or folder is None:
            return None
        path = str(self.db.path.resolve())
        subject = {"file": path, "program": release()}
        subject |= {"sha256": self.db.about["sha256"], "rules": as_named(self.db.game)["play"]}
        with suppress(OSError):
            (folder / "proofs").mkdir(parents=True, exist_ok=True)
            return Ledger(folder / "proofs" / sha256(path.encode()).hexdigest()[:32], subject)
        return None

    def executor(self, checker: Checker, work: str | None) -> TaskExecutor:
        """The executor of the tasks; `work` is their folder."""
        if self.processes == 1 and self.cluster is None:
            return InProcess(checker.done)
        place, by_class = game_place(self.db.game), checker.rules.by_class
        opening = self.db.path.resolve(), place, work, by_class, trust.allowed()
        if self.cluster is not None:
            return cluster_at(self.cluster, WORKER, opening)
        return WorkerPool(WORKER, opening, self.processes)


def states_at_most(db: PackedDatabase) -> int:
    """The most states that the blocks of a file can hold; the counts are not proved yet."""
    ((last,),) = db.tuples("select max(id) from blocks")
    return BLOCK * (last or 0)


def is_large(db: PackedDatabase) -> bool:
    """Whether the proof of a file is worth several processes."""
    return states_at_most(db) * db.rules.action_count >= PARALLEL_FROM


def workforce_for(db: PackedDatabase, processes: int | None, cluster: str | None) -> Workforce:
    """The workforce for a file: as requested, or as many processes as pay and fit into memory."""
    if cluster is not None:
        return Workforce(db, PROCESSES_OF_CLUSTER, cluster)
    if processes is None:
        states = states_at_most(db)
        at_once = (loops if db.has_loops else layers).CHILDREN_AT_ONCE
        needed = BYTES_PER_PROCESS + layers.BYTES_PER_CHILD * min(states, at_once)
        room = min(cores(), resources.available() // needed)
        processes = max(1, room) if is_large(db) and sys.executable else 1
    return Workforce(db, processes, None)
