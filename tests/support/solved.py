"""Solved games that tests share. Each is solved once in a run, by the first process that asks for it."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from filelock import FileLock

from solver import Database, load_game, open_database, solve
from solver.game import AnyGame

SHARED = "PERFECTPLAY_SOLVED_BY_TESTS"
"""The environment variable with the folder that the processes of a run share; without it each has its own."""

OWN = TemporaryDirectory()


def solved_file(name: str, parameters: Mapping[str, Any] | None = None, **options: Any) -> Path:
    """The database of a game, which tests must not change; `options` are those of `solve`."""
    key = repr((name, sorted((parameters or {}).items()), sorted(options.items())))
    path = Path(os.environ.get(SHARED, OWN.name), f"{sha256(key.encode()).hexdigest()[:20]}.db")
    with FileLock(f"{path}.tests"):
        if not path.exists():
            solve(load_game(name, parameters), path, **{"engine": "arrays", **options})
    return path


def solved(name: str, parameters: Mapping[str, Any] | None = None, **options: Any) -> Database:
    """The opened database of `solved_file`."""
    return open_database(solved_file(name, parameters, **options))


@contextmanager
def solving(game: AnyGame, **options: Any) -> Iterator[Database]:
    """The opened database of any rules, which is deleted afterwards; `options` are those of `solve`."""
    with TemporaryDirectory() as folder:
        solve(game, Path(folder, "game.db"), **options)
        with open_database(Path(folder, "game.db")) as db:
            yield db
