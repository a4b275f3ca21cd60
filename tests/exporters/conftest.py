"""Pictures and plans that many tests share, made once in a run."""

from collections.abc import Iterator
from functools import cache

import pytest

import solver
from exporters.diagram import rendering
from solver import Plan
from tests.exporters.html.conftest import page_with, visit

__all__ = ["page_with", "visit"]


@pytest.fixture(scope="package", autouse=True)
def layouts() -> Iterator[None]:
    """Each layout of a diagram is made once: Graphviz needs a process of its own for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rendering, "draw", cache(rendering.draw))
        yield


@pytest.fixture(scope="session")
def whole_plans(tictactoe: solver.Database) -> dict[str, Plan]:
    """The plans for tic-tac-toe from the empty board, by owner."""
    return {owner: solver.make_plan(tictactoe, owner=owner) for owner in "xo"}
