"""Plug-ins: what packages bring in by entry points, in the groups `perfectplay.<group>`.

The games, players, commands, pictures and formats that come along join by the same ones.
"""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from solver.errors import BrokenRules, told


@cache
def entries(group: str) -> dict[str, EntryPoint]:
    """The entry points of `perfectplay.<group>` by name, in alphabetical order."""
    found = entry_points(group=f"perfectplay.{group}")
    return {entry.name: entry for entry in sorted(found, key=lambda entry: entry.name)}


def loaded(entry: EntryPoint, kind: str = "game") -> Any:
    """What an entry point names; raises `BrokenRules` when it cannot be imported."""
    try:
        return entry.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise BrokenRules(f"the {kind} {entry.name} cannot be loaded: {told(error)}") from error
