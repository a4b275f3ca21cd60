"""The blocks of a labelled layer: encoded by tasks, counted, and kept in files until the database is written.

| numbers and sizes of a block | keys | labels | numbers and sizes of the next | ...
"""

import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from solver.database.packed.block import BLOCK, Block, check_head, encode_blocks
from solver.database.packed.counts import CountRow
from solver.database.packed.keys.dictionary import dictionary_of
from solver.database.packed.keys.key_code import KeyEncoder
from solver.database.packed.label_code import LabelCode
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.labelled_layer import MAX_TO_LOOK_UP, LabelledLayer
from solver.engines.storage.records import SizedRecord
from solver.engines.storage.steps import Answer, OpenedSolve, grouped
from solver.engines.storage.summed_file import content_size
from solver.engines.storage.work_folder import WorkFolder
from solver.errors import DamagedWork
from solver.rules.arrays import Labels
from solver.system.executors import OnProgress

BLOCKS_PER_TASK = 64

HEAD = struct.Struct("<qqqqqqq")
"""Stage, is_terminal, first, states, crc32, and the sizes of keys and of labels, -1 for no labels."""


def keep_dictionary(
    work: WorkFolder, stages: Sequence[SizedRecord], file: Callable[[int, int], KeyFile]
) -> None:
    """Write the dictionary of a database with these stages, unless it is in the work folder already.

    `file(stage, is_terminal)` opens states of a stage.
    """
    if work.dictionary.exists():
        return
    sizes = {
        (nth, is_terminal): states
        for nth, stage in enumerate(stages)
        for is_terminal, states in enumerate((stage.open_states, stage.terminal))
    }
    opened_last = lru_cache(1)(file)
    dictionary = dictionary_of(
        sizes, lambda nth, is_terminal, begin, end: opened_last(nth, is_terminal).read_states(begin, end)
    )
    work.keep("dictionary", dictionary)


@dataclass(frozen=True)
class EncodeBlocks:
    """Encode the blocks of some parts of a labelled layer."""

    layer: Callable[[Any], LabelledLayer]
    """The layer, from what a process opens."""
    nth: int
    parts: tuple[tuple[int, int, int], ...]
    """(is_terminal, begin, end) of each part: the states of the ranks [begin, end)."""
    shares: int
    """The units of progress of a terminal state, which may need no labelling."""

    def run(self, opened: OpenedSolve, on_progress: OnProgress) -> Answer:
        """Write the blocks to a shard; return the number of states of each kind."""
        context, layer = opened.context, self.layer(opened)
        counts, states = Counter[tuple[int, int, int]](), 0
        with context.work.new_shard(layer.ply, "blocks", self.nth) as file:
            for part in self.parts:
                context.check_cancelled()
                blocks, kinds = _encoded(opened.encoder, layer, *part)
                context.need_disk(sum(len(block.keys) for block in blocks))
                write_blocks(file, blocks)
                counts.update(kinds)
                more = sum(kinds.values()) * self.shares ** part[0]
                on_progress(more)
                states += more
        return {"states": states, "counts": [[*kind, count] for kind, count in sorted(counts.items())]}


def encoding_tasks(
    opened: OpenedSolve, layer: Callable[[Any], LabelledLayer], shares: int = 1
) -> list[EncodeBlocks]:
    """The tasks that encode the blocks of a layer; the arguments are as in `EncodeBlocks`."""
    size = BLOCKS_PER_TASK * BLOCK
    parts = [
        (is_terminal, begin, min(row.file.states, begin + size))
        for is_terminal, row in enumerate(layer(opened).rows)
        for begin in range(0, row.file.states, size)
    ]
    groups = grouped(parts, opened.context.job.shards)
    return [EncodeBlocks(layer, nth, group, shares) for nth, group in enumerate(groups)]


def _encoded(
    encoder: KeyEncoder, layer: LabelledLayer, is_terminal: int, begin: int, end: int
) -> tuple[list[Block], dict[tuple[int, int, int], int]]:
    """The blocks of a part of a layer, and its numbers of states by (is_terminal, mover, label)."""
    row = layer.rows[is_terminal]
    keys = row.file.read_states(begin, end)
    labels: Labels = layer.rules.utilities(keys) if row.labels is None else row.labels.read(begin, end)
    blocks = encode_blocks(layer.ply, bool(is_terminal), keys, None if is_terminal else labels, encoder)
    kinds = 2 * labels.astype(np.int64) + layer.rules.movers(keys)
    if (least := int(kinds.min())) + MAX_TO_LOOK_UP > int(kinds.max()):
        of_each = np.bincount(kinds - least)  # sorting takes three times as long, and more for short integers
        present = np.flatnonzero(of_each)
        kinds, sizes = present + least, of_each[present]
    else:
        kinds, sizes = np.unique(kinds, return_counts=True)
    return blocks, {
        (is_terminal, kind & 1, kind >> 1): size
        for kind, size in zip(kinds.tolist(), sizes.tolist(), strict=True)
    }


def write_blocks(file: BinaryIO, blocks: Iterable[Block]) -> None:
    """Append blocks to a file."""
    for block in blocks:
        size = -1 if block.labels is None else len(block.labels)
        file.write(HEAD.pack(*block[:5], len(block.keys), size))
        file.write(block.keys)
        file.write(block.labels or b"")


def read_blocks(path: Path) -> Iterator[Block]:
    """Yield the blocks in a file, in order; raises `DamagedWork`."""
    with path.open("rb") as file:
        size = content_size(path)
        while file.tell() < size:
            try:
                block = _block(file.read(HEAD.size), file, size)
            except (ValueError, struct.error) as error:
                raise DamagedWork(f"{path} is damaged ({error}): remove the folder {path.parent}") from error
            yield block


def _block(head: bytes, file: BinaryIO, most: int) -> Block:
    """The block with this head, of at most `most` bytes; raises ValueError or struct.error for no block."""
    *numbers, keys, labels = HEAD.unpack(head)
    if not 0 <= keys <= most or not -1 <= labels <= most:
        raise ValueError("a block has more bytes than the file")
    block = Block._make([*numbers, file.read(keys), None if labels < 0 else file.read(labels)])
    check_head(block)
    return block


def count_row(code: LabelCode, stage: int, is_terminal: int, mover: int, label: int, states: int) -> CountRow:
    """The row of the table of counts for a kind of states; the label of a terminal kind is its utility."""
    if is_terminal:
        return CountRow(stage, 1, mover, label, 0, states)
    return CountRow(stage, 0, mover, code.value(label), code.plies_left(label, stage), states)
