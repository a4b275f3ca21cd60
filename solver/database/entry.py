"""The answers of a database: entries of positions, labels of one position or of many, counts."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import InitVar, dataclass, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.errors import BrokenRules
from solver.game import AnyGame, outcome_of
from solver.rules.asking import actions_of, mover_of, representative
from solver.rules.labels import Label
from solver.rules.notation import write_action, write_child, write_position
from solver.system.plugins import Pictured, shown_in_notebook

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.rules.arrays import Flags


@dataclass(frozen=True)
class Move:
    """One action in a position, and the labels of the position after it."""

    move: str | int
    """The action, by name."""
    position: str
    """The position after it."""
    outcome: str
    """`win`, `draw` or `loss` for the player who makes the move."""
    remoteness: int | None
    """Plies to the end, counted from the position before the move; None if no end is forced."""
    best: bool
    """Whether the move is one of the best."""
    value: int
    """The minimax value of the position after it, for the first player."""
    margin: int | None = None
    """By how much the winner wins after the move, 0 for a draw; None in a game without margins."""


@dataclass(frozen=True)
class Entry(Pictured):
    """One position of a solved game and its labels."""

    position: str
    """The state as text."""
    to_move: str
    """The name of the player to move."""
    ply: int | None
    """Plies since a start; None in all positions of a game in which paths of different lengths meet."""
    value: int
    """The minimax value, for the first player."""
    outcome: str
    """`win`, `draw` or `loss` for the player to move."""
    remoteness: int | None
    """Plies to the end under best play; None if no end is forced."""
    best_move: str | int | None
    """The first of the best moves; None if the game is over."""
    is_terminal: bool
    """Whether the game is over."""
    moves_by_action: tuple[Move, ...]
    """Every move, in the order of the game's actions."""
    margin: int | None = None
    """By how much the winner wins, 0 for a draw; None in a game without margins (`Database.scored`)."""
    game: InitVar[AnyGame | None] = None
    """The rules, by which a notebook draws the position. They are neither compared nor pickled."""

    def __post_init__(self, game: AnyGame | None) -> None:
        """Store the rules, and the player whom the value favours, beside the fields."""
        object.__setattr__(self, "_game", game)
        object.__setattr__(self, "_winner", None if game is None else game.players[self.value < 0])

    def __getstate__(self) -> dict[str, Any]:
        """The fields to pickle, without the rules, which may hold functions."""
        return {**self.__dict__, "_game": None}

    def _repr_svg_(self) -> str | None:
        game = self.__dict__["_game"]
        return None if game is None else shown_in_notebook("position", game, self)

    @property
    def winner(self) -> str | None:
        """The name of the player who wins; None for a draw."""
        winner: str | None = self.__dict__["_winner"] if self.value else None
        return winner

    @cached_property
    def keeping(self) -> tuple[Move, ...]:
        """The moves that keep the value, in the order of the game's actions."""
        return tuple(move for move in self.moves_by_action if move.value == self.value)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every move, best first: wins by margin, then soonest; draws; losses by margin, then latest.

        Moves that are equally good are in the order of the game's actions.
        """
        return tuple(sorted(self.moves_by_action, key=_rank))


class PositionRow(NamedTuple):
    """A row of the table of positions of the readable layout: its id, and fields of an `Entry`."""

    id: int
    position: str
    to_move: str
    ply: int | None
    value: int
    outcome: str
    remoteness: int | None
    best_move: str | int | None
    is_terminal: int
    """0 or 1."""


def _rank(move: Move) -> tuple[int, int, bool, float]:
    remoteness = inf if move.remoteness is None else move.remoteness
    if move.outcome == "draw":
        return 1, 0, not move.best, 0
    if move.outcome == "win":
        return 0, -abs(move.value), not move.best, remoteness
    return 2, abs(move.value), not move.best, -remoteness


class Probe(NamedTuple):
    """The labels and the best moves of a position."""

    value: int
    """The minimax value, for the first player."""
    remoteness: int | None
    """Plies to the end under best play; None if no end is forced."""
    best_moves: tuple[str | int, ...]
    """All best moves, in the order of the game's actions; empty if the game is over."""


@dataclass(frozen=True)
class BatchResult:
    """The labels of many positions as arrays, in the order of the request."""

    value: "NDArray[np.int64]"
    """The minimax values, for the first player."""
    remoteness: "NDArray[np.int64]"
    """Plies to the end under best play; -1 if no end is forced."""
    moves: tuple[str | int, ...]
    """The names of the moves in the columns of `best`; empty unless best moves were asked for."""
    best: "Flags"
    """Whether each move is one of the best: a row for each position, a column for each of `moves`."""
    in_order: Sequence[tuple[str | int, ...]] | None = None
    """The best moves of each position in the order of the game's actions; None if `moves` has that order."""

    def __len__(self) -> int:
        """The number of positions."""
        return len(self.value)

    def best_moves(self, at: int) -> tuple[str | int, ...]:
        """The names of the best moves in a position, the first one first; empty if the game is over."""
        if self.in_order is not None:
            return self.in_order[at]
        return tuple(self.moves[column] for column in self.best[at].nonzero()[0].tolist())


class KindCount(NamedTuple):
    """The number of positions of one kind: those in whose `Entry` these fields are equal."""

    ply: int | None
    is_terminal: bool
    outcome: str
    value: int
    remoteness: int | None
    positions: int


def entry_from(
    game: AnyGame,
    state: Any,
    ply: int | None,
    label: Label,
    offers: Iterable[tuple[str | int, str, Label]],
    margin: Callable[[int], int | None],
) -> Entry:
    """The entry of a state, derived from the rules, its own label and the labels of its children.

    `offers` has, for each action, its name, the position after it, and the label that the state would have if
    the action were best. `margin` is `Database.margin`.
    """
    mover = mover_of(game, state)
    moves = tuple(
        Move(
            move=name,
            position=position,
            outcome=outcome_of(offer[0], mover),
            remoteness=offer[1],
            best=offer == label,
            value=offer[0],
            margin=margin(offer[0]),
        )
        for name, position, offer in offers
    )
    value, remoteness = label
    return Entry(
        position=write_position(game, state),
        to_move=game.players[mover],
        ply=ply,
        value=value,
        outcome=outcome_of(value, mover),
        remoteness=remoteness,
        best_move=next((move.move for move in moves if move.best), None),
        is_terminal=not moves,
        moves_by_action=moves,
        margin=margin(value),
        game=game,
    )


def of_member(game: AnyGame, entry: Entry, state: Any) -> Entry:
    """The entry of `state`, given the `entry` of its canonical state in a folded file.

    The moves are those of `state`, in its own order, with the labels of the children's canonical states.
    Raises `BrokenRules` if a move leads to a class that no move in the canonical state leads to.
    """
    labels = {move.position: move for move in entry.moves_by_action}
    moves = []
    for action in actions_of(game, state):
        child = game.result(state, action)
        counterpart = labels.get(write_child(game, representative(game, child)))
        if counterpart is None:
            raise BrokenRules(
                f"{write_position(game, state)!r} and {entry.position!r} are not symmetric, whatever the "
                f"rules of {type(game).__name__} say: nothing in the second is like the move "
                f"{write_action(game, action)} in the first; solve without --fold"
            )
        name, position = write_action(game, action), write_child(game, child)
        moves.append(replace(counterpart, move=name, position=position))
    best = next((move.move for move in moves if move.best), None)
    position = write_position(game, state)
    return replace(entry, position=position, moves_by_action=tuple(moves), best_move=best, game=game)
