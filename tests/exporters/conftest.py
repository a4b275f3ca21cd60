"""Lays out each diagram once in a run: Graphviz needs a process of its own for each, and tests share many."""

from collections.abc import Iterator
from functools import cache

import pytest

from exporters.diagram import rendering


@pytest.fixture(scope="package", autouse=True)
def layouts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rendering, "draw", cache(rendering.draw))
        yield
