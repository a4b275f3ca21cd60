"""Checks each answer from a readable file against the rules and the rows that its moves lead to.

A row that was changed by chance is so found to be damaged when its position is looked up: its moves must be
those of the rules, its label must follow from those of its children (solver/rules/labels.py), and the labels
of a move from those of the child. `solver.proof.readable.row` checks the same by other code on purpose: what
proves a file shares no code with what writes or reads it.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

from solver.database.readable.rows import MoveRow, PositionRow
from solver.game import AnyGame, outcome_of
from solver.rules.asking import actions_of, mover_of, representative, utility_of
from solver.rules.labels import before, label_of
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
    scored: bool
    """Whether some value is other than -1, 0 and 1, so that an outcome does not say it."""


def checked_moves(
    setting: Setting, state: Any, row: PositionRow, moves: Iterable[MoveRow], below: Extremes | None
) -> list[MoveRow]:
    """The `moves` of the position `row`, whose state is `state`; raises ValueError for what does not follow.

    They are read one by one, no further than the first that is not a move of the rules. If values other than
    -1, 0 and 1 occur, outcomes do not determine them: then `below` has the values from which those of the
    children follow.
    """
    game, level = setting.game, setting.level
    mover, actions = mover_of(game, state), actions_of(game, state)
    _same("to_move", row.to_move, game.players[mover])
    _same("is_terminal", row.is_terminal, int(not actions))
    _same("outcome", row.outcome, outcome_of(row.value, mover))
    found = []
    for move, expected in zip_longest(moves, _moves(setting, state, actions)):
        if move is None or expected is None or (move.move, move.position) != expected[:2]:
            raise ValueError("its moves are not those of the rules")
        _same("the ply after a move", move.ply, None if row.ply is None else row.ply + 1)
        _check_value(setting, move, expected[2], below)
        found.append(move)
    if actions:
        _check_labels(row, found, mover, level)
    else:
        _same("value", row.value, utility_of(game, state))
        _same("remoteness", row.remoteness, 0)
        _same("best_move", row.best_move, None)
    return found


def _moves(setting: Setting, state: Any, actions: Iterable[Any]) -> Iterator[tuple[Any, str, Any]]:
    """Returns for each action its name, the position after it, and the state."""
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


def _check_labels(row: PositionRow, moves: list[MoveRow], mover: int, level: int) -> None:
    """Raise ValueError unless the labels follow from those of the children."""
    children = [(move.value, move.below) for move in moves]
    label = row.value, row.remoteness
    _same("value and remoteness", label, label_of(mover, children, level))
    best = None
    for move, child in zip(moves, children, strict=True):
        offer = before(child, level)
        _same("what a move gets", (move.outcome, move.remoteness), (outcome_of(child[0], mover), offer[1]))
        _same("is_best", move.best, int(offer == label))
        best = move.move if move.best and best is None else best
    _same("best_move", row.best_move, best)


def _same(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise ValueError(f"{what} does not follow from the rules and the rows after it")
