"""Games and commands by name: the built-in ones and everybody else's come in by the same entry points.

A game is named by its entry point in the group `perfectplay.games`, with a colon and the value of its first
parameter if that is handier (`openspiel:nim` is `openspiel game=nim`), or as `rules.py:MyGame`, a class in a
Python file that nobody installed. Such a file is code and runs as such.
"""

import dataclasses
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from solver.errors import BadParameter, BrokenRules, SolverError, UnknownGame
from solver.game import Game

AnyGame = Game[Any, Any]


@cache
def entries(group: str) -> dict[str, EntryPoint]:
    """The entry points of `perfectplay.<group>` by name, in alphabetical order."""
    found = entry_points(group=f"perfectplay.{group}")
    return {entry.name: entry for entry in sorted(found, key=lambda entry: entry.name)}


def game_class(name: str) -> type[AnyGame]:
    """The class of the game called `name`, or of `rules.py:MyGame`.

    Raises `UnknownGame` when there is none and `BrokenRules` when its file cannot be executed.
    """
    entry = entries("games").get(name) or entries("games").get(name.partition(":")[0])
    if entry is not None:
        return _as_game(name, loaded(entry))
    if ":" not in name:
        known = ", ".join(entries("games"))
        raise UnknownGame(f"there is no game {name!r}; there are {known}, or FILE.py:CLASS for your own")
    return _as_game(name, from_file(name, UnknownGame))


def from_file(name: str, unknown: type[SolverError]) -> Any:
    """What `FILE.py:NAME` names; raises `unknown` if there is nothing, `BrokenRules` if the file fails."""
    file, _, attribute = name.rpartition(":")
    if not Path(file).is_file():
        raise unknown(f"there is no rules file {file!r}")
    found = getattr(_module(str(Path(file).resolve())), attribute, None)
    if found is None:
        raise unknown(f"the rules file {file!r} has no class {attribute!r}")
    return found


def load_game(name: str, parameters: Mapping[str, Any] | None = None) -> AnyGame:
    """The game called `name` with `parameters`, whose values may be texts from a command line.

    Raises `UnknownGame`, `BadParameter` or `BrokenRules`.
    """
    kind = game_class(name)
    types = parameter_types(kind)
    values = {}
    for key, value in _given(name, types, parameters or {}):
        if key not in types:
            known = f"it has {', '.join(types)}" if types else "it has none"
            raise BadParameter(f"{name} has no parameter {key!r}; {known}")
        values[key] = converted(name, key, value, types[key])
    try:
        return kind(**values)
    except SolverError:
        raise
    except (Exception, SystemExit) as error:
        raise BadParameter(f"{name} cannot be made from these parameters: {error}") from error


def _given(name: str, types: Iterable[str], parameters: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The parameters, the one that `NAME:VALUE` gives before the others."""
    plain, colon, value = name.partition(":")
    if colon and name not in entries("games") and plain in entries("games"):
        first = next(iter(types), None)
        if first is None or first in parameters:
            takes = "no parameter" if first is None else f"the parameter {first!r} once"
            raise BadParameter(f"{plain} takes {takes}: leave :{value} out")
        yield first, value
    yield from parameters.items()


def parameter_types(kind: type[AnyGame]) -> dict[str, Any]:
    """The parameters of a class of games and their types, in the order of its fields."""
    if not dataclasses.is_dataclass(kind):
        return {}
    types = get_type_hints(kind)
    return {field.name: types[field.name] for field in dataclasses.fields(kind) if field.init}


def game_name(game: AnyGame) -> str:
    """The name by which `load_game` finds the class of `game` again."""
    kind = type(game)
    for name, entry in entries("games").items():
        if entry.value == f"{kind.__module__}:{kind.__qualname__}":
            return name
    module = sys.modules[kind.__module__]
    return f"{getattr(module, '__file__', None) or kind.__module__}:{kind.__qualname__}"


def game_parameters(game: AnyGame) -> dict[str, Any]:
    """The parameters of `game` as values that JSON can hold."""
    values = {name: getattr(game, name) for name in parameter_types(type(game))}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def loaded(entry: EntryPoint, kind: str = "game") -> Any:
    """What an entry point names; raises `BrokenRules` when it cannot be imported."""
    try:
        return entry.load()
    except (Exception, SystemExit) as error:
        raise BrokenRules(
            f"the {kind} {entry.name} cannot be loaded: {type(error).__name__}: {error}"
        ) from error


def _as_game(name: str, found: Any) -> type[AnyGame]:
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise UnknownGame(f"{name!r} is not a game: it should be a class that inherits from solver.Game")
    if missing := sorted(getattr(found, "__abstractmethods__", ())):
        raise BrokenRules(f"the rules of {name} lack {', '.join(missing)}")
    if len({str(player).lower() for player in found.players}) != 2 or len(found.players) != 2:
        raise BrokenRules(f"the rules of {name} should name two players, not {found.players!r}")
    return found


@cache
def source_digest(path: str) -> str:
    """The SHA-256, in hex, of a source file as it was when this process first used it."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


@cache
def _module(path: str) -> Any:
    """The executed rules file. It is known by its path so that two files may share a name."""
    spec = spec_from_file_location(path, path)
    if spec is None or spec.loader is None:
        raise UnknownGame(f"{path!r} is not a Python file")
    source_digest(path)
    module = module_from_spec(spec)
    sys.modules[path] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[path]
        raise BrokenRules(f"the rules file {path!r} fails: {type(error).__name__}: {error}") from error
    return module


def converted(owner: str, name: str, value: Any, wanted: Any) -> Any:
    """The value, perhaps a text, of the parameter `name` as the type that its owner wants.

    Raises `BadParameter` when it cannot be that.
    """
    try:
        if get_origin(wanted) is tuple:
            item = get_args(wanted)[0]
            items = value.split(",") if isinstance(value, str) else value
            return tuple(_plain(each, item) for each in items)
        return _plain(value, wanted)
    except (TypeError, ValueError):
        shown = value if isinstance(value, str) else repr(value)
        raise BadParameter(f"{owner} takes {name} as {_words(wanted)}, not {shown!r}") from None


def _plain(value: Any, wanted: Any) -> Any:
    if wanted is bool:
        return value if isinstance(value, bool) else {"true": True, "false": False}[_lower(value)]
    if wanted is int and (isinstance(value, bool) or not isinstance(value, int | str)):
        raise ValueError(value)
    return wanted(value)


def _lower(value: Any) -> str:
    if str(value).lower() not in ("true", "false"):
        raise ValueError(value)
    return str(value).lower()


def _words(wanted: Any) -> str:
    if get_origin(wanted) is tuple:
        return f"a list with commas, each {_words(get_args(wanted)[0])}"
    return {int: "an integer", bool: "true or false", float: "a number", str: "a word"}.get(
        wanted, str(wanted)
    )
