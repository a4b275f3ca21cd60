"""One integer a state that says value and remoteness, ordered so that Max wants the largest, Min the least.

What is stored of a value v is d: who hurries to end play (`solver.rules.labels`) is the first player where
d > 0, the second where d < 0, nobody where d = 0. It depends on what endless play is worth, the `level`:

    level 0     d = v
    level 1     d = v where v > 0, else v - 1        a draw is an end to which the second player hurries
    level -1    d = v where v < 0, else v + 1        ... the first player hurries

With S larger than the ply at which any play can end, a state with this d, from which best play ends at the
ply e, has the label

    d > 0    (d - 1) * S + (S - 1 - e)        Max hurries: an earlier end is a larger label
    d = 0    0                                play need not end; it is worth the level
    d < 0    the negative of that for -d      Max delays: a later end is a larger label

    utility 1, level 0, S = 128, one signed byte:  -127 ... -1   0   1 ... 127
                                                   Min won      draw   Max won, 127 - e

Minimax on labels is then minimax on values first and plies second, and no remoteness is kept besides.
"""

from dataclasses import dataclass

import numpy as np

from solver.errors import UnfitRules
from solver.rules.arrays import Keys, Labels

DTYPES = (np.int8, np.int16, np.int32, np.int64)

MAX_LIMIT = 1 << 62
"""All labels are below, signs aside: where they are counted, a label and a player fit into 64 bits."""


@dataclass(frozen=True)
class LabelCode:
    """How labels are written in one solve."""

    base: int
    """S: larger by at least 2 than the ply at which any play can end."""
    max_abs_value: int
    """The largest utility, signs aside, and at least 1."""
    level: int = 0
    """What endless play is worth: 0, 1 or -1."""

    @property
    def limit(self) -> int:
        """What every label is below, signs aside."""
        return (self.max_abs_value + abs(self.level)) * self.base

    @property
    def fits(self) -> bool:
        """Whether every label has room in 64 bits."""
        return 0 < self.limit <= MAX_LIMIT

    @property
    def dtype(self) -> np.dtype[np.signedinteger]:
        """The smallest integers that hold every label, and one that is none."""
        return np.dtype(next(size for size in DTYPES if self.limit <= np.iinfo(size).max + 1))

    @property
    def metadata_rows(self) -> dict[str, str]:
        """What the file of a solved game says of its labels."""
        return {"label_bytes": str(self.dtype.itemsize), "label_span": str(self.base)}

    def of_ends(self, utilities: Keys, ply: int | Keys) -> Labels:
        """The labels of terminal states at `ply`."""
        stored = utilities - self.level * (self.level * utilities <= 0)
        wide = (abs(stored) - 1) * self.base + (self.base - 1 - ply)
        labels: Labels = (np.sign(stored) * wide).astype(self.dtype)
        return labels

    def values(self, labels: Labels) -> Keys:
        """The minimax value, for the first player, that each label says."""
        wide = labels.astype(np.int64)
        stored: Keys = np.sign(wide) * ((abs(wide) - 1 * (wide != 0)) // self.base + (wide != 0))
        values: Keys = stored + self.level * (self.level * stored <= 0)
        return values

    def remoteness(self, labels: Labels, ply: int | Keys) -> Keys:
        """Plies to the end from `ply`, that each label says; -1 where play need not end."""
        wide = abs(labels.astype(np.int64))
        plies: Keys = np.where(wide == 0, -1, self.base - 1 - wide % self.base - ply)
        return plies

    def value(self, label: int) -> int:
        """The minimax value, for the first player, that one label says."""
        above = (abs(label) - 1) // self.base + 1 if label else 0
        stored = above if label > 0 else -above
        return stored + self.level * (self.level * stored <= 0)

    def end_ply(self, label: int) -> int | None:
        """The ply at which best play ends, that one label says; None where play need not end."""
        return self.base - 1 - abs(label) % self.base if label else None

    def of_end(self, utility: int, ply: int) -> int:
        """The label of one terminal state at `ply`."""
        stored = utility - self.level * (self.level * utility <= 0)
        above = (abs(stored) - 1) * self.base + self.base - 1 - ply if stored else 0
        return above if stored > 0 else -above


def smallest_label_code(last_ply: int, max_abs_value: int, level: int = 0) -> LabelCode:
    """The form for play that ends by `last_ply` with utilities of at most `max_abs_value`, signs aside.

    `level` is what endless play is worth. Raises `UnfitRules` where no 64 bits hold all that.
    """
    base = 128
    while base < last_ply + 2:
        base *= 2
    form = LabelCode(base, max(1, max_abs_value), level)
    if not form.fits:
        raise UnfitRules(
            f"utilities up to {max_abs_value:,} are too large for the layers engine and the packed layout: "
            "use --engine graph --layout readable"
        )
    return form
