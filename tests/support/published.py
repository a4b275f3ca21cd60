import tomllib
from pathlib import Path
from typing import Any

from solver.engines.forecast import published_counts

DATA = Path(__file__).parents[2] / "data"


def published() -> dict[str, Any]:
    return tomllib.loads((DATA / "published.toml").read_text("utf-8"))


def expected(game: str) -> dict[str, Any]:
    """The published results of a solve; `game` is as in the catalogue."""
    tables = tomllib.loads((DATA / "catalogue.toml").read_text("utf-8"))["solve"]
    (actual,) = (dict(table["expect"]) for table in tables if table["game"] == game)
    return actual


def counted(game: str, what: str = "states") -> dict[tuple[int, ...], int]:
    """The published numbers of states, or of classes, of a game, by its parameters."""
    return {tuple(parameters): count for *parameters, count in published_counts()[game][what]}


def by_number(table: dict[str, int]) -> dict[int, int]:
    """The table with numbers for keys, which TOML can hold only as texts."""
    return {int(key): count for key, count in table.items()}
