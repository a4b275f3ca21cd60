"""Labels: the value and the remoteness of a state as one integer, which Max maximizes and Min minimizes.

A value v is stored as d, whose sign says who hurries to end play (`solver.rules.labels`): the first player if
d > 0, the second if d < 0, nobody if d = 0. With e as the value of endless play:

    e = 0     d = v
    e = 1     d = v where v > 0, else v - 1        a draw is an end to which the second player hurries
    e = -1    d = v where v < 0, else v + 1        ... the first player hurries

Let the base S be larger than the ply at which any play can end. A state with this d, from which best play
ends at ply p, has the label

    d > 0    (d - 1) * S + (S - 1 - p)        Max hurries: an earlier end is a larger label
    d = 0    0                                no end is forced; the value is e
    d < 0    the negative of that for -d      Max delays: a later end is a larger label

    utility 1, e = 0, S = 128, one signed byte:  -127 ... -1   0   1 ... 127
                                                   Min won      draw   Max won, 127 - p

So minimax over labels is minimax over values first and plies second, and no remoteness is stored.

That is for games in layers, where each state has a single ply. In all other games, with `has_loops`, p is the
remoteness itself, as if each state were at ply 0. A label that is backed up over a move goes one step towards
0, where it stays. S leaves room for one step more than the file needs, so that no such step ends at 0.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from solver.database.metadata import StoredMetadata
from solver.errors import UnfitRules
from solver.rules.arrays import Keys, Labels

DTYPES = (np.int8, np.int16, np.int32, np.int64)

MAX_LIMIT = 1 << 62
"""The greatest `limit` of a code: a label and a player together fit into 64 bits."""


@dataclass(frozen=True)
class LabelCode:
    """The encoding of the labels of one solve."""

    base: int
    """S, a power of two: at least the last ply at which play can end, plus 2."""
    max_abs_value: int
    """The greatest absolute value of a utility, at least 1."""
    endless_value: int = 0
    """The value of endless play: 0, 1 or -1."""
    has_loops: bool = False
    """Whether states have no single ply, so that labels count the remoteness, and S is at least 1 greater."""

    @property
    def limit(self) -> int:
        """The exclusive upper bound of the absolute values of labels."""
        return (self.max_abs_value + abs(self.endless_value)) * self.base

    @property
    def fits(self) -> bool:
        """Whether every label fits into 64 bits."""
        return 0 < self.limit <= MAX_LIMIT

    @cached_property
    def dtype(self) -> np.dtype[np.signedinteger]:
        """The smallest integer type that holds every label, and one integer that is no label."""
        return np.dtype(next(size for size in DTYPES if self.limit <= np.iinfo(size).max + 1))

    @property
    def metadata_rows(self) -> dict[str, str]:
        """The rows of `about` that state the encoding, by key."""
        rows = {"label_bytes": str(self.dtype.itemsize), "label_span": str(self.base)}
        return rows | ({"labels": "remoteness"} if self.has_loops else {})

    def smallest_for(self, last_stage: int, remoteness: int) -> "LabelCode":
        """The same code with the smallest base for these extremes of a file; raises `UnfitRules`."""
        last = remoteness if self.has_loops else last_stage
        return smallest_label_code(last, self.max_abs_value, self.endless_value, has_loops=self.has_loops)

    def ply_of(self, stage: int) -> int | None:
        """The ply of the states at a stage; None if they have no single ply."""
        return None if self.has_loops else stage

    def are_possible(self, labels: Labels, stage: int) -> bool:
        """Whether open states at a stage can have these labels."""
        size = abs(labels)
        rest = size & (self.base - 1)  # S - 1 - p, as S is a power of two
        most = self.base - 1 - self.counted_from(stage)
        possible = (size < self.limit) & (rest > 0) & (rest < most) | (labels == 0)
        return bool(possible.all())

    def counted_from(self, stage: Any) -> Any:
        """The ply from which labels at a stage, or at stages, count the remoteness: 0 with loops."""
        return 0 * stage if self.has_loops else stage

    def before(self, label: Any) -> Any:
        """The label, or labels, of a state from which best play leads to one with `label`.

        In layers it is the same label: the ply of the end. With loops the remoteness grows by 1.
        """
        return label - (label > 0) + (label < 0) if self.has_loops else label

    def encode(self, values: Keys, remoteness: Keys, stage: int) -> Labels:
        """The labels of states at a stage; a remoteness of -1 stands for none."""
        ends = self.encode_ends(values, self.counted_from(stage) + remoteness)
        labels: Labels = np.where(remoteness < 0, 0, ends).astype(self.dtype)
        return labels

    def encode_ends(self, utilities: Keys, ply: int | Keys) -> Labels:
        """The labels of terminal states at `ply`."""
        labels: Labels = self.encode_end(utilities, ply).astype(self.dtype)
        return labels

    def encode_end(self, utility: Any, ply: Any) -> Any:
        """The label of a terminal state at `ply`; for arrays, the labels in the dtype of the utilities."""
        stored = utility - self.endless_value * (self.endless_value * utility <= 0)
        sign = (stored > 0) * 1 - (stored < 0) * 1
        return sign * ((abs(stored) - 1) * self.base + self.base - 1 - ply)

    def values(self, labels: Labels) -> Keys:
        """The minimax value of each label, for the first player."""
        values: Keys = self.value(labels.astype(np.int64))
        return values

    def value(self, label: Any) -> Any:
        """The minimax value of a label, or of each of an array of int64, for the first player."""
        sign = (label > 0) * 1 - (label < 0) * 1
        stored = sign * ((abs(label) - 1) // self.base + 1)
        return stored + self.endless_value * (self.endless_value * stored <= 0)

    def remoteness(self, labels: Labels, stage: int | Keys) -> Keys:
        """The remoteness of each label at a stage, or at one stage each; -1 if no end is forced."""
        wide = labels.astype(np.int64)
        return np.where(wide == 0, -1, self._end_ply(wide) - self.counted_from(stage))

    def plies_left(self, label: int, stage: int) -> int | None:
        """The remoteness of one label at a stage; None if no end is forced."""
        return int(self._end_ply(label) - self.counted_from(stage)) if label else None

    def _end_ply(self, label: Any) -> Any:
        return self.base - 1 - abs(label) % self.base


def smallest_label_code(
    last_ply: int, max_abs_value: int, endless_value: int = 0, *, has_loops: bool = False
) -> LabelCode:
    """The code with the smallest base for play that ends by `last_ply`, with loops a remoteness.

    With `has_loops` there is room for one ply more: the greatest remoteness, backed up over a move, must not
    become the label of another value, or that of endless play. `max_abs_value` bounds the absolute values of
    utilities. Raises `UnfitRules` if labels exceed 64 bits.
    """
    base = 128
    while base < last_ply + has_loops + 2:
        base *= 2
    code = LabelCode(base, max(1, max_abs_value), endless_value, has_loops)
    if not code.fits:
        raise UnfitRules(
            f"utilities up to {max_abs_value:,} are too large for the layers engine and the packed layout: "
            "solve with --engine arrays --layout readable"
        )
    return code


def stated_code(file: StoredMetadata) -> LabelCode:
    """The encoding that a file states; raises `DamagedFile` for an impossible one."""
    labels = file.about.get("labels")
    if labels not in (None, "remoteness"):
        raise file.damage(f"labels: {labels[:80]!r}")
    greatest = max(1, *map(abs, file.value_range))
    code = LabelCode(file.number("label_span"), greatest, file.endless_value, labels is not None)
    if not code.fits:
        raise file.damage(f"label_span: {code.base:,}")
    if code.metadata_rows["label_bytes"] != file.about["label_bytes"]:
        raise file.damage(f"labels of {file.about['label_bytes'][:80]} bytes")
    return code


def check_base(file: StoredMetadata, code: LabelCode, last_stage: int, remoteness: int) -> None:
    """Raise `DamagedFile` unless the base of the code is the smallest for the file; see `smallest_for`."""
    try:
        right = code.smallest_for(last_stage, remoteness)
    except UnfitRules:
        right = None
    if code != right:
        raise file.damage(f"label_span: {code.base:,} does not match its counts")
