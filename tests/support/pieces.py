"""Makes blocks of packed files and pieces of work small, so that small games have many."""

from importlib.util import find_spec

import pytest

PIECED = (
    *("backward", "orbits", "matching", "windows.streams"),
    *(["windows.merge"] if find_spec("numba") else []),
)
"""The modules of the layers engine that work piece by piece."""

BLOCKED = (  # the last module comes last: the others import the number from it
    *("proof.packed.layers.internal_states", "proof.packed.blocks", "engines.storage.blocks"),
    *("database.packed.block_reader", "database.packed.keys.dictionary", "database.packed.block"),
)
"""The modules that write, read and prove blocks."""


def small_pieces(patch: pytest.MonkeyPatch, states: int = 16) -> None:
    """Make the layers engine work on this few states at a time."""
    patch.setattr("solver.database.packed.keys.gap_codec.PIECE", states)
    for module in PIECED:
        patch.setattr(f"solver.engines.layers.{module}.PIECE", states)


def small_blocks(patch: pytest.MonkeyPatch, states: int = 16) -> None:
    """Make blocks of packed files hold this few states."""
    for module in BLOCKED:
        patch.setattr(f"solver.{module}.BLOCK", states)
