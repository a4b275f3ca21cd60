"""Reads and writes positions and moves as text; exceptions of the rules become a `SolverError`."""

import marshal
from collections.abc import Callable
from operator import index
from typing import Any, Generic, TypeVar

from solver.errors import BrokenRules, SolverError, UnknownPosition, UnreadablePosition, shown
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.rules.failures import raise_broken_rules, rules_asked
from solver.rules.source.rules_file import raised

INTEGERS = range(-(2**63), 2**63)
"""The integers that a database can hold."""

MAX_TEXTS, MAX_CHARACTERS = 1 << 16, 1 << 10
"""The most texts of actions, and of states, that are cached, and the length of the longest of them."""

MARSHAL_FORMAT = 2
"""The last format of `marshal` in which the same value always has the same bytes."""

BYTES = b"s"
"""The code of `marshal` for bytes, and for all that gives its memory as bytes, such as numbers of NumPy."""


def is_state(number: object) -> bool:
    """Whether `number` is an integer that can be a packed state; `in range` would search for NumPy's."""
    return hasattr(number, "__index__") and 0 <= index(number) < 2**63


def read_position(game: AnyGame, text: str) -> Any:
    """The state that `text` describes; raises `UnreadablePosition` whatever the rules raise."""
    if not isinstance(text, str):
        raise UnreadablePosition(f"a position is a text here, not {shown(text)}")
    if text.encode(errors="ignore").decode() != text:
        raise UnreadablePosition(f"the position {shown(text)} is no text in UTF-8")
    if text.endswith("\0"):
        raise UnreadablePosition(f"the position {shown(text)} ends in the character 0, as none does")
    try:
        return game.parse(text)
    except (SolverError, MemoryError) as error:
        raise_broken_rules(game, error, "parse", text)
    except (Exception, SystemExit) as error:
        raise UnreadablePosition(
            f"cannot read the position {shown(text)}: the rules of {type(game).__name__} say {raised(error)}"
        ) from error


def read_start(game: AnyGame, text: str | None) -> Any:
    """The state that a text describes, or for None the initial one; raises `UnreadablePosition`."""
    if text is None:
        with rules_asked(game):
            return game.initial
    state = read_position(game, text)
    if isinstance(game, PackedGame) and not is_state(state):
        raise UnreadablePosition(f"{text!r} stands for {state}; states are from 0 to below 2**63")
    return state


def known_state(game: AnyGame, number: object) -> Any:
    """The integer as a state of the rules, which must write it as a text that they read as the same integer.

    Raises `UnknownPosition` if they do not, and `UnreadablePosition` for anything but an integer.
    """
    state = state_number(number)
    try:
        if read_position(game, write_position(game, state)) == state:
            return state
    except SolverError:
        pass
    raise UnknownPosition(f"{state} is not a state of {type(game).__name__}")


def state_number(number: object) -> int:
    """The integer, if a state may be it; raises `UnknownPosition`, or `UnreadablePosition` for no integer."""
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise UnreadablePosition(f"a position is a text, or a state that is an integer, not {number!r}")
    if not is_state(number):
        raise UnknownPosition("a state is neither negative nor 2**63 or more")
    return index(number)


def write_position(game: AnyGame, state: Any) -> str:
    """The state as text; raises `BrokenRules` if the rules give none."""
    try:
        text: object = game.position(state)
        if isinstance(text, str):
            _refuse_unstorable(text)
            return text
    except (Exception, SystemExit) as error:
        raise_broken_rules(game, error, "position", state)
    raise BrokenRules(f"position should be a text, not {shown(text)}, in the state {shown(state)}")


def _refuse_unstorable(text: str) -> None:
    """Raise ValueError unless UTF-8 can have the text and NumPy's arrays, which drop a last character 0."""
    if text.encode().endswith(b"\0"):
        raise ValueError("it ends in the character 0, which is lost in tables")


def refuse_unreadable(game: AnyGame, state: Any) -> None:
    """Raise `BrokenRules` if the rules cannot read what they write, as no position could be queried."""
    text = write_position(game, state)
    try:
        again = write_position(game, read_position(game, text))
    except UnreadablePosition as error:
        raise BrokenRules(
            f"the rules of {type(game).__name__} cannot read their own text: {error}{equality_hint(state)}"
        ) from error
    if again != text:
        raise BrokenRules(f"the rules of {type(game).__name__} write {text!r} but read it as {again!r}")


def equality_hint(state: Any) -> str:
    """The advice about states that equal only themselves, as of a plain class; empty for all others."""
    kind: Any = type(state)
    if kind.__eq__ is not object.__eq__:
        return ""
    return f"; two objects {kind.__name__} are never equal: make {kind.__name__} a frozen dataclass"


def exact_key(value: Any) -> int | str | bytes:
    """A key that only values of the same types throughout share: (1, True) and (1, 1) have two.

    Raises ValueError for a value with an object of another type than Python's own.
    """
    key: int | str | bytes = value if type(value) in (int, str) else marshal.dumps(value, MARSHAL_FORMAT)
    if isinstance(key, bytes) and BYTES in key and not _is_plain(value):
        raise ValueError
    return key


def _is_plain(value: Any) -> bool:
    """Whether no part of a value that `marshal` writes gives its memory as bytes, but bytes themselves."""
    if isinstance(value, dict):
        value = (*value.items(),)
    if isinstance(value, tuple | list | set | frozenset):
        return all(map(_is_plain, value))
    return value is None or type(value) in (int, str, bool, float, complex, bytes)


def _action_name(game: AnyGame, action: Any) -> str | int:
    try:
        name = game.action_name(action)
        if isinstance(name, str):
            _refuse_unstorable(name)
    except (Exception, SystemExit) as error:
        raise_broken_rules(game, error, "action_name", action)
    if isinstance(name, str):
        return name
    if isinstance(name, int) and (number := index(name)) in INTEGERS:
        return number
    raise BrokenRules(f"the name of an action should be a text or an integer, not {shown(name)}")


Text = TypeVar("Text", bound=str | int)


class _Cached(Generic[Text]):
    """A function that caches texts of the game asked last; equal values as (1, True) and (1, 1) have two."""

    def __init__(self, write: Callable[[AnyGame, Any], Text]) -> None:
        self._write = write
        self._texts: tuple[AnyGame | None, dict[int | str | bytes, Text]] = (None, {})

    def __call__(self, game: AnyGame, value: Any) -> Text:
        try:
            key = exact_key(value)
        except ValueError:
            return self._write(game, value)
        owner, texts = self._texts
        if owner is not game or len(texts) > MAX_TEXTS:
            self._texts = owner, texts = game, {}
        text = texts.get(key)
        if text is None:
            text = self._write(game, value)
            if len(str(text)) <= MAX_CHARACTERS:
                texts[key] = text
        return text


write_action = _Cached(_action_name)
"""The name of an action; raises `BrokenRules` if the rules give neither a number nor a text.

Names are cached, as most actions are legal in many states.
"""

write_child = _Cached(write_position)
"""What `write_position` returns; cached, as the moves of many states lead to one."""
