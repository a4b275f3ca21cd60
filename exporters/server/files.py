"""The files that are served, each reopened when another one is put in its place, or when it is overwritten.

An answer counts only if the file was not overwritten while it was made: SQLite and our caches would mix the
old bytes and the new ones.
"""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from solver.database import Database, open_database
from solver.errors import BusyFile, UsageError
from solver.rules.failures import refusal

SETTLED_AFTER = 2
"""Seconds that an overwritten file has to be left alone: the coarsest times that a file system keeps."""


Stamp = tuple[int, int, int, int]
"""The identity of a file: its device and its inode, its bytes and when it was changed, in ns."""


@dataclass
class _OpenFile:
    db: Database
    stamp: Stamp | None
    readers: int = 0
    """The requests that read it."""


class ServedFile:
    """A file of a solved game. A replaced one is closed when the last request that reads it is answered."""

    def __init__(self, path: Path) -> None:
        """Open the file at `path`; raises as `open_database`, and for its rules as `Database.game`."""
        self.path, self.id = path.absolute(), path.stem  # a link may be turned to another file
        self._lock = Lock()
        self._open = self._opened()

    @property
    def game(self) -> str:
        """The name of the game in the version of the file that was last opened."""
        return self._open.db.game_name

    @contextmanager
    def database(self) -> Iterator[Database]:
        """The database as the file is now.

        Raises as `open_database` if what replaced it is no database, and `BusyFile` while it is overwritten,
        also at the end of the block: what was read in it is void then. All errors, those of the block too,
        name the file without its folder; one of rules is raised as `BrokenRules`.
        """
        try:
            with self._reading() as db:
                yield db
        except (Exception, SystemExit) as error:
            if (fault := refusal(error)) is None:
                raise
            raise type(fault)(str(fault).replace(str(self.path), self.path.name)) from error

    @contextmanager
    def _reading(self) -> Iterator[Database]:
        with self._lock:
            if self._open.stamp != _stamp_of(self.path):
                self._refuse_overwritten(self._open, SETTLED_AFTER)
                before, self._open = self._open, self._opened()
                if not before.readers:
                    before.db.close()
            used = self._open
            used.readers += 1
        try:
            yield used.db
        finally:
            with self._lock:
                used.readers -= 1
                if used is not self._open and not used.readers:
                    used.db.close()
            self._refuse_overwritten(used)

    def _refuse_overwritten(self, used: _OpenFile, within: float = math.inf) -> None:
        """Raise `BusyFile` if the file was overwritten after it was opened, and `within` so many seconds."""
        now, before = _stamp_of(self.path), used.stamp
        overwritten = now and before and now[:2] == before[:2] and now != before
        if now and overwritten and abs(time.time() - now[3] / 1e9) < within:
            raise BusyFile(f"{self.path} is being overwritten: ask again in {SETTLED_AFTER} seconds")

    def close(self) -> None:
        """Close the file."""
        self._open.db.close()

    def _opened(self) -> _OpenFile:
        stamp = _stamp_of(self.path)
        db = open_database(self.path)
        try:
            db.checked_game  # noqa: B018 - raises unless the rules are there and trusted
        except BaseException:
            db.close()
            raise
        return _OpenFile(db, stamp)


def served_files(paths: Sequence[str]) -> dict[str, ServedFile]:
    """The files by ID, the name without its ending.

    Raises `UsageError` for two files of one ID, and as `ServedFile`.
    """
    files = dict[str, ServedFile]()
    with ExitStack() as opened:
        for path in map(Path, paths):
            if path.stem in files:
                both = f"{files[path.stem].path} and {path}"
                raise UsageError(f"{both} would both be served as {path.stem!r}: rename one of them")
            files[path.stem] = opened.enter_context(closing(ServedFile(path)))
        opened.pop_all()
    return files


def _stamp_of(path: Path) -> Stamp | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
