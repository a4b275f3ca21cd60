"""Connections to the file of a solved game, for any number of threads, and for processes that come of forks.

A connection can be used by one thread at a time. So there are as many as are used at the same time: who reads
takes an idle one, or opens another, and gives it back. A process that comes of a fork opens its own, since
SQLite wants it so, and leaves those of its parent alone.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from solver.database.header import Connection, connect
from solver.errors import ClosedDatabase


class Connections:
    """All connections to one file."""

    def __init__(self, path: Path, prepare: Callable[[Connection], object]) -> None:
        """Connect to the file at `path`; each connection is prepared before it is used."""
        self._path, self._prepare = path, prepare
        self._idle = deque[Connection]()  # whose every method is atomic
        self._process = os.getpid()
        self._inherited: list[object] = []
        self._closed = False

    @contextmanager
    def one(self) -> Iterator[Connection]:
        """A connection that nobody else uses within the block; raises `ClosedDatabase`, and as `connect`."""
        connection, process = self._taken(), os.getpid()
        try:
            yield connection
        finally:
            (self._idle if process == os.getpid() else self._inherited).append(connection)
            if self._closed:
                self.close()

    def close(self) -> None:
        """Close all connections, those that are in use as soon as they are not."""
        self._closed = True
        while self._idle and self._process == os.getpid():
            try:
                self._idle.pop().close()
            except IndexError:  # another thread was faster
                return

    def _taken(self) -> Connection:
        if self._closed:
            raise ClosedDatabase(f"{self._path} has been closed: open it again to ask it")
        if self._process != os.getpid():
            self._inherited.append(self._idle)  # to let go of them would close them
            self._idle, self._process = deque(), os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            connection = connect(self._path)
            self._prepare(connection)
            return connection
