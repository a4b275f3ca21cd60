"""Decoded blocks: one, to find a single state in, or many as one array, to find many states in.

`DecodedBlock` finds a key without the prefix sums of all gaps.

    first 40     gaps   0   1   2  47 | 910   1 ...       sums of CHUNK gaps: which chunk has the key?
    reach                          50 |     ...           key 1000 is 960 above 40: behind the first chunk

`DecodedBlocks` finds many keys by one binary search of all.

    block       7               8               12
    planes      0 1 2 47 142 7  0 3 3 1 20      0 9 9 130 1        one array of bytes, decoded by one call
    keys        40 41 43 ...    2000 2003 ...   7100 7109 ...      one array, ascending
    labels      -3  0  9 ...       5    5 ...      0   -7 ...      one array

Many blocks are decoded by gap_codec.py, whose loops can be compiled.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solver.database.packed.block import BLOCK, Block, decompress_block, labels_of_bytes
from solver.database.packed.gap_codec import WrongPiece, gaps_of_planes, keys_of_gaps, unpacked
from solver.database.packed.label_code import LabelCode
from solver.rules.arrays import Flags, Keys, Labels

CHUNK = 64
"""Gaps that are summed up together when one key is looked up."""

CHUNKS = np.arange(0, BLOCK, CHUNK)
"""The indices in a block at which chunks begin."""

NOT_AS_WRITTEN = ValueError, TypeError, struct.error
"""The exceptions that decoding a damaged block raises."""


@dataclass(frozen=True)
class DecodedBlock:
    """The states of one block."""

    ply: int
    is_terminal: int
    first: int
    """The least key."""
    gaps: Keys
    """The differences of the keys, 0 for the first."""
    labels: Labels
    """All 0 where play is over: the rules give the utilities."""

    @cached_property
    def keys(self) -> Keys:
        """The keys; raises ValueError unless they ascend."""
        return keys_of_gaps(self.first, self.gaps)

    def index(self, key: int) -> int | None:
        """The index of a key; None if the block does not have it."""
        reach = np.add.reduceat(self.gaps, CHUNKS[: (len(self.gaps) + CHUNK - 1) // CHUNK]).cumsum()
        above = key - self.first
        chunk = int(reach.searchsorted(above))
        begin = chunk * CHUNK
        if chunk:
            above -= int(reach[chunk - 1])
        keys = self.gaps[begin : begin + CHUNK].cumsum()
        at = int(keys.searchsorted(above))
        return begin + at if at < len(keys) and keys[at] == above else None


def decode_block(block: Block, code: LabelCode) -> DecodedBlock:
    """The states of a block, with labels in `code`; raises the exceptions of `NOT_AS_WRITTEN`."""
    planes, data = decompress_block(block, code.dtype.itemsize)
    labels = _labels(data, block.states, (block.ply, block.is_terminal), code)
    return DecodedBlock(
        block.ply, block.is_terminal, block.first, gaps_of_planes(block.states, planes), labels
    )


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

    @property
    def lasts(self) -> Keys:
        """The greatest key of each block."""
        return self.keys[self.cuts[1:] - 1]

    def count_up_to(self, key: int) -> int:
        """The number of keys up to and including `key`."""
        return int(self.keys.searchsorted(key, "right"))

    def labels_of(self, keys: Keys) -> tuple[Labels, Flags]:
        """The labels of ascending keys, and which of them are here; labels of others mean nothing."""
        places = self.keys.searchsorted(keys)
        places[places == len(self.keys)] = 0
        return self.labels[places], self.keys[places] == keys


def concatenated(blocks: Mapping[int, DecodedBlock]) -> DecodedBlocks:
    """The states of decoded blocks, given by id; raises ValueError where keys of a block do not ascend."""
    keys = [_keys(*each) for each in blocks.items()]
    labels = np.concatenate([block.labels for block in blocks.values()])
    return DecodedBlocks(np.cumsum([0, *map(len, keys)]), np.concatenate(keys), labels)


def decode_blocks(
    blocks: Mapping[int, Block], kind: tuple[int, int], code: LabelCode, *, compiled: bool
) -> DecodedBlocks:
    """The states of blocks, given by id, of one series: `kind` is its stage and is_terminal.

    Labels are those of `code`. Raises ValueError for a damaged block.
    """
    planes, labels = _decompressed(blocks, kind, code.dtype.itemsize)
    _, _, firsts, counts, *_ = zip(*blocks.values(), strict=True)
    data, sizes = np.frombuffer(b"".join(planes), np.uint8), np.array(list(map(len, planes)))
    try:
        keys = unpacked(data, sizes, np.array(counts), np.array(firsts), compiled=compiled)
    except WrongPiece as error:
        raise ValueError(f"block {list(blocks)[error.piece]}: {error}") from error
    joint = _labels(b"".join(labels), len(keys), kind, code)
    return DecodedBlocks(np.cumsum([0, *counts]), keys, joint)


def _labels(data: bytes, states: int, kind: tuple[int, int], code: LabelCode) -> Labels:
    """The labels of states, in decompressed `data`; raises ValueError if no state can have one of them."""
    stage, is_terminal = kind
    if is_terminal:
        return np.zeros(states, code.dtype)
    labels = labels_of_bytes(data, code.dtype)
    if not code.are_possible(labels, stage):
        raise ValueError("it has labels of which there is no value or no remoteness")
    return labels


def _keys(number: int, block: DecodedBlock) -> Keys:
    try:
        return block.keys
    except ValueError as error:
        raise ValueError(f"block {number}: {error}") from error


def _decompressed(
    blocks: Mapping[int, Block], kind: tuple[int, int], label_bytes: int
) -> tuple[list[bytes], list[bytes]]:
    """The planes of each block, and the bytes of its labels."""
    planes, labels = [], []
    for number, block in blocks.items():
        try:
            each_planes, each_labels = decompress_block(block, label_bytes)
        except NOT_AS_WRITTEN as error:
            raise ValueError(f"block {number}: {error}") from error
        if block[:2] != kind:
            raise ValueError(f"block {number} is not of stage {kind[0]}")
        planes.append(each_planes)
        labels.append(each_labels)
    return planes, labels
