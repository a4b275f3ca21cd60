"""A ledger of what is done, from which interrupted work goes on."""

import json
from pathlib import Path
from typing import Any

from solver.system.files import flush, sync


class Ledger:
    """Entries on disk: lines of JSON under a first line that says of what they are.

    An entry is on disk when `add` returns, and so is every file that was flushed before. A line that an
    interruption has cut off is forgotten.
    """

    def __init__(self, path: Path, subject: object) -> None:
        """Read the entries about the `subject`, or begin anew if the file is about another."""
        self._path = path
        self.entries: list[Any] = []
        if not self._read(subject):
            self.remove()
            self.entries = []
            self._append(subject)

    def add(self, entry: object) -> None:
        """Append an entry."""
        self.entries.append(entry)
        sync(self._path.parent)
        self._append(entry)

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

    def _append(self, entry: object) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
            file.flush()
            flush(file.fileno())
