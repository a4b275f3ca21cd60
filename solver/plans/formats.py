"""The registry of plan formats; all, built-in or not, are entry points in the group `perfectplay.exporters`.

The name of a format is the suffix of its files. A second format for a suffix is chosen by name only, such as
`map`, whose files are SVG, PNG or PDF. The entry point is a function `render(plan)` that returns str or
bytes. A picture also takes `depth`, the ply at which to cut it, and may take `follow`, the only replies to
draw; a format with several kinds of files takes `ending`, the suffix of the file.
"""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from solver.errors import BrokenRules, SolverError, UnknownFormat, UsageError, shown, summary_of
from solver.plans.plan import Plan
from solver.rules.failures import refusal
from solver.system.plugins import entries, loadable, loaded, names_instead

TREES = ("map", "nested-json", "tree")
"""The formats that unroll the plan to a tree, with a position once for each line of play to it."""

Renderer: TypeAlias = Callable[..., str | bytes]


def render(
    plan: Plan, name: str, depth: int | None = None, follow: str | None = None, ending: str | None = None
) -> bytes:
    """The plan in the format `name`, for a file with this `ending`; text is encoded in UTF-8.

    Raises `UnknownFormat`, `UsageError` for an option that the format does not take, `BrokenRules` if it
    returns neither text nor bytes, or fails and is not built in, and what a built-in format raises.
    """
    refuse_unfit(name, depth, follow)
    if plan.cut and not takes(name, "depth"):
        raise UsageError(f"{name} has the whole plan, and this one is cut: choose one without a depth")
    given = {"depth": depth, "follow": follow, "ending": ending if takes(name, "ending") else None}
    options = {option: value for option, value in given.items() if value is not None}
    renderer = _renderer(name)
    try:
        rendered = renderer(plan, **options)
    except (SolverError, OSError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        place = entries("exporters")[name].value
        if place.startswith("exporters."):
            raise
        failed = f"the format {name} ({place}) fails: {summary_of(error)}"
        raise refusal(error) or BrokenRules(failed) from error
    if not isinstance(rendered, str | bytes):
        raise BrokenRules(f"the format {name} should return text or bytes, not {shown(rendered)}")
    return rendered.encode() if isinstance(rendered, str) else rendered


def refuse_unfit(name: str, depth: int | None, follow: str | None) -> None:
    """Raise `UsageError` for an option that the format `name` does not take, and `UnknownFormat`."""
    for option, value in {"depth": depth, "follow": follow}.items():
        if value is not None and not takes(name, option):
            pictures = ", ".join(picture for picture in loadable("exporters") if takes(picture, option))
            whole = f"{name} has the whole plan: omit it or choose a picture"
            raise UsageError(f"--{option} cuts pictures ({pictures}); {whole}")


def format_of(path: Path) -> str:
    """The name of the format with the suffix of `path`; raises `UnknownFormat` if there is none."""
    ending = path.name[1:].lower()  # a name that begins with its only dot has no suffix
    fitting = [name for name in entries("exporters") if ending.endswith(f".{name.lower()}")]
    if not fitting:
        names = ", ".join(entries("exporters"))
        raise UnknownFormat(f"the ending of {path.name!r} tells no format: it should be one of {names}")
    return max(fitting, key=len)


def _renderer(name: str) -> Renderer:
    if name not in entries("exporters"):
        raise UnknownFormat(f"there is no format {name!r}; {names_instead(name, entries('exporters'))}")
    renderer: Renderer = loaded(entries("exporters")[name])
    return renderer


def takes(name: str, option: str) -> bool:
    """Whether the format `name` takes an option; raises `UnknownFormat`."""
    renderer = _renderer(name)
    try:
        return option in inspect.signature(renderer).parameters
    except (TypeError, ValueError):  # a builtin of unknown parameters
        return False
