"""The difference of two solved games: the positions whose value or remoteness differs.

Two positions are the same if both games write them as the same text; for packed files with the same rules and
parameters, if they are the same integer. A position of a folded file is looked up by all positions of its
class, as play in the other file may reach only one of them, or the other rules may have smaller classes.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.analysis.classes import Names, mapped
from solver.database import Database
from solver.database.columns import MISSING
from solver.database.interface import written_state
from solver.errors import NothingInCommon
from solver.game import AnyGame, outcome_sign
from solver.rules.arrays import Flags, Keys
from solver.rules.asking import board_of
from solver.rules.failures import rules_asked
from solver.rules.folding import SignedMap
from solver.rules.notation import write_position
from solver.system.progress import Progress, no_progress, reported


class Kind(NamedTuple):
    """The key by which common positions are counted."""

    ply: int | None
    """The plies since a start; None in a file of a game in which lines of play of different lengths meet."""
    values: tuple[int, int]
    """The minimax values in A and in B, for the first player."""
    as_soon: bool
    """Whether the remoteness is the same in both."""


CHANGES: dict[str, Callable[[Kind], bool]] = {
    "value": lambda kind: kind.values[0] != kind.values[1],
    "outcome": lambda kind: outcome_sign(kind.values[0]) != outcome_sign(kind.values[1]),
    "remoteness": lambda kind: kind.values[0] == kind.values[1] and not kind.as_soon,
}
"""The kinds of changes: of the value; of the outcome; of the remoteness at the same value."""


@dataclass(frozen=True)
class Difference:
    """The difference of two solved games, A and B.

    If both files are folded, a position represents its class of symmetric positions.
    """

    common: Counter[Kind]
    """The number of common positions of each kind."""
    only: tuple[Counter[int | None], Counter[int | None]]
    """The number of positions, by ply, that are only in A, and only in B."""
    other_value: Sequence[str]
    """The first positions whose value changes, by ply and then in the order of the file."""
    other_remoteness: Sequence[str]
    """The first positions whose remoteness changes at the same value."""
    first_only: tuple[Sequence[str], Sequence[str]]
    """The first positions that are only in A, and only in B."""

    @property
    def same(self) -> bool:
        """Whether both have the same positions, with the same values and remoteness."""
        return not any((self.count("value"), self.count("remoteness"), *map(Counter.total, self.only)))

    @property
    def plies(self) -> list[int | None]:
        """All plies of positions, in ascending order, with None last."""
        plies = {kind.ply for kind in self.common}.union(*self.only)
        return sorted(plies, key=lambda ply: (ply is None, ply or 0))

    def count(self, change: str) -> int:
        """The number of positions with this change, one of `CHANGES`."""
        return sum(number for kind, number in self.common.items() if CHANGES[change](kind))

    def at(self, ply: int | None) -> "Difference":
        """The counts at one ply, without listed positions."""
        kinds = Counter({kind: number for kind, number in self.common.items() if kind.ply == ply})
        ones, others = (Counter({ply: only[ply]}) for only in self.only)
        return Difference(kinds, (ones, others), (), (), ((), ()))


def difference(a: Database, b: Database, limit: int = 0, *, progress: Progress = no_progress) -> Difference:
    """The difference of the games of `a` and `b`, with the first `limit` positions of each kind of change.

    Raises `NothingInCommon` if they have no position in common.
    """
    refuse_strangers(a, b)
    one, other = finer_first(a, b)
    swapped = one is not a
    every_image = not _are_of_same_rules(one, other)
    forth = _OneSide(paired(one, other, every_image=every_image), one, limit, progress, "comparing")
    back = _OneSide(paired(other, one), other, limit, progress, "comparing back")
    if not forth.common:
        raise NothingInCommon(
            f"{a.path} and {b.path} have no position in common: compare games on the same board"
        )
    in_a, in_b = (back, forth) if swapped else (forth, back)
    return Difference(
        Counter(
            {
                Kind(_ply(ply), (there, here) if swapped else (here, there), as_soon): number
                for (ply, here, there, as_soon), number in forth.common.items()
            }
        ),
        (in_a.only, in_b.only),
        forth.first["value"],
        forth.first["remoteness"],
        (in_a.first["only"], in_b.first["only"]),
    )


def finer_first(a: Database, b: Database) -> tuple[Database, Database]:
    """The file with the smaller classes, whose positions are counted, and the other file.

    If both are of the same game, every position of the first is in the other.
    """
    return (b, a) if a.folding.size > b.folding.size else (a, b)


class Paired(NamedTuple):
    """Positions of one file, in the order of plies and then of the file, with their labels in both files."""

    names: Names
    plies: Keys
    values: Keys
    """The minimax values in this file, for the first player."""
    remoteness: Keys
    """The remoteness in this file, in plies."""
    present: Flags
    """Whether the other file has the position; otherwise its labels there are meaningless."""
    other_values: Keys
    other_remoteness: Keys


class _OneSide:
    """The counts of one file's positions compared with the other, and the first `limit` of each change."""

    def __init__(
        self, pairs: Iterator[Paired], db: Database, limit: int, progress: Progress, task: str
    ) -> None:
        self.common = Counter[tuple[int, int, int, bool]]()
        """The number of common positions by ply, value here, value there and equality of remoteness."""
        only = Counter[int]()
        self.first: dict[str, list[str]] = {"value": [], "remoteness": [], "only": []}
        for part in reported(progress, task, pairs, db.number("states"), lambda part: len(part.plies)):
            columns = (part.plies, part.values, part.other_values, part.remoteness == part.other_remoteness)
            self.common.update(zip(*(column[part.present].tolist() for column in columns), strict=True))
            only.update(part.plies[~part.present].tolist())
            changes = _changes(part)
            rows = {"value": changes > 2, "remoteness": changes == 2, "only": changes == 0}
            for change, first in self.first.items():
                for at in np.flatnonzero(rows[change])[: limit - len(first)].tolist():
                    name = part.names[at]
                    first.append(name if isinstance(name, str) else write_position(db.game, int(name)))
        self.only = Counter({_ply(ply): number for ply, number in only.items()})
        """The number of positions only in this file, by ply."""


def _ply(number: int) -> int | None:
    return None if number == MISSING else number


def refuse_strangers(a: Database, b: Database) -> None:
    """Raise `NothingInCommon` if the games cannot share positions: their texts or boards differ in form."""
    shared = [text for text, db in ((a.start, b), (b.start, a)) if written_state(db.game, text) is not None]
    if not shared:
        raise NothingInCommon(
            f"{a.path} and {b.path} do not write positions alike: {a.start!r} of {a.game_name} is none in "
            f"{b.game_name}, nor {b.start!r} the other way round; compare games on the same board"
        )
    one, two = (_shape(db.game, shared[0]) for db in (a, b))
    if None not in (one, two) and one != two:
        raise NothingInCommon(
            f"{a.path} and {b.path} are not played on the same board: one has rows of {one} cells, the "
            f"other of {two}; compare games on the same board"
        )


def paired(one: Database, other: Database, *, every_image: bool = False) -> Iterator[Paired]:
    """All positions of `one`, in batches, paired with their labels in `other`.

    A position of a folded file is paired by its first image that is in the other file or, with `every_image`,
    by the image that changes most. Raises `BrokenRules` if the tiers of the rules contradict a file, and what
    reading raises.
    """
    by_state = one.packed is not None is not other.packed and _are_of_same_rules(one, other)
    for names, *own in one.columns(("state" if by_state else "position", "ply", "value", "remoteness")):
        names = names if by_state else names.astype(object)
        pairs = Paired._make(map(np.array, (names, *own, *other.present(names))))
        for image in one.folding.symmetries:
            _seek_image(one, other, image, pairs, OTHER_OUTCOME if every_image else 1)
        yield pairs


def _shape(game: AnyGame, text: str) -> str | None:
    """The lengths of the rows of the board, as text; None without a board."""
    state = written_state(game, text)
    board = None if state is None else board_of(game, state)
    return None if board is None else ", ".join(str(len(row)) for row in board)


def _are_of_same_rules(one: Database, other: Database) -> bool:
    """Whether both have the same rules and parameters, and so the same states and symmetries."""
    return type(one.game) is type(other.game) and one.parameters == other.parameters


def _seek_image(one: Database, other: Database, image: SignedMap, pairs: Paired, enough: int) -> None:
    """Replace positions whose change is less than `enough` by their images, where these change more."""
    rows = np.flatnonzero(_changes(pairs) < enough)
    if not len(rows):
        return
    before = Paired._make(column[rows] for column in pairs)
    with rules_asked(one.game):
        images = mapped(one.game, image.state, before.names)
    present, values, remoteness = other.present(images)
    after = Paired(images, *before[1:4], present, image.sign * values, remoteness)
    more = _changes(after) > _changes(before)
    for column, new_column in zip(pairs, after, strict=True):
        column[rows[more]] = new_column[more]


OTHER_OUTCOME = 4
"""The greatest result of `_changes`."""


def _changes(pairs: Paired) -> Keys:
    """The change of each position: 0 if absent, 1 if equal, 2 for remoteness, 3 for value, 4 for outcome."""
    other_value = pairs.values != pairs.other_values
    other_outcome = np.sign(pairs.values) != np.sign(pairs.other_values)
    other_label = other_value | (pairs.remoteness != pairs.other_remoteness)
    changes: Keys = pairs.present * (1 + other_label + other_value + other_outcome)
    return changes
