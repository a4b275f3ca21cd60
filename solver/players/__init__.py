"""Players by name: `perfect`, `uct(playouts=1000)`, `plan(mine.json)`, `mine.py:Mine`.

A maker of players is a class or function that takes the game, then its own parameters, each with a type. A
parameter called `truth` receives the `Truth` of the game. All makers, including the built-in ones, are
registered as entry points in the group `perfectplay.players`.
"""

import inspect
import re
from collections.abc import Callable, Hashable, Mapping
from random import Random
from typing import Any, Protocol, TypeAlias, runtime_checkable

from solver.errors import BadParameter, BrokenRules, SolverError, UnknownPlayer, shown, summary_of
from solver.players.oracle import Truth
from solver.rules.parameters import converted
from solver.rules.source.rules_file import from_file
from solver.system.plugins import entries, loaded, names_instead
from solver.system.words import wanted

__all__ = ["Maker", "Player", "Truth", "is_deterministic", "make_player", "maker_of", "settings_of"]


@runtime_checkable
class Player(Protocol):
    """A player: anything that chooses moves.

    A player that always chooses the same action in a given state may set `deterministic = True`.
    """

    def choose(self, state: Any, random: Random) -> Hashable:
        """The action to play in the non-terminal `state`; `random` is the source of all random choices."""


Maker: TypeAlias = Callable[..., Player]

SYNTAX = re.compile(r"\s*([^()]+?)\s*(?:\((.*)\))?\s*", re.DOTALL)
"""The syntax of a player: a name, optionally followed by parameters in parentheses."""


NEXT = re.compile(r",(?=\s*\w+\s*=)")
"""The comma before the next parameter; other commas belong to a list or a text."""


def make_player(text: str, truth: Truth) -> Player:
    """The player described by `text`, such as `uct(playouts=1000)`, for the game of `truth`.

    Raises `UnknownPlayer`, `BadParameter`, `BrokenRules` if a file or maker fails, and any `SolverError` that
    the maker raises.
    """
    wanted(Truth, truth, "Truth(GAME)")
    if not (match := SYNTAX.fullmatch(text)):
        raise UnknownPlayer(f"cannot read the player {text!r}: it should be like uct or uct(playouts=1000)")
    name, inside = match[1], (match[2] or "").strip()
    maker = maker_of(name)
    try:
        settings = settings_of(maker)
    except Exception as error:
        raise BrokenRules(
            f"the player {name} should take the game, then its own parameters: {summary_of(error)}"
        ) from error
    values = _bound(name, settings, NEXT.split(inside) if inside else [])
    if "truth" in inspect.signature(maker).parameters:
        values["truth"] = truth
    try:
        player = maker(truth.game, **values)
    except (SolverError, PermissionError):
        raise
    except (Exception, SystemExit) as error:
        raise BrokenRules(f"the player {name} cannot be made for the game: {summary_of(error)}") from error
    if not callable(getattr(player, "choose", None)):
        raise BrokenRules(
            f"the player {name} should be a class or function that makes an object with a method "
            f"choose(state, random), but it makes {shown(player)}"
        )
    return player


def maker_of(name: str) -> Maker:
    """The maker called `name`, which may be `FILE.py:NAME`; raises `UnknownPlayer`."""
    maker: Maker
    if name in entries("players"):
        maker = loaded(entries("players")[name])
    elif ":" in name or name.endswith(".py"):
        maker = from_file(name, UnknownPlayer, "choose")
    else:
        names = names_instead(name, entries("players"), end=", or FILE.py:NAME for your own")
        raise UnknownPlayer(f"there is no player {name!r}; {names}")
    if not callable(maker):
        raise UnknownPlayer(f"{name!r} is not a player: it should be a class or function that makes one")
    return maker


def settings_of(maker: Maker) -> dict[str, inspect.Parameter]:
    """The parameters of a maker that users can set, by name, in order; `*args` and `**kwargs` are none."""
    parameters = list(inspect.signature(maker, eval_str=True).parameters.values())[1:]  # after the game
    others = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    named = (parameter for parameter in parameters if parameter.kind not in others)
    return {parameter.name: parameter for parameter in named if parameter.name != "truth"}


def is_deterministic(player: Player) -> bool:
    """Whether the player declares that its choice depends only on the state."""
    return getattr(player, "deterministic", False) is True


def _bound(name: str, parameters: Mapping[str, inspect.Parameter], given: list[str]) -> dict[str, Any]:
    """The given values by parameter, converted to their types; a first value may come without its name."""
    values: dict[str, Any] = {}
    for nth, part in enumerate(given):
        key, equals, value = (side.strip() for side in part.partition("="))
        if not equals and nth == 0 and parameters:
            key, value = next(iter(parameters)), key
        if key not in parameters:
            names = names_instead(key, parameters, "it has") if parameters else "it has none"
            raise BadParameter(f"the player {name} has no parameter {key!r}; {names}")
        if key in values:
            raise BadParameter(f"the player {name} is given {key!r} more than once")
        values[key] = converted(f"the player {name}", key, value, _type(parameters[key]))
    for key, parameter in parameters.items():
        if key not in values and parameter.default is inspect.Parameter.empty:
            raise BadParameter(
                f"the player {name} is made for the game, and needs its parameter {key!r}: {name}({key}=...)"
            )
    return values


def _type(parameter: inspect.Parameter) -> Any:
    if parameter.annotation is not inspect.Parameter.empty:
        return parameter.annotation
    return str if parameter.default in (inspect.Parameter.empty, None) else type(parameter.default)
