"""The formats by name: built-in and others alike join through the entry points `perfectplay.exporters`.

The name of a format is the ending of its files; of several for one ending the others are chosen by name only,
as `map`, whose files are SVG. Its entry point is a function `render(plan)` that returns text or bytes; one
that draws takes `depth` as well, the plies after which to cut the picture, and perhaps `follow`, the replies
to draw alone.
"""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from solver.errors import UnknownFormat, UsageError
from solver.plans.plan import Plan
from solver.system.plugins import entries

TREES = ("map", "nested-json")
"""The formats that write a position out each time that a way leads to it."""

Renderer: TypeAlias = Callable[..., str | bytes]


def render(plan: Plan, name: str, depth: int | None = None, follow: str | None = None) -> bytes:
    """The plan in the format `name`, texts in UTF-8.

    Raises `UnknownFormat`, `UsageError` when a format that is not a picture should be cut at a depth or
    follow replies, and what the format raises.
    """
    renderer = _renderer(name)
    given = {"depth": depth, "follow": follow}
    options = {option: value for option, value in given.items() if value is not None}
    for option in options:
        if not _takes(renderer, option):
            pictures = ", ".join(each for each in entries("exporters") if _takes(_renderer(each), option))
            raise UsageError(
                f"--{option} cuts pictures ({pictures}); {name} has the whole plan: leave it out"
            )
    rendered = renderer(plan, **options)
    return rendered.encode() if isinstance(rendered, str) else rendered


def format_of(path: Path) -> str:
    """The name of the format that the ending of `path` tells; raises `UnknownFormat` when it tells none."""
    name = path.suffix.removeprefix(".").lower()
    if name not in entries("exporters"):
        raise UnknownFormat(f"the ending of {path.name!r} tells no format: it should be one of {_known()}")
    return name


def _renderer(name: str) -> Renderer:
    if name not in entries("exporters"):
        raise UnknownFormat(f"there is no format {name!r}; there are {_known()}")
    renderer: Renderer = entries("exporters")[name].load()
    return renderer


def _takes(renderer: Renderer, option: str) -> bool:
    return option in inspect.signature(renderer).parameters


def _known() -> str:
    return ", ".join(entries("exporters"))
