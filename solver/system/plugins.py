"""Plug-ins: the objects that installed packages add by entry points, in the groups `perfectplay.<group>`.

The games, players, commands, pictures and formats that come along join by the same groups.
"""

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

from solver.errors import BrokenRules, SolverError, UnknownFormat, told


class Group(NamedTuple):
    """A group of entry points."""

    kind: str
    """The noun for one of them, in messages."""
    contract: str
    """The object that an entry point names."""
    caller: str
    """The module that uses it."""


GROUPS = {
    "games": Group("game", "a class that inherits from `solver.Game`", "solver.rules.loading"),
    "players": Group("player", "takes a game, and its own parameters; returns a `Player`", "solver.players"),
    "commands": Group("command", "a `click.Command` of the program", "solver.cli"),
    "pictures": Group("picture", "named after what it draws; takes that, returns an SVG or a page", __name__),
    "exporters": Group("format", "takes a `Plan`; returns its text or bytes", "solver.plans.formats"),
}
"""The groups by name."""


@cache
def entries(group: str) -> dict[str, EntryPoint]:
    """The entry points of `perfectplay.<group>` by name, in alphabetical order."""
    found = entry_points(group=f"perfectplay.{group}")
    return {entry.name: entry for entry in sorted(found, key=lambda entry: entry.name)}


def loaded(entry: EntryPoint) -> Any:
    """The object that an entry point names; raises `BrokenRules` when it cannot be imported."""
    try:
        return entry.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        kind = GROUPS[entry.group.removeprefix("perfectplay.")].kind
        raise BrokenRules(f"the {kind} {entry.name} cannot be loaded: {told(error)}") from error


def drawing(kind: str) -> Callable[..., Any]:
    """The function that draws one kind of thing; raises `UnknownFormat` when none is installed.

    position   a game and an entry -> SVG
    plan       a plan -> SVG
    graph      a graph of all states -> SVG
    page       a database, with `progress` -> HTML
    accuracy   a database and the number of players -> a function from their grades to SVG
    """
    entry = entries("pictures").get(kind)
    if entry is None:
        raise UnknownFormat(f"nothing is installed that draws a {kind}")
    function: Callable[..., Any] = loaded(entry)
    return function


def picture(kind: str, *shown: Any, **options: Any) -> str:
    """The text of a picture or page of this kind; raises what `drawing` and the function raise."""
    return str(drawing(kind)(*shown, **options))


def shown_in_notebook(kind: str, *shown: Any) -> str | None:
    """The SVG for a notebook, or None: what cannot be drawn legibly is shown there as text."""
    try:
        return picture(kind, *shown)
    except SolverError:
        return None
