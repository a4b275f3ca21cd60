"""One integer a state that says value and remoteness, ordered so that Max wants the largest, Min the least.

With S larger than the ply at which any play can end, a state with the value v, from which best play ends at
the ply e, has the label

    v > 0    (v - 1) * S + (S - 1 - e)        Max hurries: an earlier end is a larger label
    v = 0    0
    v < 0    the negative of that             Max delays: a later end is a larger label

    utility 1, S = 128, one signed byte:  -127 ... -1   0   1 ... 127
                                          Min won      draw   Max won, 127 - e

Minimax on labels is then minimax on values first and plies second, and no remoteness is kept besides.
"""

from dataclasses import dataclass

import numpy as np

from solver.arrays import Keys, Labels
from solver.errors import UnfitRules

SIZES = (np.int8, np.int16, np.int32, np.int64)


@dataclass(frozen=True)
class LabelForm:
    """How labels are written in one solve."""

    span: int
    """S: larger by at least 2 than the ply at which any play can end."""
    margin: int
    """The largest utility, signs aside, and at least 1."""

    @property
    def dtype(self) -> np.dtype[np.signedinteger]:
        """The smallest integers that hold every label, and one that is none."""
        return np.dtype(next(size for size in SIZES if self.margin * self.span <= np.iinfo(size).max + 1))

    @property
    def described(self) -> dict[str, str]:
        """What the file of a solved game says of its labels."""
        return {"label_bytes": str(self.dtype.itemsize), "label_span": str(self.span)}

    def of_ends(self, utilities: Keys, ply: int | Keys) -> Labels:
        """The labels of terminal states at `ply`."""
        wide = (abs(utilities) - 1) * self.span + (self.span - 1 - ply)
        labels: Labels = (np.sign(utilities) * wide).astype(self.dtype)
        return labels

    def values(self, labels: Labels) -> Keys:
        """The minimax value, for the first player, that each label says."""
        wide = labels.astype(np.int64)
        values: Keys = np.sign(wide) * ((abs(wide) - 1 * (wide != 0)) // self.span + (wide != 0))
        return values

    def remoteness(self, labels: Labels, ply: int | Keys) -> Keys:
        """Plies to the end from `ply`, that each label says; -1 for a draw."""
        wide = abs(labels.astype(np.int64))
        plies: Keys = np.where(wide == 0, -1, self.span - 1 - wide % self.span - ply)
        return plies

    def value(self, label: int) -> int:
        """The minimax value, for the first player, that one label says."""
        above = (abs(label) - 1) // self.span + 1 if label else 0
        return above if label > 0 else -above

    def end(self, label: int) -> int | None:
        """The ply at which best play ends, that one label says; None for a draw."""
        return self.span - 1 - abs(label) % self.span if label else None

    def of_end(self, utility: int, ply: int) -> int:
        """The label of one terminal state at `ply`."""
        above = (abs(utility) - 1) * self.span + self.span - 1 - ply if utility else 0
        return above if utility > 0 else -above


def label_form(last_ply: int, margin: int) -> LabelForm:
    """The form for play that ends by `last_ply` with utilities of at most `margin`, signs aside.

    Raises `UnfitRules` where no 64 bits hold both.
    """
    span = 128
    while span < last_ply + 2:
        span *= 2
    if max(1, margin) * span > np.iinfo(np.int64).max:
        raise UnfitRules(
            f"utilities up to {margin:,} are too large for the layers engine: use --engine graph"
        )
    return LabelForm(span, max(1, margin))
