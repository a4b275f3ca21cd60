"""Fixtures and settings of all tests."""

import gc
import os
import shutil
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import settings
from playwright.sync_api import Browser

from solver import Database, open_database
from solver.system.resources import cores
from tests.support.browser import chromium
from tests.support.solved import SHARED, solved_file

settings.register_profile("patient", deadline=None)  # a slow example on a busy machine is no failure
settings.load_profile("patient")

signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore SIGINT

gc.disable()  # while pytest collects, as nothing that it collects becomes garbage


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are processors, because tests wait for browsers and programs."""
    return cores() + 1


def pytest_configure(config: pytest.Config) -> None:
    """Put temporary files in memory if there is room, as SQLite waits for the drive at each commit.

    Each run has a folder of its own there, which is removed when the run ends.
    """
    memory, is_worker = Path("/dev/shm"), hasattr(config, "workerinput")
    if is_worker or config.option.markexpr != "not slow":
        return
    if memory.is_dir() and shutil.disk_usage(memory).free > 4 << 30:
        root = mkdtemp(prefix="perfectplay-tests-", dir=memory)
        os.environ["TMPDIR"] = os.environ["PYTEST_DEBUG_TEMPROOT"] = root
        os.environ[SHARED] = mkdtemp(prefix="solved-", dir=root)
        config.add_cleanup(partial(shutil.rmtree, root, ignore_errors=True))


def pytest_collection_finish() -> None:
    """Exempt what pytest collected from the garbage collector, and start the collector, at long intervals."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A configuration folder of the tests, in place of the user's own."""
    folder = tmp_path_factory.mktemp("configuration")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(folder))
        yield folder


@pytest.fixture(scope="session", autouse=True)
def drive() -> Iterator[None]:
    """No fsync: tests survive no power cut. test_disk.py tests what is synced."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session")
def tictactoe_db_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("solved") / "tictactoe.db"
    shutil.copy(solved_file("tictactoe"), path)
    return path


@pytest.fixture(scope="session")
def tictactoe(tictactoe_db_path: Path) -> Iterator[Database]:
    """Tic-tac-toe, opened once for all tests of a process, so that each entry is read once."""
    with open_database(tictactoe_db_path) as db:
        yield db


@pytest.fixture(scope="session")
def db(tictactoe: Database) -> Database:
    """The same, under a short name for modules that ask about no other file."""
    return tictactoe


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as launched:
        yield launched
