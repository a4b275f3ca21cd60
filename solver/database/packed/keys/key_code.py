"""The keys of blocks as zstd frames, all of a file with one dictionary: encoders and decoders."""

from collections.abc import Sequence
from threading import local

import numpy as np
import zstandard

from solver.database.packed.keys.frames import PARAMETERS, compressed, content_size, decompressed_together
from solver.database.packed.keys.gap_codec import MAX_BYTES, Pieces, unpacked
from solver.database.packed.keys.planes import keys_of_planes
from solver.rules.arrays import Keys


class _Compressor(local):
    """The compressor of one thread; it is not thread-safe."""

    def __init__(self, shared: zstandard.ZstdCompressionDict | None) -> None:
        self.it = zstandard.ZstdCompressor(compression_params=PARAMETERS, dict_data=shared)


class _Decompressor(local):
    """The decompressor of one thread; it is not thread-safe."""

    def __init__(self, shared: zstandard.ZstdCompressionDict | None) -> None:
        self.it = zstandard.ZstdDecompressor(dict_data=shared)


class KeyEncoder:
    """Compresses the keys of the blocks of a file with its dictionary; any number of threads may use it."""

    def __init__(self, dictionary: bytes = b"") -> None:
        """Prepare the dictionary, which takes its bytes and 20 MB more of memory; b"" for none."""
        self.dictionary = dictionary
        shared = _shared(dictionary)
        if shared is not None:
            shared.precompute_compress(compression_params=PARAMETERS)
        self._compressor = _Compressor(shared)

    def frames(self, pieces: Pieces) -> Sequence[bytes]:
        """A frame for each piece."""
        return compressed(self._compressor.it, pieces.data, pieces.sizes)


class KeyDecoder:
    """Decodes the keys of the blocks of a file; any number of threads may use it."""

    def __init__(self, dictionary: bytes = b"", *, planes: bool = False) -> None:
        """Take the dictionary of the file; `planes` for the code of the format before."""
        self._decompressor, self._planes = _Decompressor(_shared(dictionary)), planes

    def keys(
        self, frames: Sequence[bytes], counts: Sequence[int], firsts: Sequence[int], *, compiled: bool = False
    ) -> Keys:
        """The keys of blocks: of each the frame, the number of states, at least 1, and the least key.

        Raises ValueError unless the frames hold so many ascending keys. `compiled` is as in `unpacked`.
        """
        sizes = [
            content_size(data, count, MAX_BYTES * count) for data, count in zip(frames, counts, strict=True)
        ]
        data = decompressed_together(self._decompressor.it, frames, sum(sizes))
        if not self._planes:
            return unpacked(data, np.array(sizes), np.array(counts), np.array(firsts), compiled=compiled)
        parts = np.split(data, np.cumsum(sizes)[:-1])
        return np.concatenate([*map(keys_of_planes, firsts, counts, parts)])


def _shared(dictionary: bytes) -> zstandard.ZstdCompressionDict | None:
    if not dictionary:
        return None
    return zstandard.ZstdCompressionDict(dictionary, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
