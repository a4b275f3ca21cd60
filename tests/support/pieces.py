"""Small blocks of packed files, and small pieces of work, so that small games have many of them."""

from importlib.util import find_spec

import pytest

PIECED = (
    *("backward", "orbits", "sort_search", "windows.streams"),
    *(["windows.merge"] if find_spec("numba") else []),
)
"""The modules of the layers engine that work piece by piece."""

BLOCKED = (  # the last one last: the others take their number of it when they are imported
    *("proof.packed.layers.internal_states", "proof.packed.blocks", "engines.storage.labelled_layer"),
    *("database.packed.block_reader", "database.packed.keys.dictionary", "database.packed.block"),
)
"""The modules that write, read and prove blocks."""


def small_pieces(patch: pytest.MonkeyPatch, states: int = 16) -> None:
    """Let the layers engine work on so few states at once."""
    patch.setattr("solver.database.packed.keys.gap_codec.PIECE", states)
    for module in PIECED:
        patch.setattr(f"solver.engines.layers.{module}.PIECE", states)


def small_blocks(patch: pytest.MonkeyPatch, states: int = 16) -> None:
    """Let blocks of packed files have so few states."""
    for module in BLOCKED:
        patch.setattr(f"solver.{module}.BLOCK", states)
