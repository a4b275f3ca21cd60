"""Pictures of plans, positions and graphs, by whoever joined through the entry points `perfectplay.pictures`.

An entry point is named after what it draws, and is a function from that to the text of an SVG.
"""

from typing import Any

from solver.errors import SolverError, UnknownFormat
from solver.system.plugins import entries, loaded


def picture(kind: str, *shown: Any) -> str:
    """The SVG of a thing of this kind: `plan`, `position` (rules and entry) or `graph`.

    Raises `UnknownFormat` when nothing is installed that draws it, and what the drawing raises.
    """
    entry = entries("pictures").get(kind)
    if entry is None:
        raise UnknownFormat(f"nothing is installed that draws a {kind}")
    return str(loaded(entry, "picture")(*shown))


def shown_in_notebook(kind: str, *shown: Any) -> str | None:
    """The SVG for a notebook, or None: what cannot be drawn legibly is shown there as text."""
    try:
        return picture(kind, *shown)
    except SolverError:
        return None
