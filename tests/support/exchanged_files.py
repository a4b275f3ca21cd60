"""Files with the first player to move in all states, as the engine for large games with loops writes them."""

from pathlib import Path
from typing import Any

import pytest

from solver import solve
from solver.game import AnyGame
from solver.packed import PackedGame


def exchanged_file(game: AnyGame, folder: Path, **options: Any) -> Path:
    """The folded file of a game with `exchanged`, solved as if it were large."""
    path = folder / "exchanged.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.engines.choose.MAX_STATES_FOR_READABLE", 0)
        solve(game, path, engine="arrays", layout="packed", fold=True, force=True, **options)
    return path


def class_of(game: PackedGame, state: int) -> int:
    """The canonical state of this one."""
    return game.canonical(game.exchanged(state) if game.to_move(state) else state)
