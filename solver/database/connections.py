"""The file of a solved game, open for queries by any number of threads, and by forked processes.

One thread at a time can use a connection. So the connections form a pool: a reader takes an idle one, or
opens another, and returns it. Between two reads of a stream no thread is inside SQLite, so its connection can
be closed. A forked process opens its own connections, as SQLite requires, and leaves its parent's alone.
"""

import os
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Self

from solver.database.header import ROWS_PER_READ, Connection, complaint, connect, damaged
from solver.errors import BusyFile, ClosedDatabase, DamagedFile, DiskFull, UnwritableFile


class DatabaseFile:
    """The open file of a solved game, which answers SQL queries by a pool of connections."""

    def __init__(self, path: str | Path, *, errors: str = "strict") -> None:
        """Open the file at `path`; `errors` is how damaged text is decoded."""
        self.path, self._errors = Path(path), errors
        self._file: tuple[int, int] | None = None
        self._idle = deque[Connection]()  # the methods of deques and sets are atomic
        self._paused = set[sqlite3.Cursor]()
        self._process = os.getpid()
        self._inherited: list[object] = []
        self._closed = False

    def close(self) -> None:
        """Close the file, from any thread; a thread that is reading closes its connection when it is done."""
        self._closed = True
        if self._process != os.getpid():
            return
        for cursor in _emptied(self._paused):
            cursor.close()
            cursor.connection.close()
        for connection in _emptied(self._idle):
            connection.close()

    def __enter__(self) -> Self:
        """The open file; leaving the block closes it."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the file."""
        self.close()

    def tuples(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of an SQL query; raises `DamagedFile` if the file cannot be read."""
        with self._reading() as connection:
            return connection.execute(sql, values).fetchall()

    def stream(self, sql: str, *values: object) -> Iterator[sqlite3.Row]:
        """Yield the rows of an SQL query; raises as `tuples` does."""
        with self._reading() as connection:
            cursor = connection.execute(sql, values)
            cursor.row_factory = sqlite3.Row
            try:
                while rows := cursor.fetchmany(ROWS_PER_READ):
                    self._paused.add(cursor)
                    if self._closed:
                        self.close()
                    yield from rows
                    self._paused.remove(cursor)
            except KeyError:  # `close` has removed it
                raise self._refusal() from None
            finally:
                self._paused.discard(cursor)

    def damage(self, problem: object) -> DamagedFile:
        """The error that reports a problem of the file."""
        return damaged(self.path, problem)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """Yield a connection that no other thread uses within the block.

        Raises `ClosedDatabase`, and an error of SQLite as `complaint` converts it.
        """
        try:
            connection, process = self._taken(), os.getpid()
            try:
                yield connection
            finally:
                (self._idle if process == os.getpid() else self._inherited).append(connection)
                if self._closed:
                    self.close()
        except sqlite3.Error as error:
            raise complaint(self.path, error) from error
        except UnicodeDecodeError as error:
            raise self.damage(error) from error

    def _taken(self) -> Connection:
        if self._closed:
            raise self._refusal()
        if self._process != os.getpid():
            self._inherited += [self._idle, self._paused]  # a reference keeps them from being closed
            self._idle, self._paused, self._process = deque(), set(), os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            self._file = self._file or _identity(self.path)
            connection = connect(self.path)
            connection.text_factory = partial(bytes.decode, errors=self._errors)
            if _identity(self.path) != self._file:
                connection.close()
                raise BusyFile(f"{self.path} has been replaced by another file: open it again") from None
            return connection

    def _refusal(self) -> ClosedDatabase:
        return ClosedDatabase(f"{self.path} has been closed: open it again to ask it")


def _emptied(pool: deque[Any] | set[Any]) -> Iterator[Any]:
    """Remove and yield the items, except for those that another thread removes meanwhile."""
    with suppress(IndexError, KeyError):
        while True:
            yield pool.pop()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def unwritten(path: Path, error: sqlite3.Error) -> UnwritableFile:
    """The error to raise if SQLite cannot write a file."""
    is_full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    kind = DiskFull if is_full else UnwritableFile
    return kind(f"cannot write {path} ({error}): is there room on the disk?")
