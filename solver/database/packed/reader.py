"""A solved game in the packed layout, which gives the same answers as the readable one.

A label has the value and the remoteness (label_code.py). All else follows from the rules and the children's
labels: whether play is over, utilities, and the outcome of each move.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from solver.database.columns import MISSING, Batch, Selection, fields_of
from solver.database.entry import Entry, KindCount
from solver.database.interface import Database
from solver.database.metadata import REQUIRED_KEYS
from solver.database.packed.arrays import entries_of, labels_of, labels_present, whole_game
from solver.database.packed.block_reader import Blocks
from solver.database.packed.counts import CountRow, checked_counts
from solver.database.packed.decoded import StateBatch
from solver.database.packed.keys.dictionary import stored_dictionary
from solver.database.packed.keys.key_code import KeyDecoder
from solver.database.packed.label_code import LabelCode, check_base, stated_code
from solver.database.packed.probe import (
    Stages,
    folding_of,
    probe_of,
    probed_entry,
    stage_and_label,
    stages_of,
)
from solver.database.packed.writer import digest
from solver.errors import SolverError, UnusableFile
from solver.game import SIGNS, outcome_of
from solver.packed import PackedGame
from solver.rules.arrays import Keys, batch_answers
from solver.rules.folding import Folding
from solver.rules.notation import is_state, known_state, state_number, write_action, write_position
from solver.system.progress import Progress, no_progress
from solver.system.words import number_of

KEYS_BEFORE = (*REQUIRED_KEYS, "label_bytes", "label_span", "counts_crc32", "crc32")
"""The keys that a file of the previous format must have."""


class PackedDatabase(Database):
    """A solved game in blocks; positions are ordered by stage, then by state."""

    entry_of, probe = probed_entry, probe_of
    lookup, present, whole = labels_of, labels_present, whole_game
    label_code: cached_property[LabelCode] = cached_property(stated_code)
    stages: cached_property[Stages] = cached_property(stages_of)
    _kinds: cached_property[list[CountRow]] = cached_property(checked_counts)
    layout = "packed"
    about_keys: ClassVar[tuple[str, ...]] = (*KEYS_BEFORE, "dictionary_crc32")
    stage_column: ClassVar[str] = "stage"
    """The name of the column of stages, in both tables."""

    def close(self) -> None:
        """Close the file and release the cached blocks, from any thread."""
        super().close()
        self.__dict__.pop("blocks", None)

    @cached_property
    def rules(self) -> PackedGame:
        """The rules, as `game`; raises `UnusableFile` unless states are integers."""
        if not isinstance(self.game, PackedGame):
            raise UnusableFile(f"{self.path} is packed, but states of {self.game_name} are no integers")
        return self.game

    @cached_property
    def key_decoder(self) -> KeyDecoder:
        """The decoder of keys; raises `DamagedFile`."""
        return KeyDecoder(stored_dictionary(self))

    @cached_property
    def blocks(self) -> Blocks:
        """The blocks; raises `DamagedFile` unless their number agrees with the counts."""
        longest = max(count.remoteness or 0 for count in self._kinds)
        check_base(self, self.label_code, self.stage_numbers[-1], longest)
        blocks = Blocks(self)
        if self.tuples("select max(id) from blocks") != [(blocks.count,)]:
            stated = number_of(blocks.count, "block")
            raise self.damage(f"it does not have the {stated} that its counts require")
        return blocks

    @cached_property
    def folding(self) -> Folding:
        """The classes of states of which the file has one each; raises `DamagedFile`."""
        return folding_of(self, self.label_code, self.rules)

    @cached_property
    def sizes(self) -> Counter[tuple[int, int]]:
        """The number of states in each series of blocks, by stage and is_terminal."""
        sizes = Counter[tuple[int, int]]()
        for count in self._kinds:
            sizes[count.stage, count.is_terminal] += count.states
        return sizes

    def asked_state(self, position: object) -> int:
        """The state that a text describes, or an integer is; it need not be in the file."""
        if not isinstance(position, str):
            return state_number(position)
        state = super().asked_state(position)
        if not is_state(state):
            raise self.unknown(position)
        return int(state)

    def __len__(self) -> int:
        """The number of positions."""
        return self.sizes.total()

    def __iter__(self) -> Iterator[str]:
        """Yield the positions, ordered by stage, then by state."""
        for states in self.states():
            yield from self.texts(states)

    def entries(self) -> Iterator[Entry]:
        """Every entry, in the order of the positions."""
        for states in self.states():
            yield from entries_of(self, states)

    def columns(self, names: Sequence[str], selection: Selection | None = None) -> Iterator[Batch]:
        """Yield the columns of these names of selected positions, in order, part by part; None for all."""
        chosen, fields = selection or Selection(), fields_of(self, names)
        plies, outcome, left = chosen.plies, chosen.outcome, chosen.remoteness
        stages = {
            count.stage
            for count in self._kinds
            if outcome in (None, outcome_of(count.value, count.to_move))
            and left in (None, count.remoteness)
            and (plies is None or count.stage in plies)
        }
        for states in self.states(sorted(stages)):
            rows = np.full(len(states.keys), True)
            if outcome is not None:
                rows &= self.gains(states) == SIGNS[outcome]
            if left is not None:
                rows &= self.remoteness(states) == left
            if rows.any():
                if not rows.all():
                    states = StateBatch(states.stage, *(column[rows] for column in states[1:]))
                yield tuple(np.asarray(field.of_packed(self, states), field.dtype) for field in fields)

    @property
    def packed(self) -> "PackedDatabase":
        """The file itself."""
        return self

    @cached_property
    def move_type(self) -> str:
        """The type of the names of moves: `integer` or `text`."""
        return "integer" if isinstance(write_action(self.rules, 0), int) else "text"

    @property
    def has_loops(self) -> bool:
        """Whether positions have no single ply."""
        return "labels" in self.about

    def counts(self) -> list[KindCount]:
        """The number of positions of each kind."""
        counts = Counter[KindCount]()
        for stage, is_terminal, mover, value, remoteness, states in self._kinds:
            ply, outcome = self.label_code.ply_of(stage), outcome_of(value, mover)
            counts[KindCount(ply, is_terminal == 1, outcome, value, remoteness, 0)] += states
        return [count._replace(positions=states) for count, states in counts.items()]

    @property
    def moves(self) -> int:
        """The number of moves in all positions."""
        return self.number("moves")

    @cached_property
    def tells_stages(self) -> bool:
        """Whether no state is stored at another stage than the rules give it, if they give any."""
        pairs = ((self.stages.by_rules(states.keys), states.stage) for states in self.states())
        return all(stages is None or bool((stages == stage).all()) for stages, stage in pairs)

    def digest(self, *, progress: Progress = no_progress) -> str:
        """The SHA-256 over all rows as they are now; `about["sha256"]` has it as they were written."""
        with self._reading() as connection:
            return digest(connection, progress=progress, total=len(self))

    def states(self, stages: Iterable[int] | None = None) -> Iterator[StateBatch]:
        """Yield the states of all stages, or of these, with all labels, in the order of the positions."""
        code = self.label_code
        for stage in self.stage_numbers if stages is None else stages:
            for states in self.blocks.states(stage):
                ends = states.keys[states.is_terminal]
                utilities = batch_answers(self.rules, "utility", ends)
                states.labels[states.is_terminal] = code.encode_ends(utilities, code.counted_from(stage))
                yield states

    def texts(self, states: StateBatch) -> list[str]:
        """The texts of states."""
        return [write_position(self.rules, key) for key in states.keys.tolist()]

    def plies(self, states: StateBatch) -> Keys:
        """Plies since a start; -1 where states have no single ply."""
        ply = self.label_code.ply_of(states.stage)
        return np.full(len(states.keys), MISSING if ply is None else ply)

    def gains(self, states: StateBatch) -> Keys:
        """1 for a win of the player to move, 0 for a draw, -1 for a loss."""
        return np.sign(self.label_code.values(states.labels)) * (1 - 2 * self.movers(states))

    def movers(self, states: StateBatch) -> Keys:
        """The players to move, 0 or 1."""
        return batch_answers(self.rules, "to_move", states.keys)

    def remoteness(self, states: StateBatch) -> Keys:
        """Plies to the end under best play; -1 if no end is forced."""
        return np.where(states.is_terminal, 0, self.label_code.remoteness(states.labels, states.stage))

    def stage_and_label(self, state: int) -> tuple[int, int]:
        """The stage and the label of a state; raises `UnknownPosition`."""
        stage_label = stage_and_label(self, state)
        if stage_label is None:
            raise self.unknown(self._named(state))
        return stage_label

    def _named(self, state: int) -> str:
        try:
            return write_position(self.rules, known_state(self.rules, state))
        except SolverError:
            return str(state)

    @cached_property
    def stage_numbers(self) -> list[int]:
        """All stages, in ascending order."""
        return sorted({stage for stage, _ in self.sizes})


class PlanesDatabase(PackedDatabase):
    """A file of the previous format, which calls a stage a ply, stores gaps in planes, has no dictionary."""

    about_keys, stage_column = KEYS_BEFORE, "ply"

    @cached_property
    def key_decoder(self) -> KeyDecoder:
        """The decoder of keys."""
        return KeyDecoder(planes=True)
