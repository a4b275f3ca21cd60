"""Reads blocks in any order, and finds out whether each holds what the table says of it."""

import sqlite3
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from solver.database.packed.block import BLOCK, checksum, decode_keys, decode_labels
from solver.database.packed.label_code import LabelForm
from solver.proof.packed.series import Damage, Series
from solver.rules.arrays import Keys, Labels, margin_of

ROW = "select ply, is_terminal, first, states, crc32, keys, labels from blocks where id = ?"


class Run(NamedTuple):
    """States in ascending order."""

    keys: Keys
    labels: Labels
    """Where play is over, they are those of the utilities."""


class Reader:
    """What blocks are read from; the last ones are kept as they are."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        form: LabelForm,
        utilities: Callable[[Keys], Keys],
        kept: int,
    ) -> None:
        """Read labels of this form, and keep some `kept` bytes of blocks.

        `utilities` says what ends are worth.
        """
        self._connection, self.form, self._utilities = connection, form, utilities
        self.block = lru_cache(max(1, kept // (BLOCK * (8 + form.dtype.itemsize))))(self._block)

    def run(self, series: Series, blocks: Sequence[int]) -> Run:
        """The states of one or more blocks, counted from 0 in the series, one after the other.

        Raises `Damage` where the file does not say them.
        """
        runs = [self.block(series, block) for block in blocks]
        if len(runs) == 1:
            return runs[0]
        keys, labels = zip(*runs, strict=True)
        return Run(np.concatenate(keys), np.concatenate(labels))

    def _block(self, series: Series, block: int) -> Run:
        number = series.number + block
        try:
            (row,) = self._connection.execute(ROW, (number,)).fetchall()
            return self._decoded(series, block, row)
        except Exception as error:
            raise Damage(f"block {number}, of ply {series.ply}: {error}") from error

    def _decoded(self, series: Series, block: int, row: Sequence[Any]) -> Run:
        ply, is_terminal, first, states, crc32, data, labels = row
        if checksum(ply, is_terminal, first, states, data, labels) != crc32:
            raise ValueError("its checksum is another")
        keys = decode_keys(first, states, data)
        if block + 1 < series.blocks and keys[-1] >= series.firsts[block + 1]:
            raise ValueError(f"its last state, {keys[-1]}, is not below the first of the next block")
        if not is_terminal:
            return Run(keys, decode_labels(states, labels, self.form.dtype))
        if labels is not None:
            raise ValueError("it has labels, though play is over")
        return Run(keys, self._labels_of_ends(keys, ply))

    def _labels_of_ends(self, keys: Keys, ply: int) -> Labels:
        utilities = self._utilities(keys)
        most = margin_of(utilities)
        if most > self.form.margin:
            raise ValueError(f"an end in it is worth {most}, more than the values that about has")
        return self.form.of_ends(utilities, ply)
