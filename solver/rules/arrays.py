"""The arrays that hold many states at once, by name; and what rules answer for such an array."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Keys: TypeAlias = NDArray[np.int64]
"""States, in ascending order where they are a layer or a block."""

GREATEST = 2**63 - 1
"""Above every key of the layers engine."""

Flags: TypeAlias = NDArray[np.bool_]
"""A truth about each state."""

Labels: TypeAlias = NDArray[np.signedinteger]
"""The label of each state, as solver.database.packed.label_code writes it."""


def margin_of(utilities: Keys) -> int:
    """The largest of the utilities, signs aside; 0 for none."""
    return max(int(utilities.max(initial=0)), -int(utilities.min(initial=0)))


def each(answer: Any, keys: Keys) -> Keys:
    """What a rule answers for an array of states, with one number for each even where one holds for all.

    Raises a TypeError for answers that are no integers.
    """
    answers = np.asarray(answer)
    if not np.can_cast(answers.dtype, np.int64):
        raise TypeError(f"the answers are not integers but {answers.dtype}")
    return np.broadcast_to(answers.astype(np.int64, copy=False), keys.shape)
