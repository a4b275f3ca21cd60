"""The served files; a file is reopened when it is replaced or overwritten.

An answer is valid only if the file was not overwritten meanwhile: SQLite and our caches would mix old and new
bytes.
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
"""Seconds without changes before an overwritten file is reopened: the coarsest file system time stamps."""


Stamp = tuple[int, int, int, int]
"""The identity of a file: its device, inode, size in bytes and time of modification in ns."""


@dataclass
class _OpenFile:
    db: Database
    stamp: Stamp | None
    readers: int = 0
    """The number of requests that read it."""


class ServedFile:
    """The file of a solved game; a replaced file is closed when the last request reading it is answered."""

    def __init__(self, path: Path) -> None:
        """Open the file at `path`; raises what `open_database` and `Database.game` raise."""
        self.path, self.id = path.absolute(), path.stem  # not resolved: a link may change its target
        self._lock = Lock()
        self._open = self._opened()

    @property
    def game(self) -> str:
        """The name of the game in the file as last opened."""
        return self._open.db.game_name

    @contextmanager
    def database(self) -> Iterator[Database]:
        """Yield the database in the current file.

        Raises what `open_database` raises if the file was replaced by no database, and `BusyFile` if it is
        being overwritten; at the end of the block, that makes everything read in it invalid. All errors,
        including those of the block, name the file without its folder; errors of rules become `BrokenRules`.
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
            file = self._open
            file.readers += 1
        try:
            yield file.db
        finally:
            with self._lock:
                file.readers -= 1
                if file is not self._open and not file.readers:
                    file.db.close()
            self._refuse_overwritten(file)

    def _refuse_overwritten(self, file: _OpenFile, within: float = math.inf) -> None:
        """Raise `BusyFile` if the file was overwritten since it was opened, in the last `within` seconds."""
        now, before = _stamp_of(self.path), file.stamp
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
            db.checked_game  # noqa: B018 - raises unless the rules exist and are trusted
        except BaseException:
            db.close()
            raise
        return _OpenFile(db, stamp)


def served_files(paths: Sequence[str]) -> dict[str, ServedFile]:
    """The files by ID, which is the name without its suffix.

    Raises `UsageError` for two files with the same ID, and what `ServedFile` raises.
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
