"""The interface of rules: `Game`, on which every engine, search, verifier and exporter relies."""

import ast
import sys
from abc import ABC, abstractmethod
from collections import ChainMap
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import is_dataclass
from itertools import chain, repeat, zip_longest
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from solver.errors import UnknownPlayer, UnreadablePosition

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)

FIRST, SECOND = 0, 1

OUTCOMES = {1: "win", 0: "draw", -1: "loss"}
"""The outcome for a player, by the sign of the utility for that player."""

SIGNS = {outcome: sign for sign, outcome in OUTCOMES.items()}
"""The sign of the utility for a player, by the outcome for that player."""

ENDLESS = {"draw": 0, "first": 1, "second": -1}
"""The utility of endless play for the first player, by whom it counts for."""


def sign_for(player: int) -> int:
    """The factor from a value for the first player to the value for `player`: 1 or -1."""
    return 1 if player == FIRST else -1


def outcome_sign(value: int) -> int:
    """The sign of a value: 1 if won, 0 if drawn, -1 if lost."""
    return (value > 0) - (value < 0)


def outcome_of(value: int, player: int = FIRST) -> str:
    """The outcome for `player`, `win`, `draw` or `loss`, given a value for the first player."""
    return OUTCOMES[outcome_sign(sign_for(player) * value)]


def winner_of(value: int) -> int | None:
    """The winner, 0 or 1, given a value for the first player; None for a draw."""
    return None if value == 0 else FIRST if value > 0 else SECOND


NO_PARSE = "the rules have a position of their own, but no parse, which is to read what it writes"
NO_TEXT = "the rules need a position and a parse of their own for states of this kind"
NO_NUMPY = "the rules need states without NumPy's numbers, of which .tolist() makes Python's"
"""The errors of rules that override `position` alone, or whose states the default `parse` cannot read."""


class Symmetry(NamedTuple, Generic[State, Action]):
    """A relabelling of states and actions that leaves the rules unchanged: it commutes with `Game.result`."""

    state: Callable[[State], State]
    action: Callable[[Action], Action]


Cell: TypeAlias = tuple[int, int]
"""A cell of a board as (row, index in the row), both counted from 0."""

FILLED = "█"
"""The glyph of a mark that fills its cell."""


class Look(NamedTuple):
    """How pictures draw a board, beyond the marks in its cells. Only pictures depend on it."""

    owners: Mapping[str, int] = MappingProxyType({})
    """The owner of a mark, 0 or 1; a mark that is not listed belongs to the player of that name, if any."""
    glyphs: Mapping[str, str] = MappingProxyType({})
    """The glyph drawn for a mark, or for an empty cell, ""; without one, the mark itself is drawn."""
    ground: Literal["squares", "chequered", "open", "lattice"] = "squares"
    """Respectively: lines between cells; dark and light cells; nothing; or, for games in which lines are
    played, every second row is low and every second column narrow, beginning with the first."""
    ways: Sequence[tuple[Cell, Cell]] = ()
    """Lines between cells, along rows, columns or diagonals; rows shorter than the longest are centred."""


def _value(node: ast.expr, classes: Mapping[str, Any]) -> Any:
    """The value of an expression of literals and of calls of dataclasses and named tuples in `classes`."""
    with suppress(ValueError):
        return ast.literal_eval(node)
    if isinstance(node, ast.Tuple):
        return tuple(_value(item, classes) for item in node.elts)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise TypeError("a position is no such expression")
    kind = classes[node.func.id]
    if not is_dataclass(kind) and not hasattr(kind, "_fields"):
        raise TypeError(f"{kind} is not called")
    keywords = {str(item.arg): _value(item.value, classes) for item in node.keywords}
    return kind(*(_value(item, classes) for item in node.args), **keywords)


class Game(ABC, Generic[State, Action]):
    """The rules of a two-player game with perfect information.

    The members are named as in Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th
    edition, section 5.1. States and actions are immutable and hashable. A game is usually a frozen dataclass
    whose fields are the parameters of its rules.
    """

    players: ClassVar[tuple[str, str]] = ("first", "second")
    """The names of the two players: of Max, who moves first, and of Min."""

    @property
    def title(self) -> str | None:
        """The display name of the game with its parameters; None for the name as it is typed."""
        return None

    @property
    @abstractmethod
    def initial(self) -> State:
        """The state in which play begins."""

    def initial_states(self) -> Iterable[State]:
        """Every state in which play may begin, `initial` first; for example, all set-ups of an endgame."""
        return (self.initial,)

    @abstractmethod
    def to_move(self, state: State) -> int:
        """The player to move: 0 for the first player (Max), 1 for the second (Min)."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """The legal actions in `state`, in a fixed order; empty if and only if the game is over.

        An action may be any hashable value but None, which stands for no action.
        """

    @abstractmethod
    def result(self, state: State, action: Action) -> State:
        """The state after `action`, a legal one, is played in `state`."""

    @abstractmethod
    def utility(self, state: State) -> int:
        """The utility of a terminal `state` for the first player: above 0 won, 0 drawn, below 0 lost."""

    def is_terminal(self, state: State) -> bool:
        """Whether the game is over in `state`."""
        return not self.actions(state)

    def position(self, state: State) -> str:
        """The state as one line of text that a person can type; True is 1 where states are numbers."""
        is_number = isinstance(state, bool) and not isinstance(self.initial, bool)
        return str(int(state) if is_number else state)  # type: ignore[call-overload]

    def parse(self, text: str) -> State:
        """The state that `text` describes; raises `UnreadablePosition` if it describes none.

        The default reads what the default `position` writes, for states that are strings, numbers or tuples,
        named tuples or frozen dataclasses of these. A game that overrides `position` overrides `parse` too.
        """
        initial = self.initial
        if isinstance(initial, str):
            return text  # type: ignore[return-value]
        with suppress(Exception):  # also what classes of the rules raise
            modules = [sys.modules.get(type(of).__module__) for of in (initial, self)]  # None by `runpy`
            classes = ChainMap({type(initial).__name__: type(initial)}, *map(vars, filter(None, modules)))
            state = _value(ast.parse(text.strip(), mode="eval").body, classes)
            if type(state) is type(initial):
                return state
        if type(self).position is not Game.position:
            why = NO_PARSE
        else:
            like = self.position(initial)
            other = NO_TEXT if text == like else f"it should be like {like!r}"
            why = NO_NUMPY if "np." in text else other
        raise UnreadablePosition(f"cannot read the position {text!r}: {why}")

    def action_name(self, action: Action) -> str | int:
        """The action as people write it: an int or a str, of the same type for all actions of a game."""
        return action if isinstance(action, int) else str(action)

    def board(self, state: State) -> Sequence[Sequence[str]] | None:
        """The board as rows of cells, each a short text, or "" if empty; None for a game without a board."""
        return None

    @property
    def look(self) -> Look:
        """The style of pictures; by default, lines between cells, and marks coloured by players' names."""
        return Look()

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The names of the cells in moves, in rows like those of the board; "" for a cell without a name."""
        return ()

    def show(self, state: State) -> str:
        """The state as text for a terminal, in one or more lines.

        The default shows `board`, with the names of empty cells; without a board, `position`.
        """
        board = self.board(state)
        return _in_columns(board, self.cell_names) if board and any(board) else self.position(state)

    def symmetries(self) -> Sequence[Symmetry[State, Action]]:
        """The symmetries of the rules, without the identity."""
        return ()

    def canonical(self, state: State) -> State:
        """The canonical state of the class of states symmetric to `state`: the least of them."""
        return min((state, *(symmetry.state(state) for symmetry in self.symmetries())))  # type: ignore[type-var]

    def evaluate(self, state: State) -> float:
        """A heuristic evaluation for depth-limited searches, above 0 if the first player is better off.

        It may have any unit: searches rank a win above every evaluation, and a loss below.
        """
        return 0

    def evaluation_terms(self, state: State) -> Mapping[str, float]:
        """The terms that add up to `evaluate`, by name, to explain it; by default none."""
        return {}

    def states_at_most(self) -> int | None:
        """An upper bound on the number of states reachable from `initial`; None if there is none."""
        return None

    def player(self, name: str) -> int:
        """The player, 0 or 1, called `name`: one of `players`, `first` or `second`, in any case.

        Raises `UnknownPlayer` if there is none.
        """
        wanted = str(name).lower()  # a value of another type gets the error below, which lists the names
        for names in (self.players, ("first", "second")):
            lowered = [name.lower() for name in names]
            if wanted in lowered:
                return lowered.index(wanted)
        choices = dict.fromkeys((*self.players, "first", "second"))
        raise UnknownPlayer(f"there is no player {name!r} in this game; it has {', '.join(choices)}")


def _in_columns(board: Sequence[Sequence[str]], names: Sequence[Sequence[str]]) -> str:
    """The board as text, each column as wide as its widest cell; an empty cell shows its name, or a dot."""
    cells = [
        [mark.strip() or name or "." for mark, name in zip_longest(row, named[: len(row)], fillvalue="")]
        for row, named in zip(board, chain(names, repeat(())), strict=False)
    ]
    widths = [max(map(len, column)) for column in zip_longest(*cells, fillvalue="")]
    return "\n".join(" ".join(map(str.ljust, row, widths)).rstrip() for row in cells)


AnyGame = Game[Any, Any]
"""A game of states and actions of any type."""
