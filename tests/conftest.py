"""What tests of several modules need."""

from pathlib import Path

import pytest
from hypothesis import settings

import solver

settings.register_profile("patient", deadline=None)  # a busy machine is no reason to fail
settings.load_profile("patient")


@pytest.fixture(scope="session")
def tictactoe_db_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("solved") / "tictactoe.db"
    solver.solve(solver.load_game("tictactoe"), path)
    return path
