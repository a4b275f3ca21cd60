"""What is known of a finished step of a solve, as a file of JSON in its work folder."""

from dataclasses import asdict, dataclass, fields
from typing import ClassVar, Self, get_origin

from solver.engines.storage.work_folder import WorkFolder
from solver.errors import DamagedWork

FORMAT = 7
"""The format of work folders. One of another format was left by another release, and is refused."""


@dataclass(frozen=True)
class Record:
    """Facts in a file, which appears whole, when all other files that it tells of are on disk.

    The name of the file of one of a stage, or layer, begins with its number: `0007.found`, `0007.round3`.
    """

    suffix: ClassVar[str]
    """The end of the name of its file."""
    lasts: ClassVar[bool] = True
    """Whether the files that it tells of are needed when their stage is finished."""

    @classmethod
    def read(cls, work: WorkFolder, stage: int | None = None, nth: int | None = None) -> Self | None:
        """The record; None if there is none, or other facts are in its file: the step is not finished."""
        facts = work.facts(cls._name(stage, nth))
        kinds = {field.name: get_origin(field.type) or field.type for field in fields(cls)}
        if facts is None or {key: type(value) for key, value in facts.items()} != kinds:
            return None
        return cls(**facts)

    @classmethod
    def finished(cls, work: WorkFolder, stage: int) -> Self:
        """The record of a step that is finished; raises `DamagedWork`."""
        if (record := cls.read(work, stage)) is None:
            raise DamagedWork(f"{work.path} has lost {cls._name(stage)}: remove the folder")
        return record

    def write(self, work: WorkFolder, stage: int | None = None, nth: int | None = None) -> Self:
        """Mark the step as finished, unless files that it tells of may be held; returns the record."""
        if self.lasts or not work.held.is_open:
            work.finish(self._name(stage, nth), asdict(self))
        return self

    @classmethod
    def _name(cls, stage: int | None, nth: int | None = None) -> str:
        name = cls.suffix if stage is None else f"{stage:04}.{cls.suffix}"
        return name if nth is None else f"{name}{nth}"


@dataclass(frozen=True)
class JobRecord(Record):
    """What is solved: a solve resumes only from a folder that was begun by the same job."""

    suffix = "job.json"
    format: int
    program: str
    engine: str
    game: str
    rules: str
    """The fingerprint of the rules."""
    parameters: str
    starts: list[str]
    """The first few: with the rules they determine all, or there is one that the user chose."""
    endless: str
    degree: int
    """The `Folding.degree`."""


@dataclass(frozen=True)
class SizedRecord(Record):
    """A record that has the number of states."""

    open_states: int
    terminal: int
    shards: int
    """The shards of the files of its states."""

    @property
    def states(self) -> int:
        """The number of states."""
        return self.open_states + self.terminal


@dataclass(frozen=True)
class FoundLayer(SizedRecord):
    """A layer of which all states are found."""

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
    """Canonical forms in all runs."""
    parents: int
    """States of the layer before."""


@dataclass(frozen=True)
class LayerLabels(Record):
    """A layer of which the open states are labelled."""

    suffix = "labels"
    moves: int
    shards: int


@dataclass(frozen=True)
class SolvedLayer(Record):
    """A layer the blocks of which are written."""

    suffix = "solved"
    moves: int
    counts: list[list[int]]
    """(is_terminal, mover, label, states) for each kind of states."""
    blocks: int
    """Shards of blocks."""


@dataclass(frozen=True)
class FoundStarts(Record):
    """The states in which play begins, which are in files by tier."""

    suffix = "starts"
    states: int
    tiers: list[list[int]]
    """The tiers, each before the numbers of the shards with its states."""


@dataclass(frozen=True)
class FoundRound(Record):
    """A round of the search for the states of a stage."""

    suffix = "round"
    lasts = False
    known: list[list[int]]
    """The states that are found, as lists of first round, last round, open states, terminal ones, shards.

    Those of the last round come last, alone.
    """
    margin: int
    """The greatest absolute utility."""
    moves: int
    """The number of moves that were followed."""
    exits: list[list[int]]
    """Later tiers to which moves led, each before the numbers of the shards with the states there."""


@dataclass(frozen=True)
class LinkedStage(Record):
    """A stage of which the parents of all states are found."""

    suffix = "linked"
    lasts = False
    bounds: list[int]
    """The ranges of pieces of its open states."""
    moves: int
    floors: list[list[list[int]]]
    """For each range: the labels that moves out of the stage offer, and to how many of its states."""


@dataclass(frozen=True)
class SettledLabel(Record):
    """The states of a stage that get a label."""

    suffix = "settled"
    lasts = False
    states: int
    files: int
    messages: list[list[int]]
    """Ranges with parents of these states, and how many there are in each."""


@dataclass(frozen=True)
class ReachedStage(SizedRecord):
    """A stage of which all states are found."""

    suffix = "reached"
    tier: int
    margin: int
    """The greatest absolute utility."""
    exits: list[list[int]]
    """Later tiers to which moves lead, each before the numbers of the shards with the states there."""

    @property
    def exit_tiers(self) -> list[int]:
        """The later tiers to which moves lead."""
        return sorted({tier for tier, *_ in self.exits})


@dataclass(frozen=True)
class StageLabels(Record):
    """A stage of which the open states are labelled."""

    suffix = "labelled"
    moves: int
    remoteness: int
    """The greatest one."""
    shards: int


@dataclass(frozen=True)
class UnfoldedStage(SizedRecord):
    """A stage of which all states are made out of one of each class."""

    suffix = "unfolded"
    moves: int
