"""Finds games by name and creates them from parameters.

A game is named by its entry point in the group `perfectplay.games`, optionally with a colon and the value of
its first parameter (`openspiel:nim` is `openspiel game=nim`), or as `rules.py:MyGame`, a class in a Python
file that is not installed, or `module:MyGame`, a class in a module that is. These are executed if
`source/trust.py` allows it. A class or an object that is no `Game` may fit the textbook (`textbook/`).
"""

import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from types import FunctionType
from typing import Any

from solver.errors import BadParameter, BrokenRules, SolverError, UnknownGame, UsageError, shown
from solver.game import AnyGame, Game
from solver.packed import PackedGame
from solver.rules.asking import as_integer
from solver.rules.failures import rules_asked
from solver.rules.parameters import as_json, converted, parameter_types
from solver.rules.source import trust
from solver.rules.source.modules import is_there, needs_package, rules_file
from solver.rules.source.rules_file import from_file, raised
from solver.rules.textbook import Textbook, adapted, lacking
from solver.system.plugins import EntryPoint, alike, entries, loaded, names_instead
from solver.system.words import wanted


def installed(name: str) -> EntryPoint | None:
    """The entry point of the installed game called `name`, or the part of `name` before its colon."""
    return entries("games").get(name) or entries("games").get(name.partition(":")[0])


def game_class(name: str, *, trusted: bool = True) -> type[AnyGame]:
    """The class of the game called `name`, or of `rules.py:MyGame` or `module:MyGame`.

    Raises `UnknownGame` if there is none, `BrokenRules` if its file fails, and `UntrustedRules` if its file
    has not run before, unless it is `trusted`, as a file that the user names is.
    """
    if entry := installed(name):
        return _as_game(name, loaded(entry))
    if ":" not in name and not name.endswith(".py"):
        own = f"{name}.py" if is_there(f"{name}.py") else "FILE.py:CLASS"
        names = names_instead(name, entries("games"), end=f", or {own} for your own")
        raise UnknownGame(f"there is no game {name!r}; {names}")
    rules = from_file(name, UnknownGame, "result", trusted=trusted)
    if isinstance(rules, Game) or (isinstance(rules, type) and issubclass(rules, Game)):
        return _as_game(name, rules)
    if missing := lacking(rules):
        raise UnknownGame(
            f"{name!r} is not a game: it should be a class that inherits from solver.Game, or one of the "
            f"textbook's kind, of whose members it lacks {', '.join(missing)}"
        )
    file, _, member = name.rpartition(":") if ":" in name else (name, "", rules.__name__)
    return adapted(f"{Path(file).resolve() if file.endswith('.py') else file}:{member}", rules)


def load_game(
    name: str | PathLike[str], parameters: Mapping[str, Any] | None = None, *, trusted: bool = True
) -> AnyGame:
    """The game called `name` with `parameters`, whose values may be texts from a command line.

    Raises `UnknownGame`, `BadParameter`, `BrokenRules` if its file fails, and `UntrustedRules` if its file
    has not run before, unless it is `trusted`.
    """
    name = fspath(name)
    rules = game_class(name, trusted=trusted)
    types = parameter_types(rules)
    given = {} if parameters is None else parameters
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        kind = type(given).__name__
        raise BadParameter(
            f"{name} takes its parameters as a dict by name, not the {kind!r} object {shown(given)}"
        )
    values = {}
    for key, value in _given(name, types, given):
        if key not in types:
            none = "it has none" + ": write @dataclass(frozen=True) above it" * (not is_dataclass(rules))
            names = names_instead(key, types, "it has") if types else none
            raise BadParameter(f"{name} has no parameter {key!r}; {names}")
        values[key] = converted(name, key, value, types[key])
    for key, setting in inspect.signature(rules).parameters.items() if types else ():
        if key in types and key not in values and setting.default is inspect.Parameter.empty:
            raise BadParameter(f"{name} needs its parameter {key!r}, which has no default: {key}=...")
    try:
        game = rules(**values)
    except SolverError:
        raise
    except (Exception, SystemExit) as error:
        raise BadParameter(f"{name} cannot be made from these parameters: {raised(error)}") from error
    refuse_unfit(game)
    return game


def refuse_unfit(game: AnyGame) -> None:
    """Raise `BrokenRules` for a game that breaks the contract of `Game`, and `TypeError` for no game.

    Checked are the two players, that properties are not methods, nor methods values, `action_count`, and that
    a file can hold the parameters.
    """
    wanted(Game, game, "load_game(NAME)")
    rules = type(game)
    _refuse_players(rules.__name__, game.players)
    interface = {**vars(Game), **vars(PackedGame)}
    for name in (name for name, member in interface.items() if type(member) is property):
        _refuse_method(rules, name)
    for name in (name for name, member in vars(Game).items() if type(member) is FunctionType):
        if not callable(member := getattr(rules, name)):
            kind = type(member).__name__
            raise BrokenRules(f"{name} of {rules.__name__} should be a method, not {kind}")
    if isinstance(game, PackedGame):
        with rules_asked(game, "action_count"):
            as_integer("action_count", game.action_count, range(1, 2**31), "a number from 1 on")
    game_parameters(game)


def _given(name: str, types: Iterable[str], parameters: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The parameters, first the one in `NAME:VALUE`, if any."""
    plain, colon, value = name.partition(":")
    if colon and name not in entries("games") and plain in entries("games"):
        first = next(iter(types), None)
        if first is None or first in parameters:
            takes = "no parameter" if first is None else f"the parameter {first!r} once"
            raise BadParameter(f"{plain} takes {takes}: omit :{value}")
        yield first, value
    yield from parameters.items()


def game_name(game: AnyGame) -> str:
    """The name of the class of `game` as files store it: a rules file without its folder."""
    place = game_place(game)
    file, colon, member = place.rpartition(":")
    return place if installed(place) else f"{Path(file).name}{colon}{member}"


def game_place(game: AnyGame) -> str:
    """The name by which `load_game` finds the class of `game` again: a rules file with its folder.

    A file with relative imports is named as the module that it is.
    """
    rules = type(game)
    if isinstance(game, Textbook):
        return game.place
    for name, entry in entries("games").items():
        if entry.value == f"{rules.__module__}:{rules.__qualname__}":
            return name
    module = sys.modules[rules.__module__]
    file = getattr(module, "__file__", None)
    if file and module.__spec__ and is_there(file) and needs_package(file):
        file = module.__spec__.name
    return f"{file or rules.__module__}:{rules.__qualname__}"


def note_rules(game: AnyGame) -> None:
    """Record that the user has run the rules file of `game`, so that files that name it may run it, too.

    Raises `UsageError` if there is no such file, as for a class that was typed into a notebook, or if the
    class is inside a function or a class.
    """
    name, rules = game_place(game), type(game).__name__
    if "." in type(game).__qualname__ and not isinstance(game, Textbook):
        raise UsageError(
            f"the class {type(game).__qualname__} is inside another definition, where a database does not "
            "find its rules: define it at the top level of its file"
        )
    if installed(name):
        return
    if (path := rules_file(name.rpartition(":")[0])) is None:
        here, there = f"{rules.lower()}.py", f"{rules.lower()}.py:{rules}"
        raise UsageError(
            f"the rules of {rules} are in no file, as a database needs: write them to {here}, in a notebook "
            f"by `%%writefile {here}`, and solve load_game({there!r})"
        )
    trust.note(str(path))


def game_parameters(game: AnyGame) -> dict[str, Any]:
    """The parameters of `game` as values that JSON can hold; raises `BrokenRules` for others."""
    rules = type(game)
    return {name: as_json(rules, name, getattr(game, name)) for name in parameter_types(rules)}


def description_of(rules: type[AnyGame]) -> str | None:
    """The docstring of a class of games; None if it has none of its own."""
    text = inspect.getdoc(rules)
    is_inherited = text in map(inspect.getdoc, (Game, PackedGame))
    return None if not text or is_inherited or text.startswith(f"{rules.__name__}(") else text


def _as_game(name: str, rules: Any) -> type[AnyGame]:
    if not (isinstance(rules, type) and issubclass(rules, Game)):
        raise UnknownGame(f"{name!r} is not a game: it should be a class that inherits from solver.Game")
    if missing := sorted(getattr(rules, "__abstractmethods__", ())):
        given = [member for member in vars(rules) if not member.startswith("_") and member not in vars(Game)]
        near = ((member, other) for member in missing for other in alike(member, given)[:1])
        meant = "".join(f"; did you mean {member} by {other}?" for member, other in near)
        raise BrokenRules(f"the rules of {name} lack {', '.join(missing)}{meant}")
    _refuse_method(rules, "players")
    if not isinstance(rules.players, property | cached_property):
        _refuse_players(name, rules.players)
    parameter_types(rules)
    return rules


def _refuse_method(rules: type[AnyGame], name: str) -> None:
    if isinstance(getattr(rules, name, None), FunctionType):
        raise BrokenRules(f"{name} of {rules.__name__} is a method: write @property above it")


def _refuse_players(name: str, players: Any) -> None:
    names = players if isinstance(players, tuple | list) else ()
    if len(names) != 2 or len({name.lower() for name in names if isinstance(name, str)}) != 2:
        raise BrokenRules(f"the rules of {name} should name two different players, not {players!r}")
