"""Proves one row of a database, a position and its moves, from the rules and the rows of its children.

`solver.proof.readable_walk` explains why such local checks prove the whole file. Value, remoteness and best
moves follow `solver.rules.labels`, but share no code with it: independence is the point. For the same reason
`solver.database.readable.rows`, by which a lookup checks the row that it returns, is separate code.

A row of a folded database stands for every state of its class. Call a state x and a row r related if x is r
or the image of r under one of the symmetries that the rules claim. Let `problems_of_class` find nothing in
any row. Then in related x and r the same player is to move, both are terminal with the same utility or
neither is, and the moves of x lead to states related to the same rows as the moves of r. So the relation is a
bisimulation, and x and r have the same value and remoteness. The starts are related to the first rows, and
so, ply by ply, is every reachable state. The symmetries need not form a group, and the rules may choose any
canonical state.
"""

from collections.abc import Callable, Iterator
from sqlite3 import Row
from typing import Any, TypeAlias

from solver.errors import BrokenRules, SolverError, shown, summary_of
from solver.game import AnyGame
from solver.proof.answers import actions_by_name, contradictions
from solver.rules.asking import mover_of, symmetries_of, told_apart_by, utility_of
from solver.rules.failures import refusal
from solver.rules.notation import read_position, write_position

Read: TypeAlias = Callable[[str], Any]
"""The function from a text to the state that it describes; raises `UnreadablePosition`."""


def problems_of_row(
    game: AnyGame, rows: list[Row], endless_value: int, read: Read, *, folded: bool, listed: bool
) -> list[str]:
    """The problems of a position, given as one joined row per move: what contradicts rules and children.

    In a `folded` database a row stands for a class of states; for `listed` see `contradictions`; `read` is
    `read_position` with a cache. A column of the wrong type is a problem, and so are rules that raise.
    """
    try:
        return list(_problems(game, rows, endless_value, read, folded=folded, listed=listed))
    except (Exception, SystemExit) as error:
        return [f"it cannot be checked: {refusal(error) or summary_of(error)}"]


def _problems(
    game: AnyGame, rows: list[Row], endless_value: int, read: Read, *, folded: bool, listed: bool
) -> Iterator[str]:
    row = rows[0]
    try:
        state = read_position(game, row["position"])
    except SolverError:
        yield "it is not a position of this game"
        return
    if not all(isinstance(row[column], int) for column in ("value", "is_terminal")):
        yield "its value or is_terminal is not an integer"
        return
    mover, named = mover_of(game, state), actions_by_name(game, state)
    children, actions = rows if row["move_rowid"] is not None else [], [*named.values()]
    if write_position(game, state) != row["position"]:
        yield f"it should be written {write_position(game, state)!r}"
    yield from contradictions(game, state, actions, listed=listed)
    yield from _differs(row, "to_move", game.players[mover])
    yield from _differs(row, "is_terminal", int(not actions))
    stored = [(child["move"], child["child"]) for child in children]
    after = [game.result(state, action) for action in actions]
    if folded:
        yield from problems_of_class(game, state)
        after = [game.canonical(child) for child in after]
    derived = [(name, write_position(game, child)) for name, child in zip(named, after, strict=True)]
    for child, (_, text) in zip(after, derived, strict=True):
        if read(text) != child:
            yield f"a move leads to {shown(child)}, the text of which, {text!r}, is read as another state"
    if stored != derived:
        yield f"its moves should be {shown(derived)}, not {shown(stored)}"
    elif actions:
        yield from _problems_of_labels(row, children, mover, endless_value)
    else:
        for column, value in (("value", utility_of(game, state)), ("remoteness", 0), ("best_move", None)):
            yield from _differs(row, column, value)
    yield from _differs(row, "outcome", _outcome(row["value"], mover))


def _problems_of_labels(row: Row, children: list[Row], mover: int, endless_value: int) -> Iterator[str]:
    if not all(isinstance(child["child_value"], int) for child in children):
        yield "the value of a child is not an integer"
        return
    value = (min if mover else max)(child["child_value"] for child in children)
    yield from _differs(row, "value", value)
    same = [_remoteness_before(child, endless_value) for child in children if child["child_value"] == value]
    if value != endless_value and None in same:
        yield "a child has no remoteness, though its value is not that of endless play"
        return
    remoteness = _remoteness(same, hurries=mover == _hurrier(value, endless_value))
    yield from _differs(row, "remoteness", remoteness)
    best = []
    for child in children:
        yield from _problems_of_move(row, child, mover, endless_value)
        if child["child_value"] == value and _remoteness_before(child, endless_value) == remoteness:
            best.append(child["move"])
        if child["is_best"] != (child["move"] in best):
            yield f"is_best of the move {child['move']} should be {int(child['move'] in best)}"
    yield from _differs(row, "best_move", best[0] if best else None)


def _problems_of_move(row: Row, child: Row, mover: int, endless_value: int) -> Iterator[str]:
    expected = {
        "move_outcome": _outcome(child["child_value"], mover),
        "move_remoteness": _remoteness_before(child, endless_value),
        "child_ply": None if row["ply"] is None else row["ply"] + 1,
    }
    for column, value in expected.items():
        if child[column] != value:
            name = column.replace("_", " ")
            yield f"{name} of the move {child['move']} should be {value!r}, not {child[column]!r}"


def _remoteness_before(child: Row, endless_value: int) -> int | None:
    """The remoteness of a position from which best play leads to the child; None if no end is forced."""
    remoteness = child["child_remoteness"]
    goes_on = child["child_value"] == endless_value == 0 or not isinstance(remoteness, int)
    return None if goes_on else remoteness + 1


def _remoteness(same: list[int | None], *, hurries: bool) -> int | None:
    """The remoteness of a position, given the remoteness by each move that keeps the value."""
    finite = [remoteness for remoteness in same if remoteness is not None]
    if hurries:
        return min(finite, default=None)
    return max(finite) if len(finite) == len(same) else None


def _hurrier(value: int, endless_value: int) -> int:
    """The player for whom endless play is worse than the value; if it is equal, the player who wins it."""
    return int(endless_value < 0 if value == endless_value else value < endless_value)


def _differs(row: Row, column: str, expected: Any) -> Iterator[str]:
    if row[column] != expected:
        yield f"{column} should be {expected!r}, not {row[column]!r}"


def _outcome(value: int, player: int) -> str:
    if value == 0:
        return "draw"
    return "win" if (value > 0) == (player == 0) else "loss"


def problems_of_class(game: AnyGame, state: Any) -> Iterator[str]:
    """Yield how a canonical `state` fails to stand for its images under the symmetries of the rules."""
    if game.canonical(state) != state:
        yield f"it should be {write_position(game, game.canonical(state))!r}, the canonical one of its class"
    try:
        symmetries = symmetries_of(game)
        expected = told_apart_by(game, state, symmetries)
        for symmetry in symmetries:
            image = symmetry.state(state)
            if told_apart_by(game, image, symmetries) != expected:
                text = write_position(game, image)
                yield f"it should be symmetric to {text!r}, but the rules tell them apart"
                return
    except BrokenRules as error:
        yield str(error)
