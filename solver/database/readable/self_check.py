"""Checks each answer from a readable file against the rules and the rows that its moves lead to.

A row that was changed by chance is so found to be damaged when its position is looked up: its moves must be
those of the rules, its label must follow from those of its children (solver/rules/labels.py), and all other
columns from these. `solver.proof.readable.row` checks the same by other code on purpose: what proves a file
shares no code with what writes or reads it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

from solver.database.entry import Entry, PositionRow, entry_from
from solver.database.readable.rows import MoveRow
from solver.game import AnyGame
from solver.rules.asking import actions_of, mover_of, representative, utility_of
from solver.rules.labels import Label, before, label_of
from solver.rules.notation import write_action, write_position

Extremes = Mapping[str, tuple[int, int]]
"""The least and the greatest value of the children of a position."""


class Setting(NamedTuple):
    """The facts about a file that its rows are checked against."""

    game: AnyGame
    level: int
    """The value of endless play."""
    folded: bool
    """Whether children are canonical."""
    values: tuple[int, int]
    """The least and the greatest value."""
    margin: Callable[[int], int | None]
    """By how much the winner wins by a value, as `StoredMetadata.margin`."""


def checked_entry(
    setting: Setting, state: Any, row: PositionRow, moves: Iterable[MoveRow], below: Extremes | None
) -> Entry:
    """The entry of `state` by its `row` and `moves`; raises ValueError for what does not follow.

    They are read one by one, no further than the first that is not a move of the rules. If values other than
    -1, 0 and 1 occur, outcomes do not determine them: then `below` has the values from which those of the
    children follow.
    """
    game, level, actions = setting.game, setting.level, actions_of(setting.game, state)
    read, children = list[MoveRow](), list[Any]()
    for move, expected in zip_longest(moves, _children(setting, state, actions)):
        if move is None or expected is None or (move.move, move.position) != expected[:2]:
            raise ValueError("its moves are not those of the rules")
        _same("the ply after a move", move.ply, None if row.ply is None else row.ply + 1)
        _check_value(setting, move, expected[2], below)
        read.append(move)
        children.append(expected[2])
    labels: list[Label] = [(move.value, move.below) for move in read]
    label = label_of(mover_of(game, state), labels, level) if actions else (utility_of(game, state), 0)
    offers = zip(actions, children, (before(child, level) for child in labels), strict=True)
    entry = entry_from(game, state, row.ply, label, offers, setting.margin)
    for column in PositionRow._fields[1:]:
        _same(column, getattr(row, column), getattr(entry, column))
    for move, made in zip(read, entry.moves_by_action, strict=True):
        _same("what a move gets", (move.outcome, move.remoteness), (made.outcome, made.remoteness))
        _same("is_best", move.best, made.best)
    return entry


def _children(setting: Setting, state: Any, actions: Iterable[Any]) -> Iterator[tuple[Any, str, Any]]:
    """For each action its name, the position after it, and the state."""
    game = setting.game
    for action in actions:
        child = game.result(state, action)
        child = representative(game, child) if setting.folded else child
        yield write_action(game, action), write_position(game, child), child


def _check_value(setting: Setting, move: MoveRow, child: Any, below: Extremes | None) -> None:
    """Raise ValueError unless the value of a child follows from the rules and the rows after it."""
    least, greatest = setting.values
    if not least <= move.value <= greatest:
        raise ValueError("a value after a move is none of those that about has")
    if below is None:
        return
    game = setting.game
    over = not actions_of(game, child)
    expected = utility_of(game, child) if over else below[move.position][1 - mover_of(game, child)]
    _same("the value after a move", move.value, expected)


def _same(what: str, stored: object, expected: object) -> None:
    if stored != expected:
        raise ValueError(f"{what} does not follow from the rules and the rows after it")
