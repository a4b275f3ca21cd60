"""Files of a stage that are held in memory instead of in the work folder, as long as there is room."""

from fnmatch import fnmatch
from pathlib import Path
from threading import Lock
from typing import Any


class HeldFiles:
    """The contents of files by path, as bytes or as arrays; thread-safe."""

    def __init__(self) -> None:
        """Hold nothing until `open` is called."""
        self._files, self._left, self._lock = dict[Path, tuple[Any, int]](), 0, Lock()
        self.is_open = False
        """Whether files are held."""
        self.was_full = False
        """Whether there was no room for some file."""

    def open(self, room: int) -> None:
        """Begin to hold files, up to `room` bytes in total."""
        self._left, self.is_open, self.was_full = room, True, False

    def keep(self, path: Path, content: Any, size: int) -> bool:
        """Hold a file of `size` bytes; return whether files are held and there was room for it."""
        with self._lock:
            if not self.is_open or size > self._left:
                self.was_full |= self.is_open
                return False
            self._left -= size - self._files.get(path, (None, 0))[1]
            self._files[path] = content, size
            return True

    def content(self, path: Path) -> Any:
        """The content of a file; None if it is not held."""
        return self._files.get(path, (None, 0))[0]

    def drop(self, pattern: str) -> None:
        """Release the files whose names match a pattern."""
        with self._lock:
            for path in [path for path in self._files if fnmatch(path.name, pattern)]:
                self._left += self._files.pop(path)[1]

    def close(self) -> list[tuple[Path, Any]]:
        """Stop holding files; return those that were held."""
        with self._lock:
            files = [(path, content) for path, (content, _) in self._files.items()]
            self._files, self.is_open, self.was_full = {}, False, False
            return files
