"""What a shell completes: games, their parameters, players, searches and files.

Each function takes what click gives it: the context with the words before, the parameter, and the word to
complete. A rules file runs for this only if it is trusted; whatever cannot be loaded has no completions.
"""

from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import click

from solver.errors import SolverError
from solver.system.plugins import entries

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def files(ctx: click.Context, parameter: click.Parameter, word: str) -> "list[CompletionItem[str]]":
    """The files, which the shell finds itself."""
    return [_item(word, type="file")]


def folders(ctx: click.Context, parameter: click.Parameter, word: str) -> "list[CompletionItem[str]]":
    """The folders, which the shell finds itself."""
    return [_item(word, type="dir")]


def games(ctx: click.Context, parameter: click.Parameter, word: str) -> "list[CompletionItem[str]]":
    """The games that begin like the word, or else files: of rules, and where a command takes them others."""
    return [*files(ctx, parameter, word), *_beginning(word, entries("games"))]


def parameters(ctx: click.Context, parameter: click.Parameter, word: str) -> "list[CompletionItem[str]]":
    """The parameters of the game that are not given yet, as `rows=`, or behind the `=` the values."""
    types = _types(ctx)
    name, equals, _ = word.partition("=")
    if equals:
        return _beginning(word, (f"{name}={value}" for value in _values(types.get(name))))
    given = {given_word.partition("=")[0] for given_word in _words(ctx)}
    return _beginning(word, (f"{key}=" for key in types if key not in given))


def players(ctx: click.Context, parameter: click.Parameter, word: str) -> "list[CompletionItem[str]]":
    """The players, or else files: of players of one's own."""
    return [*files(ctx, parameter, word), *_beginning(word, entries("players"))]


def parameters_and_players(
    ctx: click.Context, parameter: click.Parameter, word: str
) -> "list[CompletionItem[str]]":
    """The parameters of the game, and the players."""
    return [*players(ctx, parameter, word), *parameters(ctx, parameter, word)]


def sides(ctx: click.Context, parameter: click.Parameter, word: str) -> "list[CompletionItem[str]]":
    """The sides of any game."""
    return _beginning(word, ("first", "second"))


def formats(ctx: click.Context, parameter: click.Parameter, word: str) -> "list[CompletionItem[str]]":
    """The formats of plans."""
    return _beginning(word, entries("exporters"))


def _item(word: str, **about: str) -> "CompletionItem[str]":
    from click.shell_completion import CompletionItem  # which only completion needs

    return CompletionItem(word, **about)


def _beginning(word: str, names: Iterable[str]) -> "list[CompletionItem[str]]":
    return [_item(name) for name in names if name.startswith(word)]


def _words(ctx: click.Context) -> list[str]:
    """The words after the game that are there already; what was read as a parameter is written again."""
    given = ctx.params.get("words") or ctx.params.get("parameters") or ()
    return [word if isinstance(word, str) else "=".join(word) for word in given]


def _types(ctx: click.Context) -> dict[str, Any]:
    """The parameters of the game that the words before name, and their types; none if they name no game."""
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
