"""Files of a work folder, made without a solve."""

from pathlib import Path

from solver.database.packed.keys.gap_codec import Pieces
from solver.engines.storage.key_file import KeyWriter
from solver.engines.storage.summed_file import new_file


def write_pieces(path: Path, pieces: Pieces) -> None:
    with new_file(path) as file:
        writer = KeyWriter(file)
        writer.write(pieces)
        writer.close()


def write_content(path: Path, content: bytes) -> None:
    with new_file(path) as file:
        file.write(content)
