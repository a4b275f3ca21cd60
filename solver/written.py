"""Files that are written as a whole or not at all."""

import os
from pathlib import Path

from solver.errors import MissingFile, TargetExists


def target(path: Path, content: str) -> Path:
    """The path, if it can be a file's; raises `MissingFile` (no such folder) or `TargetExists` (a folder).

    `content` says what is to be written there.
    """
    if not path.parent.is_dir():
        raise MissingFile(f"there is no folder {str(path.parent)!r} to put {path.name!r} into")
    if path.is_dir():
        raise TargetExists(f"{path} is a folder: choose a file for the {content}")
    return path


def write(path: Path, content: bytes) -> None:
    """Make `content` the whole of the file, or leave the file as it was."""
    if path.exists() and not path.is_file():
        path.write_bytes(content)  # a pipe or a device is written to, not replaced
        return
    place = path.resolve()
    part = place.with_name(f"{place.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
