"""Adapts games written for aima-python, or after the pseudocode of its textbook, to `Game`.

Such rules are a class, or an object, with `initial`, `to_move(state)`, `actions(state)`,
`result(state, move)`, `utility(state, player)`, and `terminal_test(state)` or `is_terminal(state)`. Players
are values of any type, and states need not be hashable: they are compared by their contents.
"""

import inspect
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, fields, make_dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any, ClassVar

from solver.errors import BrokenRules, TooLarge, UnreadablePosition, shown
from solver.game import FIRST, Game
from solver.rules.asking import listed
from solver.rules.failures import rules_asked
from solver.rules.parameters import PLAIN
from solver.rules.textbook.frozen import fields_of, frozen, holds_set, in_order

ENDS = ("terminal_test", "is_terminal")
"""The names of the terminal test, of which rules need one."""

MAX_STATES = 200_000
"""The most states among which a position is looked up."""

EMPTY = {None: "", " ": "", ".": "", "-": "", "_": ""}
"""The marks of empty cells, mapped to the text of a cell without a mark."""


def lacking(rules: object) -> list[str]:
    """The members that textbook rules, an object or a class, lack; a class need not have `initial`."""
    needed = ["initial"] * (not isinstance(rules, type)) + ["to_move", "actions", "result", "utility"]
    ends = [] if any(hasattr(rules, name) for name in ENDS) else [" or ".join(ENDS)]
    return [name for name in needed if not hasattr(rules, name)] + ends


def adapted(place: str, rules: Any) -> "type[Textbook]":
    """The `Game` class of textbook rules, a class or an object, that are loaded by the name `place`.

    Arguments of a class that default to a number, a bool or a text are parameters of the game, unless a
    member of the game has their name: the rules are made with the default of these.
    """
    if place not in _adapted:
        made = rules if isinstance(rules, type) else lambda: rules
        parameters = inspect.signature(made).parameters
        members = {"place": place, "made": staticmethod(made), "__doc__": inspect.getdoc(rules)}
        defaults = [(name, parameter.default) for name, parameter in parameters.items()]
        given = [
            (name, type(value), value)
            for name, value in defaults
            if type(value) in PLAIN and name not in members and not hasattr(Textbook, name)
        ]
        name = place.rpartition(":")[2]
        _adapted[place] = make_dataclass(name, given, bases=(Textbook,), namespace=members, frozen=True)
    return _adapted[place]


_adapted: "dict[str, type[Textbook]]" = {}


@dataclass(frozen=True, slots=True)
class Held:
    """A state of textbook rules; states with equal contents are equal."""

    state: Any = field(compare=False)
    key: Hashable = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", frozen(self.state, named=True))

    def __repr__(self) -> str:
        return repr(self.state)


@dataclass(frozen=True)
class Textbook(Game[Held, Any]):
    """A game by textbook rules; the player who moves first is the first player."""

    place: ClassVar[str]
    made: ClassVar[Callable[..., Any]]
    """The function from the parameters to the rules."""

    def __post_init__(self) -> None:
        """Make the rules; raises what they raise, and `BrokenRules` if they have no initial state."""
        if missing := lacking(self._rules):
            raise BrokenRules(f"the rules of {self.place} lack {', '.join(missing)}")

    @cached_property
    def players(self) -> tuple[str, str]:  # type: ignore[override]
        """The names of the players, in the order of their first moves."""
        return (*self._players, "other")[:2]  # type: ignore[return-value]

    @property
    def initial(self) -> Held:
        """The state in which play begins."""
        return Held(self._rules.initial)

    def to_move(self, state: Held) -> int:
        """The player to move; the first in a terminal state for which the rules name neither."""
        name = str(self._rules.to_move(state.state))
        if name not in self.players and not self.is_terminal(state):
            raise BrokenRules(f"{name} moves, a third player beside {' and '.join(self.players)}")
        return self.players.index(name) if name in self.players else FIRST

    def actions(self, state: Held) -> Sequence[Any]:
        """The legal actions in ascending order, as equal states may list them in different orders."""
        offered = () if self.is_terminal(state) else self._rules.actions(state.state)
        return in_order(offered if isinstance(offered, set | frozenset) else listed(self, offered, state))

    def result(self, state: Held, action: Any) -> Held:
        """The state after an action."""
        if (child := self._rules.result(state.state, action)) is None:
            words = f"the action {shown(action)} leads to None, which cannot be a state"
            raise BrokenRules(f"{words}, in the state {shown(state)}")
        return Held(child)

    def is_terminal(self, state: Held) -> bool:
        """Whether the game is over."""
        return bool(self._is_terminal(state.state))

    def utility(self, state: Held) -> int:
        """The utility for the first player; raises `BrokenRules` if it is not zero-sum."""
        gain, *others = (self._rules.utility(state.state, player) for player in self._players.values())
        if gain is None:
            raise BrokenRules(f"utility should be a number, not None, in the state {shown(state)}")
        if others and others[0] != -gain:
            raise BrokenRules(f"utility should be zero-sum, not {gain} for one and {others[0]} for the other")
        return int(gain) if isinstance(gain, float) and gain.is_integer() else gain

    def position(self, state: Held) -> str:
        """The player to move and the board, or the whole state if two reachable states share these."""
        return _texts(self)[0](state)

    def parse(self, text: str) -> Held:
        """The reachable state that `text` describes; raises `TooLarge` if there are too many."""
        if self.states_at_most() and text.strip() in _texts(self)[1]:
            return _texts(self)[1][text.strip()]
        like = f"{self.position(self.initial)!r}, and of a state that play reaches"
        raise UnreadablePosition(f"cannot read the position {text!r}: it should be like {like}")

    def action_name(self, action: Any) -> str | int:
        """The action as a word or a number: `1-2` for the pair (1, 2)."""
        action = in_order(action) if isinstance(action, set | frozenset) else action
        if not isinstance(action, tuple):
            return super().action_name(action)
        return "-".join(str(frozen(part) if holds_set(part) else part) for part in action)

    def board(self, state: Held) -> Sequence[Sequence[str]] | None:
        """The board, if it is rows of marks, or a dict of marks by pairs of numbers; None for any other."""
        rows = _board_in(state.state)
        if isinstance(rows, dict) and rows.keys() <= {*chain(*self._cells)}:
            rows = [[rows.get(cell) for cell in row] for row in self._cells]
        if isinstance(rows, list | tuple) and all(map(_is_row, rows)) and len({*map(len, rows)}) == 1:
            return [[EMPTY.get(mark, mark) for mark in row] for row in rows]
        return None

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The names of the moves to cells that are pairs of numbers; none if they are not all cells."""
        names = [[str(self.action_name(cell)) for cell in row] for row in self._cells]
        board = self.board(self.initial) or names
        return names if [*map(len, names)] == [*map(len, board)] else ()

    def states_at_most(self) -> int:
        """The number of reachable states; raises `TooLarge` if there are too many."""
        return len(_texts(self)[1] or list(self.walk()))

    @cached_property
    def _rules(self) -> Any:
        return type(self).made(**{field.name: getattr(self, field.name) for field in fields(self)})

    @cached_property
    def _is_terminal(self) -> Any:
        return next(getattr(self._rules, name) for name in ENDS if hasattr(self._rules, name))

    @cached_property
    def _players(self) -> dict[str, Any]:
        """The players as the rules represent them, by name, in the order of first moves; one or two."""
        players = dict[str, Any]()
        with rules_asked(self):
            for state in self.walk():
                if not self.is_terminal(state):
                    if (player := self._rules.to_move(state.state)) is None:
                        raise BrokenRules(
                            f"to_move should be a player, not None, in the state {shown(state)}"
                        )
                    other = players.setdefault(str(player), player)
                    if type(other) is not type(player) and other != player:
                        raise BrokenRules(f"two players have one name: {other!r} and {player!r}")
                if len(players) == 2:
                    break
            return players or {str(player := self._rules.to_move(self._rules.initial)): player}

    @cached_property
    def _cells(self) -> Sequence[Sequence[tuple[int, int]]]:
        """The grid of the pairs of numbers in the initial board and in the initial `moves`, in rows."""
        state = self._rules.initial
        parts = _board_in(state), (fields_of(state) or {}).get("moves")
        items = chain(*(part for part in parts if isinstance(part, dict | list | tuple | set)))
        pairs = {item for item in items if isinstance(item, tuple) and [*map(type, item)] == [int, int]}
        rows, columns = (sorted({pair[at] for pair in pairs}) for at in (0, 1))
        return [[(row, column) for column in columns] for row in rows]

    def walk(self) -> Iterator[Held]:
        """Yield the reachable states, breadth first; raises `TooLarge` if there are too many."""
        states, seen = [self.initial], {self.initial}
        for state in states:  # grows in the loop
            yield state
            for action in self.actions(state):
                if (child := self.result(state, action)) not in seen:
                    seen.add(child)
                    states.append(child)
            if len(states) > MAX_STATES:
                raise TooLarge(
                    f"play of {type(self).__name__} reaches more than {MAX_STATES:,} states, too many to "
                    "find positions in: write a solver.Game with position and parse"
                )

    def short(self, state: Held) -> str:
        """The player to move and the board; the whole state if it has no board."""
        marks, held = self.board(state), _board_in(state.state)
        if marks is None and held is state.state:
            return _whole(state)
        board = "/".join("".join(mark or "." for mark in row) for row in marks) if marks else frozen(held)
        return f"{self.players[self.to_move(state)]} {board}"


@cache
def _texts(game: Textbook) -> tuple[Callable[[Held], str], dict[str, Held]]:
    """The function that writes positions, and the reachable states by text; empty if there are too many."""
    try:
        states = list(game.walk())
    except TooLarge:
        return _whole, {}
    for write in (game.short, _whole, lambda state: repr(state.key)):  # the last with names of classes
        texts = {state: write(state) for state in states}
        by_text = {text: state for state, text in texts.items()}
        if len(by_text) == len(states) and all(map(_can_be_typed, by_text)):
            break
    # Equal states, such as True and 1, may have different texts: all get the text of the first one.
    return lambda state: texts[state] if state in texts else write(state), by_text


def _whole(state: Held) -> str:
    """The contents of a state as a text; a text that can be typed is unchanged."""
    held = frozen(state.state)
    return held if isinstance(held, str) and _can_be_typed(held) else repr(held)


def _can_be_typed(text: str) -> bool:
    return text.isprintable() and text == text.strip() != ""


def _board_in(state: Any) -> Any:
    """The field `board` of a state, or the state itself if it has none."""
    return (fields_of(state) or {}).get("board", state)


def _is_row(row: Any) -> bool:
    """Whether this is a row of a board: marks, which are short texts or None, or a text of marks."""
    is_long = isinstance(row, list | tuple) or (isinstance(row, str) and len(row) > 2)
    return is_long and all(mark is None or (isinstance(mark, str) and len(mark) < 3) for mark in row)
