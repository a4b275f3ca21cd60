"""Files of sorted keys: delta-coded pieces, each a zstd frame, followed by an index of all pieces.

    | piece 0 | piece 1 | ... | bytes of each | keys of each | first key of each | number of pieces |

A frame takes a third of the bytes of its piece: 0.4 bytes per key in a large layer of Connect-4. Any part of
a layer can be read alone, and only the index is in memory; the operating system caches the rest as far as it
fits. The keys of a large layer are in several files, its shards, in order.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from threading import local
from typing import BinaryIO, Literal, TypeVar
from weakref import finalize

import numpy as np
import zstandard
from numpy.typing import NDArray

from solver.database.packed.keys.gap_codec import MAX_BYTES, Pieces, WrongPiece, packed, unpacked
from solver.database.packed.keys.key_code import compressed
from solver.engines.storage.context import SolveContext
from solver.engines.storage.summed_file import content_size
from solver.engines.storage.work_folder import HeldFiles
from solver.errors import DamagedWork
from solver.rules.arrays import MAX_STATE, Keys
from solver.system.executors import ignore
from solver.system.files import opened, read_at

Scalar = TypeVar("Scalar", bound=np.generic)

ZSTD_LEVEL = -1
"""The compression level of zstd: speed counts, as level 1 would save only an eighth."""


class _Zstd(local):
    """The compressor and the decompressor of one thread, as they are not thread-safe."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(ZSTD_LEVEL)
        self.decompress = zstandard.ZstdDecompressor().multi_decompress_to_buffer
        """The function that decompresses one or more frames; an empty list kills the process."""


_zstd = _Zstd()


NO_INDEX = np.empty((3, 0), np.int64)
"""The index of no pieces: their numbers of bytes and of keys, and their first keys."""


class KeyWriter:
    """Writes a file of keys, which must ascend."""

    def __init__(self, file: BinaryIO, need_disk: Callable[[int], object] = ignore) -> None:
        """Call `need_disk` with the most bytes of keys before they are added."""
        self._file, self._need_disk = file, need_disk
        self._index = [NO_INDEX]
        self.states = 0

    def add(self, keys: Keys) -> None:
        """Append keys, which must be greater than all before; raises `DiskFull`."""
        self._need_disk(2 * len(keys))
        self.write(packed(keys))

    def write(self, pieces: Pieces) -> None:
        """Append pieces, whose keys must be greater than all before."""
        frames = compressed(_zstd.compressor, pieces.data, pieces.sizes)
        self._file.write(b"".join(frames))
        self._index.append(np.array([[*map(len, frames)], pieces.counts, pieces.firsts], np.int64))
        self.states += int(pieces.counts.sum())

    def close(self) -> None:
        """Write the index, without which the file cannot be read."""
        index = np.concatenate(self._index, axis=1)
        self._file.write(np.append(index, index.shape[1]).data)


@contextmanager
def key_shards(context: SolveContext, stage: int, nth: int, *kinds: str) -> Iterator[list[KeyWriter]]:
    """Yield the writers of the shards `nth` of these kinds, which appear complete or not at all."""
    with ExitStack() as stack:
        files = [stack.enter_context(context.work.new_shard(stage, kind, nth)) for kind in kinds]
        writers = [KeyWriter(file, context.need_disk) for file in files]
        yield writers
        for writer in writers:
            writer.close()


class KeyFile:
    """The keys of one file, or of several in ascending order, opened for reading by any number of threads."""

    def __init__(self, *paths: Path, held: HeldFiles | None = None) -> None:
        """Open the files, some of which may be held in memory, and read the indexes; raises `DamagedWork`."""
        self._shards = [_Shard(path, held.content(path) if held else None) for path in paths]
        self._ends: Keys = np.cumsum([shard.pieces for shard in self._shards], dtype=np.int64)
        indexes = [NO_INDEX, *(shard.index for shard in self._shards)]
        _, self._counts, self.firsts = np.concatenate(indexes, axis=1)
        self.begins: Keys = np.concatenate([[0], np.cumsum(self._counts)])
        """The rank of the first key of each piece, then the number of keys: int64, (pieces + 1,)."""

    @property
    def states(self) -> int:
        """The number of keys."""
        return int(self.begins[-1])

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return len(self.firsts)

    def read(self, begin: int, end: int) -> Keys:
        """The keys of the pieces [begin, end); raises `DamagedWork`."""
        first, last = np.searchsorted(self._ends, [begin, end - 1], "right").tolist()
        if begin < end and first < last:
            middle = int(self._ends[first])
            return np.concatenate([self.read(begin, middle), self.read(middle, end)])
        if begin == end:
            return np.empty(0, np.int64)
        shard, before = self._shards[first], int(self._ends[first]) - self._shards[first].pieces
        frames = shard.read(begin - before, end - before)
        counts = self._counts[begin:end]
        try:
            return unpacked(*_contents(frames, counts), counts, self.firsts[begin:end])
        except WrongPiece as error:
            wrong = f"{shard.path}, piece {begin - before + error.piece}"
            raise DamagedWork(f"{wrong}: {error}: remove the folder {shard.path.parent}") from error

    def read_states(self, begin: int, end: int) -> Keys:
        """The keys with the ranks [begin, end)."""
        first = int(np.searchsorted(self.begins, begin, "right")) - 1
        last = int(np.searchsorted(self.begins, end))
        if begin >= end:
            return np.empty(0, np.int64)
        skipped = begin - int(self.begins[first])
        return self.read(first, last)[skipped : skipped + end - begin]

    def between(self, low: int, high: int) -> Keys:
        """The keys in [low, high); a bound of `MAX_STATE` is inclusive."""
        side: Literal["left", "right"] = "right" if high == MAX_STATE else "left"
        begin, end = np.searchsorted(self.firsts, low), np.searchsorted(self.firsts, high, side)
        keys = self.read(max(0, int(begin) - 1), int(end))
        return keys[np.searchsorted(keys, low) : np.searchsorted(keys, high, side)]

    def place(self, key: int) -> int:
        """The number of keys below `key`."""
        piece = int(np.searchsorted(self.firsts, key)) - 1
        if piece < 0:
            return 0
        return int(self.begins[piece] + np.searchsorted(self.read(piece, piece + 1), key))


class _Shard:
    """One file of keys."""

    def __init__(self, path: Path, content: bytes | None) -> None:
        self.path, self._content = path, content
        if content is None:
            self._descriptor = opened(path)
            finalize(self, os.close, self._descriptor)
        damage = DamagedWork(f"{path} has no index at its end: remove the folder {path.parent}")
        end = (content_size(path) if content is None else len(content)) - 8
        self.pieces = int(self._numbers(end, 1)[0]) if end >= 0 else -1
        if not 0 <= self.pieces <= end // 24:
            raise damage
        begin = end - 24 * self.pieces
        self.index = self._numbers(begin, 3 * self.pieces).reshape(3, self.pieces)
        self._offsets = np.concatenate([[0], np.cumsum(self.index[0])])
        if self._offsets[-1] != begin:
            raise damage

    def read(self, begin: int, end: int) -> list[bytes]:
        offsets = self._offsets[begin : end + 1].tolist()
        data = self._bytes(offsets[0], offsets[-1] - offsets[0])
        return [data[low - offsets[0] : high - offsets[0]] for low, high in pairwise(offsets)]

    def _numbers(self, offset: int, count: int) -> Keys:
        return np.frombuffer(self._bytes(offset, 8 * count), np.int64)

    def _bytes(self, offset: int, size: int) -> bytes:
        if self._content is not None:
            return self._content[offset : offset + size]
        return read_exactly(self._descriptor, self.path, np.empty(size, np.uint8), offset).tobytes()


def _contents(frames: Sequence[bytes], counts: Keys) -> tuple[NDArray[np.uint8], Keys]:
    """The joined contents of frames, and the size of each; one call does it, as many make threads wait."""
    sizes = np.array([_content_bytes(frame) for frame in frames], np.int64)
    if len(wrong := np.flatnonzero((sizes < np.maximum(counts, 1)) | (sizes > MAX_BYTES * counts))):
        raise WrongPiece(int(wrong[0]))
    try:
        contents = _zstd.decompress([*frames])
    except zstandard.ZstdError:
        for nth, frame in enumerate(frames):
            try:
                _zstd.decompress([frame])
            except zstandard.ZstdError:
                raise WrongPiece(nth) from None
        raise
    joined = b"".join(contents[nth].tobytes() for nth in range(len(contents)))
    return np.frombuffer(joined, np.uint8), sizes


def _content_bytes(frame: bytes) -> int:
    """The size of the content that the header of a frame states; -1 if it is no frame."""
    try:
        return zstandard.frame_content_size(frame)
    except zstandard.ZstdError:
        return -1


def read_exactly(descriptor: int, path: Path, into: "NDArray[Scalar]", offset: int) -> "NDArray[Scalar]":
    """Fill the array `into` from an open file and return it; raises `DamagedWork` if the file is short."""
    read = 0
    room = into.data.cast("B")
    while read < len(room):
        more = read_at(descriptor, room[read:], offset + read)
        if more == 0:
            raise DamagedWork(f"{path} is shorter than it should be: remove the folder {path.parent}")
        read += more
    return into
