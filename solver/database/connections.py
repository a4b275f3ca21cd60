"""The file of a solved game, open for queries by any number of threads, and by processes that come of forks.

A connection can be used by one thread at a time. So there are as many as are used at the same time: a reader
takes an idle one, or opens another, and gives it back. Between two reads of a stream no thread is inside of
SQLite, so its connection can be closed. A forked process opens its own, since SQLite requires it, and leaves
those of its parent alone.
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
from solver.errors import BusyFile, ClosedDatabase, DamagedFile


class DatabaseFile:
    """The open file of a solved game, which answers SQL queries by a pool of connections."""

    def __init__(self, path: str | Path, *, errors: str = "strict") -> None:
        """Open the file at `path`; `errors` is how damaged text is decoded."""
        self.path, self._errors = Path(path), errors
        self._file: tuple[int, int] | None = None
        self._idle = deque[Connection]()  # whose every method is atomic, as are those of a set
        self._paused = set[sqlite3.Cursor]()
        self._process = os.getpid()
        self._inherited: list[object] = []
        self._closed = False

    def close(self) -> None:
        """Close the file; any thread may do it, and one that reads closes its connection when it has read."""
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

    def rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """The rows that an SQL query gives; raises `DamagedFile` where the file cannot be read."""
        return list(self.stream(sql, *values))

    def tuples(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that an SQL query gives, as plain tuples, which are made faster; raises as `rows` does."""
        with self._reading() as connection:
            return connection.execute(sql, values).fetchall()

    def first(self, most: int, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """The first rows that an SQL query gives, at most so many, as `tuples`; raises as `rows` does."""
        with self._reading() as connection:
            return connection.execute(sql, values).fetchmany(most)

    def stream(self, sql: str, *values: object) -> Iterator[sqlite3.Row]:
        """The rows that an SQL query gives, one at a time; raises as `rows` does."""
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
        """The error that says what is wrong with the file."""
        return damaged(self.path, problem)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """A connection that nobody else uses within the block.

        What SQLite says against the file is raised as an error of ours; also raises `ClosedDatabase`.
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
            self._inherited += [self._idle, self._paused]  # to let go of them would close them
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
    """Remove all, those that no other thread removes meanwhile."""
    with suppress(IndexError, KeyError):
        while True:
            yield pool.pop()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
