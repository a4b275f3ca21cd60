"""Positions and moves as text, whatever rules do: where their own methods fail, the failure gets a name."""

from operator import index
from typing import Any

from solver.errors import BrokenRules, SolverError, UnknownPosition, UnreadablePosition, shown, told
from solver.game import AnyGame
from solver.rules.failures import tell

INTEGERS = range(-(2**63), 2**63)
"""The numbers that a database can hold."""

STATES = range(2**63)
"""The numbers that a database can have as states."""


def read_position(game: AnyGame, text: str) -> Any:
    """The state that `text` describes; raises `UnreadablePosition`, whatever the rules raise."""
    try:
        text.encode()
        return game.parse(text)
    except (SolverError, MemoryError) as error:
        tell(game, error, "parse", text)
    except (Exception, SystemExit) as error:
        raise UnreadablePosition(
            f"cannot read the position {shown(text)}: the rules of {type(game).__name__} say {told(error)}"
        ) from error


def known_state(game: AnyGame, number: object) -> Any:
    """The integer as a state of the rules, which write it as a text that they read as the same again.

    Raises `UnknownPosition` where they do not, and `UnreadablePosition` for what is no integer.
    """
    state = state_number(number)
    try:
        if read_position(game, write_position(game, state)) == state:
            return state
    except SolverError:
        pass
    raise UnknownPosition(f"{state} is no state of {type(game).__name__}")


def state_number(number: object) -> int:
    """The integer as one that may be a state.

    Raises `UnknownPosition` where it is out of range, and `UnreadablePosition` for what is no integer.
    """
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise UnreadablePosition(f"a position is a text, or a state that is an integer, not {number!r}")
    if (state := index(number)) not in STATES:
        raise UnknownPosition("a state is neither negative nor 2**63 or more")
    return state


def write_position(game: AnyGame, state: Any) -> str:
    """The state as text; raises `BrokenRules` where the rules give none."""
    try:
        text = game.position(state)
        text.encode()
    except (Exception, SystemExit) as error:
        tell(game, error, "position", state)
    return text


def write_action(game: AnyGame, action: Any) -> str | int:
    """The name of an action; raises `BrokenRules` where the rules give neither a number nor a text."""
    try:
        name = game.action_name(action)
        if isinstance(name, str):
            name.encode()
    except (Exception, SystemExit) as error:
        tell(game, error, "action_name", action)
    if isinstance(name, str) or (isinstance(name, int) and name in INTEGERS):
        return name
    raise BrokenRules(f"the name of an action should be a text or an integer, not {shown(name)}")
