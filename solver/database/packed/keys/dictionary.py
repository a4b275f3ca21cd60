"""The dictionary of a packed file: some of its blocks, evenly spaced, with keys encoded by gap_codec.py.

    blocks       1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
    dictionary           5                  13

zstd refers to it for what blocks have in common, which halves the bytes of the keys of a large file. It
depends on the states alone, not on the engine that writes them, and is stored once, cut into rows.
"""

import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import zstandard

from solver.database.metadata import StoredMetadata
from solver.database.packed.block import BLOCK
from solver.database.packed.keys.gap_codec import packed
from solver.database.packed.keys.key_code import MAX_CONTENT_BYTES, content_size
from solver.rules.arrays import Keys

BLOCKS_PER_SAMPLE = 8
"""The least number of blocks per block of the dictionary: a larger dictionary takes more than it saves."""

MAX_SAMPLES = 1024
"""The most blocks in a dictionary."""

BYTES_PER_ROW = MAX_CONTENT_BYTES
"""Bytes of the dictionary in each of its rows but the last."""

MAX_ROWS = 16
"""The most rows of a dictionary, which is cut off there."""

ZSTD_LEVEL = 9
"""The compression level of the rows."""

Series: TypeAlias = tuple[int, int]
"""Stage and is_terminal."""


def dictionary_of(sizes: Mapping[Series, int], keys: Callable[[int, int, int, int], Keys]) -> bytes:
    """The dictionary of a file whose series have these numbers of states.

    `keys(stage, is_terminal, begin, end)` returns the keys of the ranks [begin, end) of a series.
    """
    parts = [packed(keys(*series, begin, end), BLOCK) for series, begin, end in _samples(sizes)]
    return b"".join(part.data.tobytes() for part in parts)[: BYTES_PER_ROW * MAX_ROWS]


def _samples(sizes: Mapping[Series, int]) -> Iterator[tuple[Series, int, int]]:
    """Yield the blocks of a dictionary, in order: the series and the ranks [begin, end) of the states."""
    blocks = sum(-(-states // BLOCK) for states in sizes.values())
    count = min(MAX_SAMPLES, blocks // BLOCKS_PER_SAMPLE)
    chosen = [(2 * nth + 1) * blocks // (2 * count) for nth in range(count)]
    before = 0
    for series, states in sorted(sizes.items()):
        end = before - (-states // BLOCK)
        for number in chosen:
            if before <= number < end:
                begin = (number - before) * BLOCK
                yield series, begin, min(begin + BLOCK, states)
        before = end


def rows_of(dictionary: bytes) -> Iterator[tuple[int, bytes]]:
    """The rows of the table that hold a dictionary."""
    compress = zstandard.ZstdCompressor(ZSTD_LEVEL).compress
    for nth, begin in enumerate(range(0, len(dictionary), BYTES_PER_ROW)):
        yield nth + 1, compress(dictionary[begin : begin + BYTES_PER_ROW])


def checksum_of(dictionary: bytes) -> str:
    """The CRC-32 of a dictionary, which is stored in the row `dictionary_crc32` of `about`."""
    return str(zlib.crc32(dictionary))


def stored_dictionary(file: StoredMetadata) -> bytes:
    """The dictionary of a file; raises `DamagedFile`."""
    parts, decompressor = list[bytes](), zstandard.ZstdDecompressor()
    try:
        for (data,) in file.tuples(f"select data from dictionary order by id limit {MAX_ROWS + 1}"):
            content_size(data, 1, BYTES_PER_ROW)
            parts.append(decompressor.decompress(data, allow_extra_data=False))
    except (TypeError, ValueError, zstandard.ZstdError) as error:
        raise file.damage(f"dictionary: {error}") from error
    if len(parts) > MAX_ROWS or checksum_of(dictionary := b"".join(parts)) != file.about["dictionary_crc32"]:
        raise file.damage("the checksum of its dictionary does not match")
    return dictionary
