"""The states of decoded blocks, of one or of many, as arrays in which states are found by one binary search.

    block       7               8               12
    planes      0 1 2 47 142 7  0 3 3 1 20      0 9 9 130 1        one array of bytes, decoded by one call
    keys        40 41 43 ...    2000 2003 ...   7100 7109 ...      one array, ascending
    labels      -3  0  9 ...       5    5 ...      0   -7 ...      one array

They are decoded by gap_codec.py, whose loops can be compiled.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.database.packed.block import Block, decompress_block, labels_of_bytes
from solver.database.packed.gap_codec import WrongPiece, unpacked
from solver.database.packed.label_code import LabelCode
from solver.rules.arrays import Flags, Keys, Labels

NOT_AS_WRITTEN = ValueError, TypeError, struct.error
"""The exceptions that decompressing a damaged block raises."""


@dataclass(frozen=True)
class DecodedBlocks:
    """The states of some blocks of one series, in ascending order; the blocks need not be neighbours."""

    cuts: Keys
    """The index of the first state of each block, and the number of states."""
    keys: Keys
    labels: Labels
    """All 0 where play is over."""

    @property
    def firsts(self) -> Keys:
        """The least key of each block."""
        return self.keys[self.cuts[:-1]]

    def labels_of(self, keys: Keys) -> tuple[Labels, Flags]:
        """The labels of ascending keys, and which of them are here; labels of others mean nothing."""
        places = self.keys.searchsorted(keys)
        places[places == len(self.keys)] = 0
        return self.labels[places], self.keys[places] == keys


def concatenated(parts: Sequence[DecodedBlocks]) -> DecodedBlocks:
    """The states of decoded blocks of one series, one block in each part."""
    return DecodedBlocks(
        np.cumsum([0, *(len(part.keys) for part in parts)]),
        np.concatenate([part.keys for part in parts]),
        np.concatenate([part.labels for part in parts]),
    )


def decode_blocks(
    blocks: Mapping[int, Block], kind: tuple[int, int], code: LabelCode, *, compiled: bool
) -> DecodedBlocks:
    """The states of blocks, by id, of the series `kind` (stage, is_terminal); raises ValueError."""
    planes, labels = list[bytes](), list[bytes]()
    for number, block in blocks.items():
        try:
            parts = decompress_block(block, code.dtype.itemsize)
        except NOT_AS_WRITTEN as error:
            raise ValueError(f"block {number}: {error}") from error
        if block[:2] != kind:
            raise ValueError(f"block {number} is not of stage {kind[0]}")
        planes.append(parts[0])
        labels.append(parts[1])
    _, _, firsts, counts, *_ = zip(*blocks.values(), strict=True)
    data, sizes = np.frombuffer(b"".join(planes), np.uint8), np.array(list(map(len, planes)))
    try:
        keys = unpacked(data, sizes, np.array(counts), np.array(firsts), compiled=compiled)
    except WrongPiece as error:
        raise ValueError(f"block {list(blocks)[error.piece]}: {error}") from error
    joint = np.zeros(len(keys), code.dtype)
    if not kind[1]:
        joint = labels_of_bytes(b"".join(labels), code.dtype)
        if not code.are_possible(joint, kind[0]):
            raise ValueError("it has labels of which there is no value or no remoteness")
    return DecodedBlocks(np.cumsum([0, *counts]), keys, joint)
