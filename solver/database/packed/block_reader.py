"""The blocks of a packed file: found by stage and key, checked, decoded and cached.

The states of a stage are two series of blocks: the open states and the terminal ones. The number of states in
each series determines the ids of its blocks; their least keys tell which block can have a key:

    stage 4, open       block 7: 12 ... 799   block 8: 801 ... 960   block 9: 977 ...

A damaged index of the file is detected: the keys of a block must lie between its own least key and that of
the next block.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.database.columns import Batch, merged
from solver.database.packed.block import BLOCK, Block
from solver.database.packed.decoded import DecodedBlocks, StateBatch, concatenated, decode_blocks
from solver.rules.arrays import Flags, Keys, Labels
from solver.rules.notation import is_state
from solver.system.resources import cores

if TYPE_CHECKING:
    from solver.database.packed.reader import PackedDatabase

CACHED_BLOCKS = 512
"""Decoded blocks in the cache, of about 40 kB each."""

CACHED_AT_ONCE = 16
"""The most blocks of one request that go through the cache; more would evict all others."""

DECODED_AT_ONCE = 64
"""Blocks decoded together: few enough that their keys stay in the cache of a processor."""

COMPILE_AFTER = 10_000
"""Decoded blocks after which compiled code is used: by then it repays the half second of importing numba."""

KEYS_A_REQUEST = 32
"""Least keys that can be read in the time of one query: after enough queries, all are read at once."""

WRONG_INDEX = "the index of its blocks is wrong"

SELECT_BLOCKS = "select * from blocks where id in ({}) order by id"

SELECT_BLOCK_OF_KEY = (
    "select id from blocks where {} = ? and is_terminal = ? and first <= ? order by first desc limit 1"
)
"""The first placeholder is the name of the stage column."""

SELECT_FIRST_KEYS = "select first from blocks where {} = ? and is_terminal = ? order by first"


class Blocks:
    """The blocks of a file; raises `DamagedFile` for damaged ones."""

    def __init__(self, db: "PackedDatabase") -> None:
        self._fetch, self._damage = db.tuples, db.damage
        self._decoder, self._code = db.key_decoder, db.label_code
        self._block_of_key, self._firsts_of = (
            sql.format(db.stage_column) for sql in (SELECT_BLOCK_OF_KEY, SELECT_FIRST_KEYS)
        )
        self._ids = dict(_ids_of_series(db.sizes))
        self._first_keys = lru_cache(None)(self._read_first_keys)
        self._block = lru_cache(CACHED_BLOCKS)(self._read_block)
        self._blocks_decoded = 0
        self._requests = Counter[tuple[int, int]]()

    @property
    def count(self) -> int:
        """The number of blocks."""
        return max((ids.stop for ids in self._ids.values()), default=1) - 1

    def least_key(self, stage: int) -> int:
        """The least key of the open states of a stage, or of the terminal ones if none is open."""
        is_terminal = 0 if (stage, 0) in self._ids else 1
        return int(self._block(stage, is_terminal, self._ids[stage, is_terminal].start).keys[0])

    def label(self, stage: int, is_terminal: int, key: int) -> int | None:
        """The label of a state; None if it is not in this series."""
        series = stage, is_terminal
        ids = self._ids.get(series)
        if not ids or not is_state(key):
            return None
        self._requests[series] += 1
        if KEYS_A_REQUEST * self._requests[series] > len(ids):
            rank = int(self._first_keys(*series).searchsorted(key, "right")) - 1
            known = self._single(stage, is_terminal, rank).label_of(key) if rank >= 0 else None
            if known is None and rank + 1 < len(ids):
                self._single(stage, is_terminal, rank + 1)  # the key may be there if the index is wrong
            return known
        after = ids.start
        for (number,) in self._fetch(self._block_of_key, *series, key):
            label, after = self._block(stage, is_terminal, number).label_of(key), number + 1
            if label is not None:
                return label
        if after in ids and self._block(stage, is_terminal, after).keys[0] <= key:
            raise self._damage(WRONG_INDEX)
        return None

    def labels(self, stage: int, is_terminal: int, keys: Keys) -> tuple[Labels, Flags]:
        """The labels of ascending keys, and whether each is in this series; each block is decoded once."""
        labels, present = np.zeros(len(keys), self._code.dtype), np.zeros(len(keys), np.bool_)
        firsts = self._first_keys(stage, is_terminal)
        places = firsts.searchsorted(keys, "right") - 1
        begins = np.flatnonzero(np.diff(places, prepend=-1))
        cuts, ranks = [*begins.tolist(), len(keys)], places[begins]

        def look_up(begin: int) -> None:
            group = ranks[begin : begin + DECODED_AT_ONCE]
            part = slice(cuts[begin], cuts[begin + len(group)])
            decoded = self.decoded(stage, is_terminal, group)
            labels[part], present[part] = decoded.labels_of(keys[part])

        groups = range(0, len(ranks), DECODED_AT_ONCE)
        with ThreadPoolExecutor(cores()) as threads:
            list((threads.map if len(groups) > 1 else map)(look_up, groups))
        if present.all():
            return labels, present
        beside = np.setdiff1d(places[~present] + 1, np.append(ranks, len(firsts)))
        for begin in range(0, len(beside), DECODED_AT_ONCE):  # keys may be there if the index is wrong
            self.decoded(stage, is_terminal, beside[begin : begin + DECODED_AT_ONCE])
        return labels, present

    def states(self, stage: int) -> Iterator[StateBatch]:
        """The states of a stage by ascending key; labels are 0 where play is over."""
        for columns in merged([self._series(stage, is_terminal) for is_terminal in (0, 1)]):
            yield StateBatch(stage, *columns)

    def _series(self, stage: int, is_terminal: int) -> Iterator[Batch]:
        for rank in range(len(self._ids.get((stage, is_terminal), ()))):
            block = self.decoded(stage, is_terminal, np.array([rank]))
            yield block.keys, np.full(len(block.keys), is_terminal > 0), block.labels

    def decoded(self, stage: int, is_terminal: int, ranks: NDArray[np.intp]) -> DecodedBlocks:
        """The blocks of these ranks in a series."""
        if len(ranks) <= CACHED_AT_ONCE:
            return concatenated([self._single(stage, is_terminal, rank) for rank in ranks.tolist()])
        rows = self._rows_of((ranks + self._ids[stage, is_terminal].start).tolist())
        decoded, firsts = self._decode(stage, is_terminal, rows), self._first_keys(stage, is_terminal)
        if (decoded.keys[decoded.cuts[:-1]] != firsts[ranks]).any():
            raise self._damage(WRONG_INDEX)
        inner = ranks + 1 < len(firsts)
        lasts = decoded.keys[decoded.cuts[1:] - 1]
        if (lasts[inner] >= firsts[ranks[inner] + 1]).any():
            raise self._damage(f"one of the blocks {min(rows)} to {max(rows)} has keys of the next")
        return decoded

    def _decode(self, stage: int, is_terminal: int, rows: Mapping[int, Block]) -> DecodedBlocks:
        self._blocks_decoded += len(rows)
        compiled = self._blocks_decoded > COMPILE_AFTER
        try:
            return decode_blocks(rows, (stage, is_terminal), self._decoder, self._code, compiled=compiled)
        except ValueError as error:
            raise self._damage(error) from error

    def _single(self, stage: int, is_terminal: int, rank: int) -> DecodedBlocks:
        firsts, number = self._first_keys(stage, is_terminal), self._ids[stage, is_terminal].start + rank
        block = self._block(stage, is_terminal, number)
        if block.keys[0] != firsts[rank]:
            raise self._damage(WRONG_INDEX)
        if rank + 1 < len(firsts) and block.keys[-1] >= firsts[rank + 1]:
            raise self._damage(f"block {number} has keys of the next")
        return block

    def _rows_of(self, ids: list[int]) -> dict[int, Block]:
        rows = self._fetch(SELECT_BLOCKS.format(", ".join("?" * len(ids))), *ids)
        blocks = {row[0]: Block._make(row[1:]) for row in rows}
        if list(blocks) != ids:
            missing = f"some of the blocks {ids[0]} to {ids[-1]} are missing"
            raise self._damage(missing if len(ids) > 1 else f"there is no block {ids[0]}")
        return blocks

    def _read_block(self, stage: int, is_terminal: int, number: int) -> DecodedBlocks:
        return self._decode(stage, is_terminal, self._rows_of([number]))

    def _read_first_keys(self, stage: int, is_terminal: int) -> Keys:
        rows = self._fetch(self._firsts_of, stage, is_terminal)
        if len(rows) != len(self._ids.get((stage, is_terminal), ())):
            raise self._damage(f"{WRONG_INDEX}: stage {stage} has {len(rows)} blocks")
        if not all(isinstance(first, int) for (first,) in rows):
            raise self._damage("the least key of a block is no integer")
        firsts = np.array([first for (first,) in rows], np.int64)
        if (firsts[1:] <= firsts[:-1]).any():
            raise self._damage(WRONG_INDEX)
        return firsts


def _ids_of_series(sizes: Mapping[tuple[int, int], int]) -> Iterator[tuple[tuple[int, int], range]]:
    """Yield each series with the ids of its blocks, which ascend from series to series."""
    begin = 1
    for series, states in sorted(sizes.items()):
        yield series, range(begin, begin := begin - (-states // BLOCK))
