"""The blocks of a packed file: found by ply and key, checked, decoded, the last ones kept at hand.

The states of a ply are two series of blocks: those in which play goes on, and those in which it is over.
How many states each has tells the numbers of its blocks. The least key of each tells in which block a key
must be, if it is in any:

    ply 4, play goes on     block 7: 12 ... 799   block 8: 801 ... 960   block 9: 977 ...

What a damaged index says is found to be wrong.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.block import BLOCK, Block
from solver.database.packed.decoded import (
    NOT_AS_WRITTEN,
    DecodedBlock,
    DecodedBlocks,
    concatenated,
    decode_block,
    decode_blocks,
)
from solver.errors import DamagedFile
from solver.rules.arrays import Flags, Keys, Labels
from solver.rules.notation import STATES

CACHED_BLOCKS = 512
"""How many blocks are kept decoded, of some 40 kB each."""

CACHED_AT_ONCE = 16
"""Up to so many blocks that are wanted at once are kept; more of them would drive out all others."""

DECODED_AT_ONCE = 64
"""So many blocks are decoded at once: few enough that their keys stay in the cache of a processor."""

COMPILE_AFTER = 10_000
"""Once so many blocks were wanted, compiled code has saved the half second that it takes to import numba."""

COLUMNS = "id, ply, is_terminal, first, states, crc32, keys, labels"

SELECT_BLOCK = f"select {COLUMNS} from blocks where id = ?"

SELECT_BLOCKS = f"select {COLUMNS} from blocks where id in ({{}}) order by id"

SELECT_BLOCK_OF_KEY = (
    f"select {COLUMNS} from blocks where ply = ? and is_terminal = ? and first <= ? "
    "order by first desc limit 1"
)

SELECT_FIRST_KEYS = "select first from blocks where ply = ? and is_terminal = ? order by first"


class StateBatch(NamedTuple):
    """Some states of one ply, in ascending order of keys."""

    ply: int
    keys: Keys
    is_terminal: Flags
    labels: Labels


class Blocks:
    """The blocks of a file. What is not as it was written is refused by an error that `damage` makes."""

    def __init__(
        self,
        fetch: Callable[..., list[tuple[Any, ...]]],
        damage: Callable[[object], DamagedFile],
        dtype: np.dtype[np.signedinteger],
        sizes: Mapping[tuple[int, int], int],
    ) -> None:
        """Read labels that are integers of `dtype`; `fetch` gives the rows of an SQL query and its values.

        The number of states in each series is among `sizes`, by ply and is_terminal.
        """
        self._fetch, self.damage, self._dtype = fetch, damage, dtype
        self._numbers = dict(_numbers(sizes))
        self._first_keys = lru_cache(None)(self._read_first_keys)
        self._cache = OrderedDict[int, DecodedBlock]()
        self._blocks_requested = 0

    @property
    def count(self) -> int:
        """How many blocks there are."""
        return max((numbers.stop for numbers in self._numbers.values()), default=1) - 1

    def label(self, ply: int, is_terminal: int, key: int) -> int | None:
        """The label of a state; None where it is not in this series."""
        numbers = self._numbers.get((ply, is_terminal))
        if not numbers or key not in STATES:
            return None
        rows = self._fetch(SELECT_BLOCK_OF_KEY, ply, is_terminal, key)
        after = numbers.start
        for row in rows:
            run, after = self._in_series(ply, is_terminal, row), row[0] + 1
            at = run.index(key)
            if at is not None:
                return int(run.labels[at])
        if after in numbers and self._block(ply, is_terminal, after).first <= key:
            raise self.damage("the index of its blocks leads astray")
        return None

    def labels(self, ply: int, is_terminal: int, keys: Keys) -> tuple[Labels, Flags]:
        """The labels of ascending keys, and which of them are in this series; each block is decoded once."""
        labels, present = np.zeros(len(keys), self._dtype), np.zeros(len(keys), np.bool_)
        places = self._first_keys(ply, is_terminal).searchsorted(keys, "right") - 1
        begins = np.flatnonzero(np.diff(places, prepend=-1))
        cuts, blocks = [*begins.tolist(), len(keys)], places[begins]
        self._blocks_requested += len(blocks)
        for begin in range(0, len(blocks), DECODED_AT_ONCE):
            end = min(begin + DECODED_AT_ONCE, len(blocks))
            part = slice(cuts[begin], cuts[end])
            stretch = self._stretch(ply, is_terminal, blocks[begin:end])
            labels[part], present[part] = stretch.labels_of(keys[part])
        return labels, present

    def states(self, ply: int) -> Iterator[StateBatch]:
        """All states of a ply, in ascending order of keys; the labels are 0 where play is over."""
        series = [self._series(ply, is_terminal) for is_terminal in (0, 1)]
        begun: dict[int, tuple[DecodedBlocks, int]] = {}
        while True:
            for over, stretches in enumerate(series):
                if over not in begun and (stretch := next(stretches, None)):
                    begun[over] = stretch, 0
            if not begun:
                return
            cut = min(int(stretch.keys[-1]) for stretch, _ in begun.values())
            parts = [(over, *part, part[0].count_up_to(cut)) for over, part in begun.items()]
            yield _merged(ply, parts)
            begun = {over: (stretch, end) for over, stretch, _, end in parts if end < len(stretch.keys)}

    def _series(self, ply: int, is_terminal: int) -> Iterator[DecodedBlocks]:
        for block in range(len(self._numbers.get((ply, is_terminal), ()))):
            yield self._stretch(ply, is_terminal, np.array([block]))

    def _stretch(self, ply: int, is_terminal: int, blocks: NDArray[np.intp]) -> DecodedBlocks:
        """Some blocks of a series, counted from 0 in it."""
        numbers = (blocks + self._numbers[ply, is_terminal].start).tolist()
        try:
            if len(numbers) <= CACHED_AT_ONCE:
                stretch = concatenated({number: self._block(ply, is_terminal, number) for number in numbers})
            else:
                compiled, kind = self._blocks_requested > COMPILE_AFTER, (ply, is_terminal)
                stretch = decode_blocks(self._written(numbers), kind, self._dtype, compiled=compiled)
        except ValueError as error:
            raise self.damage(error) from error
        firsts = self._first_keys(ply, is_terminal)
        if (stretch.firsts != firsts[blocks]).any():
            raise self.damage("the index of its blocks leads astray")
        inner = blocks + 1 < len(firsts)
        if (stretch.lasts[inner] >= firsts[blocks[inner] + 1]).any():
            raise self.damage(f"of blocks {numbers[0]} to {numbers[-1]} one has keys of the next")
        return stretch

    def _written(self, numbers: list[int]) -> dict[int, Block]:
        """The blocks of ascending numbers, as they are written."""
        rows = self._fetch(SELECT_BLOCKS.format(", ".join("?" * len(numbers))), *numbers)
        blocks = {row[0]: Block._make(row[1:]) for row in rows}
        if list(blocks) != numbers:
            raise self.damage(f"of blocks {numbers[0]} to {numbers[-1]} some are not there")
        return blocks

    def _block(self, ply: int, is_terminal: int, number: int) -> DecodedBlock:
        """The block of this number, which is in this series."""
        run = self._cache.get(number)
        if run is not None:
            return self._as_one_of(ply, is_terminal, number, run)
        for row in self._fetch(SELECT_BLOCK, number):
            return self._in_series(ply, is_terminal, row)
        raise self.damage(f"there is no block {number}")

    def _in_series(self, ply: int, is_terminal: int, row: Any) -> DecodedBlock:
        """The block of a row, which is in this series."""
        number, *columns = row
        run = self._cache.get(number)
        if run is None:
            try:
                run = decode_block(Block(*columns), self._dtype)
            except NOT_AS_WRITTEN as error:
                raise self.damage(f"block {number}: {error}") from error
            self._cache[number] = run  # this and the next are done at once, whatever other threads do
            if len(self._cache) > CACHED_BLOCKS:
                with suppress(KeyError):
                    self._cache.popitem(last=False)
        return self._as_one_of(ply, is_terminal, number, run)

    def _as_one_of(self, ply: int, is_terminal: int, number: int, run: DecodedBlock) -> DecodedBlock:
        """The block, which is in this series."""
        if run.ply != ply or run.is_terminal != is_terminal:
            raise self.damage(f"block {number} is not of ply {ply}")
        return run

    def _read_first_keys(self, ply: int, is_terminal: int) -> Keys:
        """The least keys of the blocks of a series."""
        rows = self._fetch(SELECT_FIRST_KEYS, ply, is_terminal)
        if len(rows) != len(self._numbers.get((ply, is_terminal), ())):
            raise self.damage(f"ply {ply} has {len(rows)} blocks")
        if not all(isinstance(first, int) for (first,) in rows):
            raise self.damage("the least key of a block is no integer")
        firsts = np.array([first for (first,) in rows], np.int64)
        if (firsts[1:] <= firsts[:-1]).any():
            raise self.damage("the index of its blocks leads astray")
        return firsts


def _numbers(sizes: Mapping[tuple[int, int], int]) -> Iterator[tuple[tuple[int, int], range]]:
    """The numbers of the blocks of each series: they count on from one to the next."""
    begin = 1
    for kind, states in sorted(sizes.items()):
        end = begin + (states + BLOCK - 1) // BLOCK
        yield kind, range(begin, end)
        begin = end


def _merged(ply: int, parts: list[tuple[int, DecodedBlocks, int, int]]) -> StateBatch:
    """The states of all parts of stretches, in ascending order of keys."""
    keys = np.concatenate([stretch.keys[begin:end] for _, stretch, begin, end in parts])
    is_terminal = np.concatenate([np.full(end - begin, over > 0) for over, _, begin, end in parts])
    labels = np.concatenate([stretch.labels[begin:end] for _, stretch, begin, end in parts])
    order = np.argsort(keys, kind="stable")
    return StateBatch(ply, keys[order], is_terminal[order], labels[order])
