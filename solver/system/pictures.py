"""Pictures and pages, by whoever joined through the entry points `perfectplay.pictures`.

An entry point is named after what it draws, and is a function from that to text:

    position   a game and an entry -> SVG
    plan       a plan -> SVG
    graph      a graph of all states -> SVG
    page       a database, with `progress` -> HTML
    accuracy   a database and the number of players -> a function from their grades to SVG
"""

from collections.abc import Callable
from typing import Any

from solver.errors import SolverError, UnknownFormat
from solver.system.plugins import entries, loaded


def drawing(kind: str) -> Callable[..., Any]:
    """The function that draws things of this kind; raises `UnknownFormat` when none is installed."""
    entry = entries("pictures").get(kind)
    if entry is None:
        raise UnknownFormat(f"nothing is installed that draws a {kind}")
    function: Callable[..., Any] = loaded(entry, "picture")
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
