"""zstd frames that state their length, many of them coded by one call, and the keys of blocks in them.

All keys of a file have one dictionary; labels (block.py) have none.
"""

from collections.abc import Sequence
from threading import local

import numpy as np
import zstandard
from numpy.typing import NDArray

from solver.database.packed.keys.gap_codec import MAX_BYTES, Pieces, keys_of_planes, unpacked
from solver.rules.arrays import Keys

MAX_CONTENT_BYTES = 1 << 19
"""The most bytes of a decompressed frame."""

PARAMETERS = zstandard.ZstdCompressionParameters(
    window_log=23,
    hash_log=22,
    chain_log=22,
    search_log=5,
    min_match=6,
    strategy=zstandard.STRATEGY_GREEDY,
    write_content_size=True,
    write_checksum=False,
    write_dict_id=False,
)
"""Smaller and faster than level 5 of zstd; the tables have room for all positions of a dictionary."""


class Zstd(local):
    """The compressor and the decompressor of one thread, as they are not thread-safe."""

    def __init__(self, dictionary: zstandard.ZstdCompressionDict | None = None) -> None:
        self.compressor = zstandard.ZstdCompressor(compression_params=PARAMETERS, dict_data=dictionary)
        self.decompressor = zstandard.ZstdDecompressor(dict_data=dictionary)


def compressed(compressor: zstandard.ZstdCompressor, data: NDArray[np.uint8], sizes: Keys) -> Sequence[bytes]:
    """A frame for each part of `data`, the parts having these sizes.

    One call compresses all: with a call per part, threads would wait for each other more than they work.
    """
    if not len(sizes):
        return []
    segments = np.stack([sizes.cumsum() - sizes, sizes], axis=1).astype(np.uint64)
    frames = compressor.multi_compress_to_buffer(zstandard.BufferWithSegments(data.data, segments.data))
    return [frames[nth].tobytes() for nth in range(len(frames))]


def content_size(data: bytes, least: int, most: int) -> int:
    """The number of bytes that a zstd frame states; raises ValueError unless it is in [least, most]."""
    try:
        size = zstandard.frame_content_size(data)
    except zstandard.ZstdError as error:
        raise ValueError(f"no zstd frame: {error}") from error
    if not 0 < least <= size <= most <= MAX_CONTENT_BYTES:
        raise ValueError(f"a frame that does not hold {least} to {most} bytes, or no block has as many")
    return size


def decompressed_together(
    decompressor: zstandard.ZstdDecompressor, frames: Sequence[bytes], size: int
) -> NDArray[np.uint8]:
    """The contents of zstd frames, concatenated; raises ValueError unless they are `size` bytes.

    One call decompresses them all, as in `compressed`.
    """
    data = np.empty(size + 1, np.uint8)
    try:
        with decompressor.stream_reader(b"".join(frames), read_across_frames=True) as contents:
            if contents.readinto(data.data) != size:
                raise ValueError(f"frames that do not hold {size} bytes")
    except zstandard.ZstdError as error:
        raise ValueError(f"no zstd frame: {error}") from error
    return data[:size]


class KeyEncoder:
    """Compresses the keys of the blocks of a file with its dictionary; any number of threads may use it."""

    def __init__(self, dictionary: bytes = b"") -> None:
        """Prepare the dictionary, b"" for none; it takes 20 MB of memory besides its bytes."""
        shared = _shared(dictionary)
        if shared is not None:
            shared.precompute_compress(compression_params=PARAMETERS)
        self._zstd = Zstd(shared)

    def frames(self, pieces: Pieces) -> Sequence[bytes]:
        """A frame for each piece."""
        return compressed(self._zstd.compressor, pieces.data, pieces.sizes)


class KeyDecoder:
    """Decodes the keys of the blocks of a file; any number of threads may use it."""

    def __init__(self, dictionary: bytes = b"", *, planes: bool = False) -> None:
        """Prepare the dictionary; `planes` is for the code of the previous format."""
        self._zstd, self._planes = Zstd(_shared(dictionary)), planes

    def keys(
        self, frames: Sequence[bytes], counts: Sequence[int], firsts: Sequence[int], *, compiled: bool = False
    ) -> Keys:
        """The keys of blocks, given each one's frame, number of states (at least 1) and least key.

        Raises ValueError unless the frames hold these numbers of ascending keys; `compiled`: see `unpacked`.
        """
        sizes = [
            content_size(data, count, MAX_BYTES * count) for data, count in zip(frames, counts, strict=True)
        ]
        data = decompressed_together(self._zstd.decompressor, frames, sum(sizes))
        if not self._planes:
            return unpacked(data, np.array(sizes), np.array(counts), np.array(firsts), compiled=compiled)
        parts = np.split(data, np.cumsum(sizes)[:-1])
        return np.concatenate([*map(keys_of_planes, firsts, counts, parts)])


def _shared(dictionary: bytes) -> zstandard.ZstdCompressionDict | None:
    if not dictionary:
        return None
    return zstandard.ZstdCompressionDict(dictionary, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
