"""A solve in a work folder, from which it resumes: its context, its identity and its result."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from errno import EDQUOT, ENOSPC
from functools import cached_property
from pathlib import Path

import numpy as np

from solver.database.metadata import Metadata
from solver.database.packed.block import Block
from solver.database.packed.counts import CountRow
from solver.database.packed.label_code import LabelCode
from solver.database.packed.writer import move_packed
from solver.database.schema import PACKED_FORMAT
from solver.engines.array_rules import rules_for
from solver.engines.memory import memory_for_files
from solver.engines.options import SolveOptions, missing_numba
from solver.engines.states import PackedStarts
from solver.engines.storage.context import Job, SolveContext
from solver.engines.storage.records import FORMAT, JobRecord
from solver.engines.storage.summed_file import is_whole
from solver.engines.storage.work_folder import WorkFolder
from solver.errors import BrokenRules, DamagedWork, DiskFull, OtherWork, SolverError, TooLarge, UnfitRules
from solver.packed import PackedGame
from solver.rules.arrays import Keys, distinct
from solver.rules.failures import rules_asked
from solver.rules.folding import Folding
from solver.rules.loading import game_name, game_parameters, game_place, load_game
from solver.rules.named import fingerprint, without_folder
from solver.system import resources
from solver.system.executors import counted, processes_here
from solver.system.files import link
from solver.system.plugins import release
from solver.system.progress import waiting

SHARDS_PER_THREAD, SHARDS_OF_CLUSTER = 4, 64
"""The number of shards of a large layer per thread, and for all workers of a cluster."""

HOW_TO_RESUME = "the same command goes on from the last finished step"


@dataclass(frozen=True)
class Solution:
    """The result of a solve; its blocks are still to be read, and its dictionary is in the work folder."""

    code: LabelCode
    moves: int
    parts: Iterable[Iterable[Block]]
    """The blocks in order; the blocks of a part are in the database when the next part is requested."""
    counts: Sequence[CountRow]


@dataclass(frozen=True)
class ResumableSolve:
    """A solve of a packed game in a work folder."""

    folding: Folding
    """The rules, and the classes of states that are solved as one."""
    starts: PackedStarts
    work: WorkFolder
    engine: str

    @property
    def options(self) -> SolveOptions:
        """The options of the solve."""
        return self.starts.options

    def context(self) -> SolveContext:
        """Open the work folder, to begin or to resume; raises `OtherWork`, `DamagedWork` and `TooLarge`."""
        context = _context(self.starts.game, self.job, self.options)
        if goes_on := JobRecord.read(self.work) == self._record:
            self.options.say(f"goes on with {self.work}")
        self.work.begin(asdict(self._record), force=self.options.force)
        if goes_on:
            self._drop_damaged(context)
        return context

    def _drop_damaged(self, context: SolveContext) -> None:
        """Delete the files of the work folder that have changed since they were written."""
        files = self.work.summed()
        with waiting(self.options.progress, "checking the work folder"):
            for path, is_unchanged in zip(files, context.map_ordered(is_whole, files), strict=True):
                if not is_unchanged:
                    self.options.say(f"{path} is damaged, so it is not used")
                    path.unlink()

    @cached_property
    def job(self) -> Job:
        """The solve, as other processes join it; raises `TooLarge`."""
        with rules_asked(self.starts.game, "ply", self._start):
            first_ply = self.starts.game.ply(self._start)
        folder, threads = self.work.path.resolve(), resources.cores()
        memory = memory_for_files(self.options.memory)
        shards, label_shards = SHARDS_PER_THREAD * threads, threads
        if (cluster := self.options.cluster) is not None:
            here, threads = processes_here(cluster), 1
            memory = memory // max(1, here)
            shards, label_shards = SHARDS_PER_THREAD * here or SHARDS_OF_CLUSTER, here or SHARDS_OF_CLUSTER
        rules = game_place(self.starts.game)
        return Job(folder, self._record, rules, first_ply, memory, threads, shards, label_shards)

    def first_states(self, context: SolveContext) -> Iterator[Keys]:
        """Yield the starts, in a folded solve their canonical forms, some at a time."""
        parts = self.starts.parts()
        return context.map_ordered(context.rules.representatives, parts) if context.fold else parts

    def all_first_states(self, context: SolveContext) -> Keys:
        """The states of `first_states` in ascending order, without duplicates."""
        return distinct(np.concatenate([*self.first_states(context)]))

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """Turn system errors into a `SolverError`.

        The work folder is deleted if the rules are at fault, or if nothing was computed.
        """
        try:
            with self._system_errors():
                yield
        except (SolverError, KeyboardInterrupt) as error:
            if isinstance(error, UnfitRules | BrokenRules) or self.work.is_new:
                self.work.remove()
            raise

    @contextmanager
    def _system_errors(self) -> Iterator[None]:
        try:
            yield
        except MemoryError as error:
            if isinstance(error, SolverError):
                raise
            raise TooLarge(f"there is not enough memory to go on; {HOW_TO_RESUME}") from error
        except OSError as error:
            if isinstance(error, FileNotFoundError) and not isinstance(error, SolverError):
                raise DamagedWork(f"{self.work.path} has lost {error.filename}: remove the folder") from error
            if error.errno not in (ENOSPC, EDQUOT):
                raise
            raise DiskFull(f"the disk of {self.work.path} is full: make room; {HOW_TO_RESUME}") from error

    def write(self, unfinished: Path, solution: Solution, starts: int) -> None:
        """Write the database, stating this number of starts, in the work folder; link it as `unfinished`."""
        states = sum(count.states for count in solution.counts)

        def parts() -> Iterator[Iterable[Block]]:
            yield from solution.parts
            rest.enter_context(waiting(self.options.progress, "finishing the file"))

        with self.refusals(), ExitStack() as rest:
            move_packed(
                self.work.database,
                parts(),
                solution.counts,
                self._about(solution, starts, states),
                self.work.read_dictionary(),
                states,
                counted(self.options.progress, "writing the file", states),
            )
            link(self.work.database, unfinished)

    @property
    def _start(self) -> int:
        return int(self.starts.firsts[0])

    @cached_property
    def _record(self) -> JobRecord:
        """The record of the job; an earlier one's rules are retained if they have the same play."""
        name, rules = game_name(self.starts.game), fingerprint(game_place(self.starts.game))
        place, play = name, rules.play
        begun = JobRecord.read(self.work)
        if begun is not None and without_folder(begun.game) == name and rules.knows(begun.rules):
            place, play = begun.game, begun.rules
        return JobRecord(
            format=FORMAT,
            program=release(),
            engine=self.engine,
            game=place,
            rules=play,
            parameters=json.dumps(game_parameters(self.starts.game)),
            starts=[*map(str, self.starts.firsts[:11].tolist())],
            endless=self.options.endless,
            degree=int(self.folding.degree),
        )

    def _about(self, solution: Solution, starts: int, states: int) -> dict[str, str]:
        values = [count.value for count in solution.counts]
        rows = Metadata(
            folding=self.folding,
            layout=PACKED_FORMAT,
            start=self._start,
            starts=starts,
            endless=self.options.endless,
            values=(min(values), max(values)),
            states=states,
            terminal=sum(count.states for count in solution.counts if count.is_terminal),
            moves=solution.moves,
        ).rows()
        return rows | solution.code.metadata_rows


def joined(job: Job) -> SolveContext:
    """The context of a process that joins a solve.

    Raises `MissingExtra` if the process has no numba, and `OtherWork` if it has another version of the
    program or of the rules, or sees another folder.
    """
    if (missing := missing_numba()) is not None:
        raise missing
    if (program := release()) != job.record.program:
        raise OtherWork(f"it has perfectplay {program}, the solve is by {job.record.program}")
    if JobRecord.read(WorkFolder(job.folder)) != job.record:
        raise OtherWork(
            f"it does not see the work of this solve in {job.folder}: name a folder that all workers share "
            "by --work"
        )
    if not fingerprint(job.rules).knows(job.record.rules):
        raise OtherWork(f"it has other rules of {job.rules}")
    game = load_game(job.rules, json.loads(job.record.parameters))
    assert isinstance(game, PackedGame)
    return _context(game, job, SolveOptions())


def _context(game: PackedGame, job: Job, options: SolveOptions) -> SolveContext:
    resources.open_many_files()  # each sorted run of a large layer is a file
    rules = rules_for(game, max(1, job.record.degree), say=options.say)
    return SolveContext(rules, job, options.progress)
