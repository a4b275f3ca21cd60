"""A solved game in the packed layout: the same answers as from the readable one, out of blocks.

A label says value and remoteness (labels.py). What is not stored follows from the rules: whether play
is over and what that is worth; and a move is worth what the state is worth that it leads to, one ply on.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from solver.answers import Answers
from solver.arrays import Flags, Keys, each
from solver.database import ABOUT, Database
from solver.entry import OUTCOMES, Count, Entry, Probe, outcome_of
from solver.errors import UnusableFile
from solver.game import ENDLESS
from solver.notation import read_position, write_action, write_position
from solver.packed import PackedGame
from solver.packed_layout.entry import entry_of, probe_of
from solver.packed_layout.file import COUNTS, crc32_of, digest
from solver.packed_layout.labels import LabelForm
from solver.packed_layout.lookup import Found, found_among, present_among
from solver.packed_layout.reading import Blocks, States
from solver.packed_layout.shelf import Shelf
from solver.progress import Progress, no_progress

MAPPED = 1 << 40
"""Bytes of the file that SQLite may map into memory instead of copying pages: all, as far as it can."""

GAINS = {name: gain for gain, name in OUTCOMES.items()}


class PackedDatabase(Database):
    """A solved game, in blocks; positions come by ply, those of a ply in ascending order of states."""

    about_keys = (*ABOUT, "label_bytes", "label_span", "counts_crc32", "crc32")

    def __init__(self, path: str | Path, *, errors: str = "strict") -> None:
        """Open the file at `path`, as `open_database` does."""
        super().__init__(path, errors=errors)
        self._connection.execute(f"pragma mmap_size = {MAPPED}")
        told = sorted((key, text) for key, text in self.about.items() if key not in ("crc32", "sha256"))
        if self.about["crc32"] != str(crc32_of(told)):
            self.close()
            raise self.damage("the checksum of about is another")

    @cached_property
    def rules(self) -> PackedGame:
        """The rules, as `game`, of a game whose states are integers."""
        if not isinstance(self.game, PackedGame):
            raise UnusableFile(f"{self.path} is packed, but states of {self.game_name} are no integers")
        return self.game

    @cached_property
    def form(self) -> LabelForm:
        """How labels are written."""
        margin = max(1, *map(abs, self.value_range))
        form = LabelForm(self.number("label_span"), margin, ENDLESS[self.endless])
        if form.described["label_bytes"] != self.about["label_bytes"]:
            raise self.damage(f"labels of {self.about['label_bytes']} bytes")
        return form

    @cached_property
    def blocks(self) -> Blocks:
        """The blocks."""
        return Blocks(self._connection, self.damage, self.form.dtype, self.sizes)

    @cached_property
    def shelf(self) -> Shelf:
        """Where labels are found."""
        start = read_position(self.rules, self.start)
        return Shelf(self.rules, self.form, self.blocks, self.folded, self.plies, start)

    @cached_property
    def sizes(self) -> Counter[tuple[int, int]]:
        """How many states there are in each series of blocks, by ply and is_terminal."""
        found = Counter[tuple[int, int]]()
        for ply, is_terminal, *_, states in self._kinds:
            found[ply, is_terminal] += states
        return found

    def __getitem__(self, position: str) -> Entry:
        """The entry of a position."""
        state = read_position(self.rules, position)
        return entry_of(self.shelf, state, *self._found(state))

    def __len__(self) -> int:
        """The number of positions."""
        return self.sizes.total()

    def __iter__(self) -> Iterator[str]:
        """The positions, by ply, those of a ply in ascending order of states."""
        for states in self.states():
            yield from self._texts(states.keys)

    def entries(self) -> Iterator[Entry]:
        """Every entry, in the order of the positions."""
        for states in self.states():
            for key, label in zip(states.keys.tolist(), states.labels.tolist(), strict=True):
                yield entry_of(self.shelf, key, states.ply, label)

    def undecided(self) -> Iterator[str]:
        """The positions in which the game is not over, in order."""
        for states in self.states():
            yield from self._texts(states.keys[~states.is_terminal])

    def having(self, outcome: str, remoteness: int) -> Iterator[tuple[int | None, str]]:
        """The ply and the text of each position with this outcome and remoteness, in order of plies."""
        kinds = [kind for kind in self.counts() if kind.outcome == outcome and kind.remoteness == remoteness]
        for states in self.states(sorted({kind.ply for kind in kinds if kind.ply is not None})):
            gains = np.sign(self.form.values(states.labels)) * (1 - 2 * self.movers(states))
            wanted = (gains == GAINS[outcome]) & (self.remoteness(states) == remoteness)
            for text in self._texts(states.keys[wanted]):
                yield states.ply, text

    def probe(self, position: str | int) -> Probe:
        """The labels and the best moves of a position, or of a state; see `Database.probe`."""
        state = read_position(self.rules, position) if isinstance(position, str) else position
        return probe_of(self.shelf, state, *self._found(state))

    def counts(self) -> list[Count]:
        """How many positions there are of each kind."""
        return [
            Count(ply, bool(is_terminal), outcome_of(value, mover), value, remoteness, states)
            for ply, is_terminal, mover, value, remoteness, states in self._kinds
        ]

    @property
    def moves(self) -> int:
        """The number of moves in all positions."""
        return self.number("moves")

    def lookup(self, positions: Sequence[str] | Keys, *, best: bool = True) -> Answers:
        """What is known of many positions at once; see `Database.lookup`."""
        states = self._as_states(positions)
        plies, found = found_among(self.shelf, states, best=best)
        for at in np.flatnonzero(~found.present | found.lost)[:1].tolist():
            self._found(int(states[at]))
            raise self.damage(f"{write_position(self.rules, int(states[at]))!r}, or what it leads to")
        return Answers(
            self.form.values(found.labels),
            self._plies_left(states, found, plies),
            tuple(write_action(self.rules, action) for action in range(found.best.shape[1])),
            found.best,
        )

    def present(self, states: Keys) -> tuple[Flags, Keys, Keys]:
        """Which of many states are in the file, their values, and their remoteness, -1 for none.

        Where the rules tell the ply of a state, it is sought there alone: that they tell the truth is for the
        caller to see, by `told_plies`.
        """
        plies, found = present_among(self.shelf, states)
        return found.present, self.form.values(found.labels), self._plies_left(states, found, plies)

    def _plies_left(self, states: Keys, found: Found, plies: Keys) -> Keys:
        """Plies to the end from states; -1 where play need not end."""
        over = each(self.rules.is_terminal(states), states) != 0
        return np.where(over, 0, self.form.remoteness(found.labels, plies))

    def _as_states(self, positions: Sequence[str] | Keys) -> Keys:
        """The states of positions, which may be states already."""
        if isinstance(positions, np.ndarray) and positions.dtype.kind in "iu":
            return positions.astype(np.int64, copy=False)
        return np.array([read_position(self.rules, text) for text in positions], np.int64)

    def digest(self, *, progress: Progress = no_progress) -> str:
        """The SHA-256 over all rows as they are now; `about["sha256"]` is that of when they were written."""
        with self._reading():
            return digest(self._connection, progress=progress, total=len(self))

    def states(self, plies: Iterable[int] | None = None) -> Iterator[States]:
        """The states of all plies, or of those that are asked for, in the order of the positions."""
        for ply in self.plies if plies is None else plies:
            for states in self.blocks.states(ply):
                ends = states.keys[states.is_terminal]
                utilities = each(self.rules.utility(ends), ends)
                states.labels[states.is_terminal] = self.form.of_ends(utilities, ply)
                yield states

    def movers(self, states: States) -> Keys:
        """The players to move, 0 or 1."""
        return each(self.rules.to_move(states.keys), states.keys)

    def remoteness(self, states: States) -> Keys:
        """Plies to the end under best play; -1 where it need not end."""
        return np.where(states.is_terminal, 0, self.form.remoteness(states.labels, states.ply))

    def _found(self, state: int) -> tuple[int, int]:
        """The ply and the label of a state; raises `UnknownPosition`."""
        found = self.shelf.find(state)
        if found is None:
            raise self.unknown(write_position(self.rules, state))
        return found

    @cached_property
    def plies(self) -> list[int]:
        """All plies, in ascending order."""
        return sorted({ply for ply, _ in self.sizes})

    @cached_property
    def _kinds(self) -> list[tuple[Any, ...]]:
        """The rows of the table of counts."""
        rows = [tuple(row) for row in self.rows(COUNTS)]
        if self.about["counts_crc32"] != str(crc32_of(rows)):
            raise self.damage("the checksum of counts is another")
        return rows

    def _texts(self, keys: Keys) -> Iterator[str]:
        return (write_position(self.rules, key) for key in keys.tolist())
