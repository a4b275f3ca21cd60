"""The interface of rules: the `Game` from which every engine, search, verifier and exporter works."""

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
"""The utility of endless play, by who gets it."""


def sign_for(player: int) -> int:
    """The factor that turns a value, which is for the first player, into one for `player`: 1 or -1."""
    return 1 if player == FIRST else -1


def outcome_sign(value: int) -> int:
    """1 for a value above 0 (won), 0 for 0 (drawn), -1 for one below (lost)."""
    return (value > 0) - (value < 0)


def outcome_of(value: int, player: int = FIRST) -> str:
    """The outcome for `player` (`win`, `draw` or `loss`) of a value, which is for the first player."""
    return OUTCOMES[outcome_sign(sign_for(player) * value)]


def winner_of(value: int) -> int | None:
    """The player who wins by a value, which is for the first player; None for a draw."""
    return None if value == 0 else FIRST if value > 0 else SECOND


NO_PARSE = "the rules have a position of their own, but no parse, which is to read what it writes"
"""The fault of rules that override one of two members that belong together."""

NO_TEXT = "the rules need a position and a parse of their own for states of this kind"
"""The fault of rules whose states the defaults cannot read."""


class Symmetry(NamedTuple, Generic[State, Action]):
    """A relabelling under which the rules stay the same: playing commutes with it."""

    state: Callable[[State], State]
    action: Callable[[Action], Action]


Cell: TypeAlias = tuple[int, int]
"""The row of a board and the cell in that row, both from 0."""

FILLED = "█"
"""The glyph of a mark that fills its cell."""


class Look(NamedTuple):
    """The style of pictures of boards, as far as cells do not tell it. Nothing else depends on it."""

    owners: Mapping[str, int] = MappingProxyType({})
    """The owner of a mark, 0 or 1; a mark that is not here belongs to the player of that name, if any."""
    glyphs: Mapping[str, str] = MappingProxyType({})
    """The glyph for a mark, or for "", an empty cell; without one the mark itself is drawn."""
    ground: Literal["squares", "chequered", "open", "lattice"] = "squares"
    """Lines between the cells; dark and light cells; nothing; or, for lines that are played themselves,
    low rows and narrow columns between the others, the first and the last ones among them."""
    ways: Sequence[tuple[Cell, Cell]] = ()
    """Lines from cell to cell, along rows, columns or diagonals; shorter rows are centred."""


def _value(node: ast.expr, classes: Mapping[str, Any]) -> Any:
    """The value of an expression of literals and of calls of dataclasses and named tuples among `classes`."""
    with suppress(ValueError):
        return ast.literal_eval(node)
    if isinstance(node, ast.Tuple):
        return tuple(_value(item, classes) for item in node.elts)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise TypeError("a position is no such expression")
    kind = classes[node.func.id]
    if not is_dataclass(kind) and not hasattr(kind, "_fields"):
        raise TypeError(f"{kind} is not called")
    named = {str(item.arg): _value(item.value, classes) for item in node.keywords}
    return kind(*(_value(item, classes) for item in node.args), **named)


class Game(ABC, Generic[State, Action]):
    """The rules of a two-player game with perfect information.

    The members and their names are those of Russell and Norvig, *Artificial Intelligence: A Modern
    Approach*, 4th edition, section 5.1. States and actions are immutable and hashable. A game is usually
    a frozen dataclass whose fields are the parameters of its rules.
    """

    players: ClassVar[tuple[str, str]] = ("first", "second")
    """The names of the two sides: of Max, who moves first, and of Min."""

    @property
    def title(self) -> str | None:
        """The name of the game for people, with what its parameters change; None: as it is typed."""
        return None

    @property
    @abstractmethod
    def initial(self) -> State:
        """The state in which play begins."""

    def initial_states(self) -> Iterable[State]:
        """Every state in which play may begin, `initial` first; for an endgame, for example, all set-ups."""
        return (self.initial,)

    @abstractmethod
    def to_move(self, state: State) -> int:
        """The player to move: 0 for the first player (Max), 1 for the second (Min)."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """The legal actions in `state`, in a fixed order; none exactly when the game is over.

        An action may be anything that can be hashed, but None, which stands for no action.
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

        This default reads what the default of `position` writes, for states that are text, numbers, or
        tuples, named tuples or frozen dataclasses of such. A game that overrides one overrides both.
        """
        initial = self.initial
        if isinstance(initial, str):
            return text  # type: ignore[return-value]
        state: Any = None
        with suppress(Exception):  # also what classes of the rules raise
            classes = ChainMap(*(vars(sys.modules[type(of).__module__]) for of in (initial, self)))
            state = _value(ast.parse(text.strip(), mode="eval").body, classes)
        if type(state) is type(initial):
            return state
        if type(self).position is not Game.position:
            why = NO_PARSE
        else:
            like = self.position(initial)
            why = NO_TEXT if text == like else f"it should be like {like!r}"
        raise UnreadablePosition(f"cannot read the position {text!r}: {why}")

    def action_name(self, action: Action) -> str | int:
        """The action as people write it: a number or a word, the same kind for all actions of a game."""
        return action if isinstance(action, int) else str(action)

    def board(self, state: State) -> Sequence[Sequence[str]] | None:
        """The state as rows of cells to be drawn, each a short text or "" for empty; None without a board."""
        return None

    @property
    def look(self) -> Look:
        """The style of pictures; the default draws lines between cells, and colours the players' names."""
        return Look()

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The names that moves have for cells, in rows as on the board; "" for a cell without one."""
        return ()

    def show(self, state: State) -> str:
        """The state as a picture for a terminal, in one or more lines.

        The default draws `board`, with the names of empty cells, or without a board gives `position`.
        """
        board = self.board(state)
        return _in_columns(board, self.cell_names) if board and any(board) else self.position(state)

    def symmetries(self) -> Sequence[Symmetry[State, Action]]:
        """The symmetries of the rules, the identity left out."""
        return ()

    def canonical(self, state: State) -> State:
        """The canonical state of the orbit of `state` under the symmetries: its least member."""
        return min((state, *(symmetry.state(state) for symmetry in self.symmetries())))  # type: ignore[type-var]

    def evaluate(self, state: State) -> float:
        """A heuristic evaluation, above 0 if the first player stands better; for depth-limited searches.

        Its unit is the game's own: searches rank a won end above all evaluations, and a lost end below them.
        """
        return 0

    def evaluation_terms(self, state: State) -> Mapping[str, float]:
        """The terms whose sum `evaluate` is, by name, for whoever wants to see how it comes about."""
        return {}

    def states_at_most(self) -> int | None:
        """An upper bound of the number of states reachable from `initial`, if the rules can tell."""
        return None

    def player(self, name: str) -> int:
        """The player called `name`: one of `players`, or `first` or `second`, in any case.

        Raises `UnknownPlayer` if there is none.
        """
        wanted = str(name).lower()  # whoever gives another type reads what names there are
        for names in (self.players, ("first", "second")):
            lowered = [name.lower() for name in names]
            if wanted in lowered:
                return lowered.index(wanted)
        known = dict.fromkeys((*self.players, "first", "second"))
        raise UnknownPlayer(f"there is no player {name!r} in this game; it has {', '.join(known)}")


def _in_columns(board: Sequence[Sequence[str]], names: Sequence[Sequence[str]]) -> str:
    """The board in lines, each column as wide as its widest text; an empty cell is its name, or a dot."""
    cells = [
        [mark.strip() or name or "." for mark, name in zip_longest(row, named[: len(row)], fillvalue="")]
        for row, named in zip(board, chain(names, repeat(())), strict=False)
    ]
    widths = [max(map(len, column)) for column in zip_longest(*cells, fillvalue="")]
    return "\n".join(" ".join(map(str.ljust, row, widths)).rstrip() for row in cells)


AnyGame = Game[Any, Any]
"""A game of states and actions of any type."""
