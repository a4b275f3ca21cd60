"""Records of finished steps of a solve, as JSON files in its work folder."""

from dataclasses import asdict, dataclass, fields
from typing import ClassVar, Self, get_origin

from solver.engines.storage.work_folder import WorkFolder
from solver.errors import DamagedWork

FORMAT = 8
"""The format of work folders. A folder of another format is from another release, and refused."""


@dataclass(frozen=True)
class Record:
    """Facts in a file, which appears complete, after all other files that it describes are on disk.

    The name of a record of a stage, or layer, begins with its number: `0007.found`, `0007.round3`.
    """

    suffix: ClassVar[str]
    """The end of the name of the file."""
    lasts: ClassVar[bool] = True
    """Whether the files that it describes are needed after their stage is finished."""

    @classmethod
    def read(cls, work: WorkFolder, stage: int | None = None, nth: int | None = None) -> Self | None:
        """The record; None if its file is missing or has other facts: the step is not finished."""
        facts = work.facts(cls._name(stage, nth))
        kinds = {field.name: get_origin(field.type) or field.type for field in fields(cls)}
        if facts is None or {key: type(value) for key, value in facts.items()} != kinds:
            return None
        return cls(**facts)

    @classmethod
    def finished(cls, work: WorkFolder, stage: int) -> Self:
        """The record of a finished step; raises `DamagedWork` if it is missing."""
        if (record := cls.read(work, stage)) is None:
            raise DamagedWork(f"{work.path} has lost {cls._name(stage)}: remove the folder")
        return record

    def write(self, work: WorkFolder, stage: int | None = None, nth: int | None = None) -> Self:
        """Mark the step as finished, unless files that it describes may be held; return the record."""
        if self.lasts or not work.held.is_open:
            work.finish(self._name(stage, nth), asdict(self))
        return self

    @classmethod
    def _name(cls, stage: int | None, nth: int | None = None) -> str:
        name = cls.suffix if stage is None else f"{stage:04}.{cls.suffix}"
        return name if nth is None else f"{name}{nth}"


@dataclass(frozen=True)
class JobRecord(Record):
    """The job: a solve resumes only from a folder that was begun by the same job."""

    suffix = "job.json"
    format: int
    program: str
    engine: str
    game: str
    rules: str
    """The fingerprint of the rules."""
    parameters: str
    starts: list[str]
    """The first few starts: with the rules they determine all, unless the user chose a single one."""
    endless: str
    degree: int
    """The `Folding.degree`."""


@dataclass(frozen=True)
class SizedRecord(Record):
    """A record with numbers of states."""

    open_states: int
    terminal: int
    shards: int
    """The number of shards of the files of states."""

    @property
    def states(self) -> int:
        """The number of states."""
        return self.open_states + self.terminal


@dataclass(frozen=True)
class FoundLayer(SizedRecord):
    """A layer whose states are all found."""

    suffix = "found"
    margin: int
    """The greatest absolute utility."""
    is_confirmed: bool
    """Whether the rules confirm the ply of every state."""


@dataclass(frozen=True)
class FoldedLayer(Record):
    """A layer for which the canonical forms of non-canonical children are collected."""

    suffix = "folded"
    shards: int
    collected: int
    """The number of canonical forms in all runs."""
    parents: int
    """The number of open states of the layer before."""


@dataclass(frozen=True)
class LayerLabels(Record):
    """A layer whose open states are labelled."""

    suffix = "labels"
    moves: int
    shards: int


@dataclass(frozen=True)
class SolvedLayer(Record):
    """A layer whose blocks are written."""

    suffix = "solved"
    moves: int
    counts: list[list[int]]
    """(is_terminal, mover, label, states) for each kind of states."""
    blocks: int
    """The number of shards of blocks."""


@dataclass(frozen=True)
class FoundStarts(Record):
    """The starts, in files by tier."""

    suffix = "starts"
    states: int
    tiers: list[list[int]]
    """[tier, number of a shard with its states, ...] for each tier."""


@dataclass(frozen=True)
class FoundRound(Record):
    """A round of the search for the states of a stage."""

    suffix = "round"
    lasts = False
    known: list[list[int]]
    """The states found so far, as lists (first round, last round, open states, terminal states, shards).

    The last list has the states of the last round alone.
    """
    margin: int
    """The greatest absolute utility."""
    moves: int
    """The number of moves that were played."""
    exits: list[list[int]]
    """[tier, number of a run] for each run of states of a later tier that moves led to."""


@dataclass(frozen=True)
class LinkedStage(Record):
    """A stage for whose states all parents are found."""

    suffix = "linked"
    lasts = False
    bounds: list[int]
    """The ranges of pieces of its open states."""
    moves: int
    floors: list[list[list[int]]]
    """For each range, the pairs (gain, number of states whose floor it is)."""


@dataclass(frozen=True)
class SettledLabel(Record):
    """A label whose states in a stage are settled."""

    suffix = "settled"
    lasts = False
    states: int
    files: int
    messages: list[list[int]]
    """(range, number of messages to it) for each range with parents of these states."""


@dataclass(frozen=True)
class ReachedStage(SizedRecord):
    """A stage whose states are all found."""

    suffix = "reached"
    tier: int
    margin: int
    """The greatest absolute utility."""
    exits: list[list[int]]
    """[tier, number of a shard with its states, ...] for each later tier that moves lead to."""


@dataclass(frozen=True)
class StageLabels(Record):
    """A stage whose open states are labelled."""

    suffix = "labelled"
    moves: int
    remoteness: int
    """The greatest remoteness."""
    shards: int


@dataclass(frozen=True)
class UnfoldedStage(SizedRecord):
    """A stage whose states are all made from one of each class."""

    suffix = "unfolded"
    moves: int
