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

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.database.entry import PositionRow
from solver.errors import BrokenRules, SolverError, shown, summary_of
from solver.game import AnyGame
from solver.proof.answers import actions_by_name, contradictions
from solver.rules.asking import actions_of, mover_of, symmetries_of, told_apart_by, utility_of
from solver.rules.failures import refusal
from solver.rules.notation import exact_key, write_position

if TYPE_CHECKING:
    from solver.proof.action_lists import ActionLists


class StoredMoves(NamedTuple):
    """The moves of a position, column by column, and the rows of their children, None where there is none."""

    move: tuple[Any, ...] = ()
    child_id: tuple[Any, ...] = ()
    outcome: tuple[Any, ...] = ()
    remoteness: tuple[Any, ...] = ()
    is_best: tuple[Any, ...] = ()
    child: tuple[Any, ...] = ()
    child_value: tuple[Any, ...] = ()
    child_remoteness: tuple[Any, ...] = ()
    child_ply: tuple[Any, ...] = ()


@dataclass(frozen=True)
class RowChecker:
    """Checks positions, each with its moves: what contradicts rules and children."""

    game: AnyGame
    endless_value: int
    folded: bool
    """Whether a row stands for a class of states."""
    read: Callable[[str], Any]
    """`read_position` of the rules, with a cache."""
    lists: "ActionLists | None"
    """The actions of the states that are read ahead; None where rules are asked about each state alone."""

    def read_ahead(self, texts: Iterable[str]) -> None:
        """Ask the rules about the actions in these positions at once."""
        states = []
        for text in texts:
            with suppress(SolverError):
                states.append(self.read(text))
        if self.lists is not None:
            self.lists.ask(states)

    def problems(self, row: PositionRow, moves: StoredMoves, *, listed: bool) -> list[str]:
        """The problems of a row; for `listed` see `contradictions`.

        A column of the wrong type is a problem, and so are rules that raise.
        """
        try:
            return list(self._problems(row, moves, listed=listed))
        except (Exception, SystemExit) as error:
            return [f"it cannot be checked: {refusal(error) or summary_of(error)}"]

    def _problems(self, row: PositionRow, moves: StoredMoves, *, listed: bool) -> Iterator[str]:
        game = self.game
        try:
            state = self.read(row.position)
        except SolverError:
            yield "it is not a position of this game"
            return
        numbers: Sequence[object] = (row.value, row.is_terminal)
        if not all(isinstance(number, int) for number in numbers):
            yield "its value or is_terminal is not an integer"
            return
        actions = actions_of(game, state) if self.lists is None else self.lists(state)
        mover, named = mover_of(game, state), actions_by_name(game, state, actions)
        if (text := write_position(game, state)) != row.position:
            yield f"it should be written {text!r}"
        yield from contradictions(game, state, [*named.values()], listed=listed)
        yield from _differs(row, "to_move", game.players[mover])
        yield from _differs(row, "is_terminal", int(not named))
        after = [game.result(state, action) for action in named.values()]
        if self.folded:
            yield from problems_of_class(game, state)
            after = [game.canonical(child) for child in after]
        if moves.move != (*named,) or not self._lead_to(moves, after):
            yield from self._problems_of_children(moves, [*named], after)
        elif named:
            yield from _problems_of_labels(row, moves, mover, self.endless_value)
        else:
            for column, value in (("value", utility_of(game, state)), ("remoteness", 0), ("best_move", None)):
                yield from _differs(row, column, value)
        yield from _differs(row, "outcome", _outcome(row.value, mover))

    def _lead_to(self, moves: StoredMoves, after: list[Any]) -> bool:
        """Whether the texts of the children are read as the states after the moves, and written for them.

        That the rules write a state so that they have read is checked in its row.
        """
        try:
            read = [*map(self.read, moves.child)]
        except SolverError:
            return False
        return read == after and (
            _is_same(read, after)
            or all(
                _is_same(state, child) or write_position(self.game, child) == text
                for state, child, text in zip(read, after, moves.child, strict=True)
            )
        )

    def _problems_of_children(
        self, moves: StoredMoves, names: list[str | int], after: list[Any]
    ) -> Iterator[str]:
        texts = [write_position(self.game, child) for child in after]
        for child, text in zip(after, texts, strict=True):
            if self.read(text) != child:
                yield (
                    f"a move leads to {shown(child)}, the text of which, {text!r}, is read as another state"
                )
        derived, stored = [*zip(names, texts, strict=True)], [*zip(moves.move, moves.child, strict=True)]
        if stored != derived:
            yield f"its moves should be {shown(derived)}, not {shown(stored)}"


def _is_same(state: Any, equal: Any) -> bool:
    """Whether equal states, or lists of them, certainly have the same texts: (1, True) and (1, 1) may not."""
    try:
        return exact_key(state) == exact_key(equal)
    except ValueError:
        return False


def _problems_of_labels(
    row: PositionRow, moves: StoredMoves, mover: int, endless_value: int
) -> Iterator[str]:
    if {*map(type, moves.child_value)} != {int}:
        yield "the value of a child is not an integer"
        return
    value = (min if mover else max)(moves.child_value)
    yield from _differs(row, "value", value)
    ends = [plies if isinstance(plies, int) else None for plies in moves.child_remoteness]
    labels = [*zip(moves.child_value, ends, strict=True)]
    offered = {label: _remoteness_before(*label, endless_value) for label in {*labels}}
    same = [plies for label, plies in offered.items() if label[0] == value]
    if value != endless_value and None in same:
        yield "a child has no remoteness, though its value is not that of endless play"
        return
    remoteness = _remoteness(same, hurries=mover == _hurrier(value, endless_value))
    yield from _differs(row, "remoteness", remoteness)
    ply = None if row.ply is None else row.ply + 1
    best = (_outcome(value, mover), remoteness, ply, 1)
    derived = {
        label: best
        if (label[0], plies) == (value, remoteness)
        else (_outcome(label[0], mover), plies, ply, 0)
        for label, plies in offered.items()
    }
    expected = [*map(derived.__getitem__, labels)]
    stored = [*zip(moves.outcome, moves.remoteness, moves.child_ply, moves.is_best, strict=True)]
    if stored != expected:
        yield from _problems_of_moves(moves.move, stored, expected)
    yield from _differs(row, "best_move", moves.move[expected.index(best)])


def _problems_of_moves(
    names: tuple[str | int, ...], stored: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]
) -> Iterator[str]:
    for name, *labels in zip(names, stored, expected, strict=True):
        columns = ("move outcome", "move remoteness", "child ply", "is_best")
        for column, value, right in zip(columns, *labels, strict=True):
            if value != right:
                actual = "" if column == "is_best" else f", not {value!r}"
                yield f"{column} of the move {name} should be {right!r}{actual}"


def _remoteness_before(value: int, remoteness: int | None, endless_value: int) -> int | None:
    """The remoteness of a position from which best play leads to such a child; None if no end is forced."""
    return None if value == endless_value == 0 or remoteness is None else remoteness + 1


def _remoteness(same: list[int | None], *, hurries: bool) -> int | None:
    """The remoteness of a position, given the remoteness by each move that keeps the value."""
    finite = [remoteness for remoteness in same if remoteness is not None]
    if hurries:
        return min(finite, default=None)
    return max(finite) if len(finite) == len(same) else None


def _hurrier(value: int, endless_value: int) -> int:
    """The player for whom endless play is worse than the value; if it is equal, the player who wins it."""
    return int(endless_value < 0 if value == endless_value else value < endless_value)


def _differs(row: PositionRow, column: str, expected: Any) -> Iterator[str]:
    if (stored := getattr(row, column)) != expected:
        yield f"{column} should be {expected!r}, not {stored!r}"


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
