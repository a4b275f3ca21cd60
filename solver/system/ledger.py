"""A ledger of finished work, from which interrupted work resumes."""

import json
from collections.abc import Iterable
from pathlib import Path
from time import monotonic
from typing import Any
from zlib import crc32

from solver.system.files import flush, sync

SECONDS_TO_REPEAT = 0.5
"""Seconds of work that an interruption may lose, as syncing to disk after every entry is slow."""


class Ledger:
    """Entries on disk as lines of JSON, after a first line with their subject, each with a checksum.

    When an entry is on disk, so is every file that was flushed before it was added. Entries of the last
    `SECONDS_TO_REPEAT` may not be on disk yet. A line that an interruption cut off is dropped; if another
    one has changed, all are.
    """

    def __init__(self, path: Path, subject: object) -> None:
        """Read the entries about `subject`, or start anew if the file has another subject."""
        self._path, self._waiting, self._written, self._crc32 = path, list[object](), monotonic(), 0
        self.entries: list[Any] = []
        if not self._read(subject):
            self.remove()
            self.entries, self._waiting, self._crc32 = [], [subject], 0

    def add(self, entry: object) -> None:
        """Append an entry; write it, with all waiting entries, if the last write is long enough ago."""
        self.entries.append(entry)
        self._waiting.append(entry)
        if monotonic() - self._written >= SECONDS_TO_REPEAT:
            self._write()
            self._waiting, self._written = [], monotonic()

    def remove(self) -> None:
        """Delete the file."""
        self._path.unlink(missing_ok=True)

    def _read(self, subject: object) -> bool:
        """Read the entries; returns whether they are about `subject`."""
        try:
            lines = self._path.read_text("utf-8").splitlines(keepends=True)
            complete = [line for line in lines if line.endswith("\n")]
            known, *self.entries = [json.loads(line.partition(" ")[2]) for line in complete]
        except (FileNotFoundError, ValueError):
            return False
        if known != subject or complete != self._lines([known, *self.entries]):
            return False
        self._path.write_text("".join(complete), "utf-8")
        return True

    def _write(self) -> None:
        sync(self._path.parent)
        with self._path.open("a", encoding="utf-8") as file:
            file.writelines(self._lines(self._waiting))
            file.flush()
            flush(file.fileno())

    def _lines(self, entries: Iterable[object]) -> list[str]:
        """The lines of the next entries."""
        lines = []
        for text in map(json.dumps, entries):
            self._crc32 = crc32(text.encode(), self._crc32)
            lines.append(f"{self._crc32:08x} {text}\n")
        return lines
