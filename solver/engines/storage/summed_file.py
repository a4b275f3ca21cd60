"""Files that end with their checksum, so that a resumed solve notices if one has changed.

| content | CRC-32 of the content, 4 bytes |
"""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedWriter, FileIO
from pathlib import Path
from typing import Any
from uuid import uuid4
from zlib import crc32

from solver.system.files import flush

SUM_BYTES = 4
"""The number of bytes after the content of a file."""

BYTES_AT_ONCE = 1 << 20
"""The number of bytes that are read at a time to check a file."""


class SummedWriter(BufferedWriter):
    """A new file, and the checksum of what is written to it."""

    def __init__(self, path: Path) -> None:
        super().__init__(FileIO(path, "w"))
        self._crc32 = 0

    def write(self, data: Any) -> int:
        """Append bytes, or an array."""
        self._crc32 = crc32(data, self._crc32)
        return super().write(data)

    def finish(self) -> None:
        """Append the checksum, and wait until the file is on disk."""
        self.write(self._crc32.to_bytes(SUM_BYTES, "little"))
        self.flush()
        flush(self.fileno())


@contextmanager
def new_file(path: Path) -> Iterator[SummedWriter]:
    """Yield a file, which several processes may write; it appears complete or not at all."""
    unfinished = path.with_name(f"{path.name}.{uuid4().hex}.part")
    try:
        with SummedWriter(unfinished) as file:
            yield file
            file.finish()
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def content_size(path: Path) -> int:
    """The number of bytes of the content of a file; below 0 for one too short to end with a checksum."""
    return path.stat().st_size - SUM_BYTES


def read_content(path: Path) -> bytes:
    """The content of a file, unchecked."""
    return path.read_bytes()[:-SUM_BYTES]


def is_whole(path: Path) -> bool:
    """Whether the content of a file has the checksum at its end."""
    actual, left = 0, content_size(path)
    with path.open("rb") as file:
        while left > 0 and (part := file.read(min(left, BYTES_AT_ONCE))):
            actual, left = crc32(part, actual), left - len(part)
        return left == 0 and file.read() == actual.to_bytes(SUM_BYTES, "little")
