"""`perfectplay games`."""

import dataclasses
import inspect
from collections.abc import Iterator

import click

from solver.errors import BadParameter, SolverError
from solver.game import AnyGame
from solver.rules.asking import bound_of
from solver.rules.loading import game_class, load_game
from solver.rules.parameters import PLAIN, as_json, in_words, parameter_types, typed
from solver.system.plugins import entries


@click.command()
@click.argument("name", required=False)
def games(name: str | None) -> None:
    """List the games, or the parameters of one game."""
    if name is None:
        width = max(map(len, entries("games")))
        for each in entries("games"):
            click.echo(f"{each:<{width}}  {_summary(each)}")
        return
    kind = game_class(name)
    click.echo(f"{name}: {inspect.getdoc(kind)}\n")
    if isinstance(kind.players, tuple | list):
        click.echo(f"players     {', '.join(kind.players)}")
    for line in list(_parameters(kind)) or ["parameters  none"]:
        click.echo(line)
    click.echo(f"size        {_size(name)}")


def _summary(name: str) -> str:
    try:
        return (inspect.getdoc(game_class(name)) or "").partition("\n")[0]
    except SolverError as error:
        return " ".join(f"broken: {error}".split())


def _parameters(kind: type[AnyGame]) -> Iterator[str]:
    types = parameter_types(kind)
    for field in dataclasses.fields(kind) if types else ():  # type: ignore[arg-type]
        if field.name in types:
            default = field.default
            if field.default_factory is not dataclasses.MISSING:
                default = field.default_factory()
            required = default is dataclasses.MISSING
            said = "required" if required else f"default {typed(as_json(kind, field.name, default))}"
            wanted = types[field.name]
            kind_name = wanted.__name__ if wanted in PLAIN else in_words(wanted)
            yield f"parameter   {field.name} ({kind_name}, {said})"


def _size(name: str) -> str:
    try:
        game = load_game(name)
    except BadParameter:
        return "depends on the parameters"
    bound = bound_of(game)
    return "unknown before solving" if bound is None else f"at most {bound:,} states with the defaults"
