"""A ledger of what is done, from which interrupted work goes on."""

import json
from pathlib import Path
from time import monotonic
from typing import Any

from solver.system.files import flush, sync

SECONDS_TO_REPEAT = 0.5
"""Seconds of work that an interruption may lose, as each writing to a disk waits for it."""


class Ledger:
    """Entries on disk: lines of JSON under a first line that says of what they are.

    When an entry is on disk, so is every file that was flushed before it was added. Those of the last
    `SECONDS_TO_REPEAT` may not be there yet. A line that an interruption has cut off is forgotten.
    """

    def __init__(self, path: Path, subject: object) -> None:
        """Read the entries about the `subject`, or begin anew if the file is about another."""
        self._path, self._waiting, self._written = path, list[object](), monotonic()
        self.entries: list[Any] = []
        if not self._read(subject):
            self.remove()
            self.entries, self._waiting = [], [subject]

    def add(self, entry: object) -> None:
        """Append an entry, with those that were added since entries were last written."""
        self.entries.append(entry)
        self._waiting.append(entry)
        if monotonic() - self._written >= SECONDS_TO_REPEAT:
            self._write()
            self._waiting, self._written = [], monotonic()

    def remove(self) -> None:
        """Delete the file."""
        self._path.unlink(missing_ok=True)

    def _read(self, subject: object) -> bool:
        """Read the entries; return whether they are about the subject."""
        try:
            first, *lines = self._path.read_text("utf-8").split("\n")
            if json.loads(first) != subject:
                return False
            self.entries = [*map(json.loads, lines[:-1])]
        except (FileNotFoundError, ValueError):
            return False
        self._path.write_text("\n".join([first, *lines[:-1], ""]), "utf-8")
        return True

    def _write(self) -> None:
        sync(self._path.parent)
        with self._path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in self._waiting)
            file.flush()
            flush(file.fileno())
