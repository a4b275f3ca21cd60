"""Files of sorted keys, made without a solve."""

from pathlib import Path

from solver.database.packed.keys.gap_codec import Pieces
from solver.engines.storage.key_file import KeyWriter


def write_pieces(path: Path, pieces: Pieces) -> None:
    with path.open("wb") as file:
        writer = KeyWriter(file)
        writer.write(pieces)
        writer.close()
