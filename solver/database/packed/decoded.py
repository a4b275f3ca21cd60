"""The states of one or several decoded blocks, as arrays in which one binary search finds a state.

    block       7               8               12
    gaps        0 1 2 47 142 7  0 3 3 1 20      0 9 9 130 1        one array of bytes, decoded by one call
    keys        40 41 43 ...    2000 2003 ...   7100 7109 ...      one array, ascending
    labels      -3  0  9 ...       5    5 ...      0   -7 ...      one array

They are decoded by keys/gap_codec.py, whose loops can be compiled.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from solver.database.packed.block import Block, check_head, decode_labels
from solver.database.packed.keys.key_code import KeyDecoder
from solver.database.packed.label_code import LabelCode
from solver.rules.arrays import Flags, Keys, Labels

NOT_AS_WRITTEN = ValueError, TypeError, struct.error
"""The exceptions that decoding a damaged block raises."""


class StateBatch(NamedTuple):
    """Some states of one stage, in ascending order of keys."""

    stage: int
    keys: Keys
    is_terminal: Flags
    labels: Labels


@dataclass(frozen=True)
class DecodedBlocks:
    """The states of some blocks of one series, in ascending order; the blocks need not be neighbours."""

    cuts: Keys
    """The index of the first state of each block, and the number of states."""
    keys: Keys
    labels: Labels
    """The label of each state; 0 for terminal states."""

    def label_of(self, key: int) -> int | None:
        """The label of a state; None if it is not here."""
        at = int(self.keys.searchsorted(key))
        return int(self.labels[at]) if at < len(self.keys) and self.keys[at] == key else None

    def labels_of(self, keys: Keys) -> tuple[Labels, Flags]:
        """The labels of ascending keys, and whether each is here; the labels of others are undefined."""
        places = self.keys.searchsorted(keys)
        places[places == len(self.keys)] = 0
        return self.labels[places], self.keys[places] == keys


def concatenated(parts: Sequence[DecodedBlocks]) -> DecodedBlocks:
    """The states of decoded blocks of one series, given one block per part."""
    if len(parts) == 1:
        return parts[0]
    return DecodedBlocks(
        np.cumsum([0, *(len(part.keys) for part in parts)]),
        np.concatenate([part.keys for part in parts]),
        np.concatenate([part.labels for part in parts]),
    )


def decode_blocks(
    blocks: Mapping[int, Block],
    kind: tuple[int, int],
    decoder: KeyDecoder,
    code: LabelCode,
    *,
    compiled: bool,
) -> DecodedBlocks:
    """The states of blocks, given by id, of the series `kind`: (stage, is_terminal); raises ValueError."""
    try:
        return _decoded([*blocks.values()], kind, decoder, code, compiled=compiled)
    except NOT_AS_WRITTEN as error:
        if len(blocks) == 1:
            raise ValueError(f"block {next(iter(blocks))}: {error}") from error
    alone = ({number: block} for number, block in blocks.items())
    return concatenated([decode_blocks(block, kind, decoder, code, compiled=compiled) for block in alone])


def _decoded(
    blocks: Sequence[Block], kind: tuple[int, int], decoder: KeyDecoder, code: LabelCode, *, compiled: bool
) -> DecodedBlocks:
    for block in blocks:
        check_head(block)
        if block[:2] != kind:
            raise ValueError(f"it is not of stage {kind[0]}")
    _, _, firsts, counts, _, keys, labels = zip(*blocks, strict=True)
    states = decoder.keys(keys, counts, firsts, compiled=compiled)
    joined = np.zeros(len(states), code.dtype)
    if not kind[1]:
        joined = decode_labels([data or b"" for data in labels], counts, code.dtype)
        if not code.are_possible(joined, kind[0]):
            raise ValueError("it has labels that encode no value or no remoteness")
    return DecodedBlocks(np.array([0, *accumulate(counts)]), states, joined)
