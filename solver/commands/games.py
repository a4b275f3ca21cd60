"""`perfectplay games`."""

import dataclasses
import inspect

import click

from solver.asking import bound_of
from solver.errors import BadParameter
from solver.plugins import AnyGame, entries, game_class, parameter_types
from solver.words import typed


@click.command()
@click.argument("name", required=False)
def games(name: str | None) -> None:
    """List the games, or the parameters of one."""
    if name is None:
        width = max(map(len, entries("games")))
        for each in entries("games"):
            click.echo(f"{each:<{width}}  {_summary(game_class(each))}")
        return
    kind = game_class(name)
    click.echo(f"{name}: {inspect.getdoc(kind)}\n")
    click.echo(f"players     {', '.join(kind.players)}")
    for line in _parameters(kind) or ["parameters  none"]:
        click.echo(line)
    click.echo(f"size        {_size(kind)}")


def _summary(kind: type[AnyGame]) -> str:
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def _parameters(kind: type[AnyGame]) -> list[str]:
    types, lines = parameter_types(kind), []
    for field in dataclasses.fields(kind) if types else ():  # type: ignore[arg-type]
        if field.name in types:
            required = field.default is dataclasses.MISSING
            default = "required" if required else f"default {typed(field.default)}"
            kind_name = getattr(types[field.name], "__name__", str(types[field.name]))
            lines.append(f"parameter   {field.name} ({kind_name}, {default})")
    return lines


def _size(kind: type[AnyGame]) -> str:
    try:
        bound = bound_of(kind())
    except (TypeError, BadParameter):
        return "depends on the parameters"
    return f"at most {bound:,} states with the defaults" if bound is not None else "unknown before solving"
