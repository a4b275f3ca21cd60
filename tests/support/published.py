import tomllib
from pathlib import Path
from typing import Any

from solver.engines.counts import published_counts


def published() -> dict[str, Any]:
    """The published results by name."""
    return tomllib.loads((Path(__file__).parents[2] / "data" / "published.toml").read_text("utf-8"))


def counted(game: str, what: str = "states") -> dict[tuple[int, ...], int]:
    """The published numbers of states, or of classes, of a game by its parameters."""
    return {tuple(parameters): count for *parameters, count in published_counts()[game][what]}


def by_number(table: dict[str, int]) -> dict[int, int]:
    """A table whose keys TOML can only hold as texts, with numbers for keys."""
    return {int(key): count for key, count in table.items()}
