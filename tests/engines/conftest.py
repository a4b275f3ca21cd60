"""Fixtures of the tests of engines."""

from collections.abc import Iterator
from functools import lru_cache

import pytest
from distributed import LocalCluster

from solver.engines.array_rules.compiled_rules import compiled_rules


@pytest.fixture(scope="session")
def scheduler() -> Iterator[str]:
    """The address of a scheduler with two workers."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="package", autouse=True)
def compiled_once() -> Iterator[None]:
    """Compile equal rules only once, however often a game is solved."""
    with pytest.MonkeyPatch.context() as patch:
        once = lru_cache(64)(compiled_rules)
        patch.setattr("solver.engines.array_rules.compiled_rules.compiled_rules", once)
        yield
