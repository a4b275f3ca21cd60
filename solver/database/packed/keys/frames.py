"""zstd frames that state their length: made, checked and opened, many by one call."""

from collections.abc import Sequence

import numpy as np
import zstandard
from numpy.typing import NDArray

from solver.rules.arrays import Keys

MAX_CONTENT_BYTES = 1 << 19
"""Bytes of a decompressed frame."""

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
"""Fewer bytes than at level 5 of zstd in less time, with room for the places of a whole dictionary."""


def compressed(compressor: zstandard.ZstdCompressor, data: NDArray[np.uint8], sizes: Keys) -> Sequence[bytes]:
    """The parts of `data`, which have these sizes, each in a frame.

    One call compresses them all: with one call for each, threads wait for each other more than they work.
    """
    if not len(sizes):
        return []
    segments = np.stack([sizes.cumsum() - sizes, sizes], axis=1).astype(np.uint64)
    frames = compressor.multi_compress_to_buffer(zstandard.BufferWithSegments(data.data, segments.data))
    return [frames[nth].tobytes() for nth in range(len(frames))]


def content_size(data: bytes, least: int, most: int) -> int:
    """The bytes that a zstd frame says it holds; raises ValueError unless they are `least` to `most`."""
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
