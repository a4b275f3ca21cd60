"""Shell completions: games, their parameters, players, formats and files.

Click calls each function with the context of the words before, the parameter, and the word to complete. A
rules file is run for this only if it is trusted; whatever cannot be loaded has no completions.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Any, Literal, get_args, get_origin

import click
from click.shell_completion import CompletionItem

from solver.errors import SolverError
from solver.system.plugins import entries


def folders(ctx: click.Context, parameter: click.Parameter, word: str) -> list[CompletionItem[str]]:
    """The folders, which the shell lists itself."""
    return [CompletionItem(word, type="dir")]


def games(ctx: click.Context, parameter: click.Parameter, word: str) -> list[CompletionItem[str]]:
    """The installed games; otherwise files, which the shell lists itself: rules, databases and plans."""
    return [CompletionItem(word, type="file"), *_beginning(word, entries("games"))]


def parameters(ctx: click.Context, parameter: click.Parameter, word: str) -> list[CompletionItem[str]]:
    """The parameters of the game that are not given yet, as `rows=`; after the `=`, their values."""
    types = _types(ctx)
    name, equals, _ = word.partition("=")
    if equals:
        return _beginning(word, (f"{name}={value}" for value in _values(types.get(name))))
    given = {given_word.partition("=")[0] for given_word in _words(ctx)}
    return _beginning(word, (f"{key}=" for key in types if key not in given))


def players(ctx: click.Context, parameter: click.Parameter, word: str) -> list[CompletionItem[str]]:
    """The installed players; otherwise files, for the user's own players."""
    return [CompletionItem(word, type="file"), *_beginning(word, entries("players"))]


def parameters_and_players(
    ctx: click.Context, parameter: click.Parameter, word: str
) -> list[CompletionItem[str]]:
    """The parameters of the game, and the players."""
    return [*players(ctx, parameter, word), *parameters(ctx, parameter, word)]


def sides(ctx: click.Context, parameter: click.Parameter, word: str) -> list[CompletionItem[str]]:
    """The sides of any game."""
    return _beginning(word, ("first", "second"))


def formats(ctx: click.Context, parameter: click.Parameter, word: str) -> list[CompletionItem[str]]:
    """The formats of plans."""
    return _beginning(word, entries("exporters"))


def _beginning(word: str, names: Iterable[str]) -> list[CompletionItem[str]]:
    return [CompletionItem(name) for name in names if name.startswith(word)]


def _words(ctx: click.Context) -> list[str]:
    """The words typed after the game; a pair that was parsed as a parameter is joined again."""
    given = ctx.params.get("words") or ctx.params.get("parameters") or ()
    return [word if isinstance(word, str) else "=".join(word) for word in given]


def _types(ctx: click.Context) -> dict[str, Any]:
    """The parameters of the game in the words before, with their types; empty if there is no such game."""
    from solver.rules.loading import game_class
    from solver.rules.parameters import parameter_types

    named = ctx.params.get("game") or ctx.params.get("source")
    try:
        return parameter_types(game_class(named, trusted=False)) if named else {}
    except SolverError:
        return {}


def _values(annotation: Any) -> list[str]:
    if annotation is bool:
        return ["true", "false"]
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return list(annotation.__members__)
    if get_origin(annotation) is Literal:
        return [str(part).lower() if part is None else str(part) for part in get_args(annotation)]
    return [value for part in get_args(annotation) for value in _values(part)]
