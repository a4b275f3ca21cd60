"""A database of tic-tac-toe to serve, and clients of the service."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from exporters.server.app import application
from exporters.server.files import served_files


def client_of(*files: Path, **options: Any) -> TestClient:
    """A client of the service of some files. The service runs inside a `with` block."""
    return TestClient(application(served_files([*map(str, files)]), **options), follow_redirects=False)


@pytest.fixture(scope="package")
def path(tictactoe_db_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file `a.db`."""
    path = tmp_path_factory.mktemp("served") / "a.db"
    shutil.copy(tictactoe_db_path, path)
    return path


@pytest.fixture(scope="package")
def client(path: Path) -> Iterator[TestClient]:
    """A client of the service of that file."""
    with client_of(path) as client:
        yield client
