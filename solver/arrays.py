"""The arrays that hold many states at once, by name."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Keys: TypeAlias = NDArray[np.int64]
"""States, in ascending order where they are a layer or a block."""

Flags: TypeAlias = NDArray[np.bool_]
"""A truth about each state."""

Labels: TypeAlias = NDArray[np.signedinteger]
"""The label of each state, as solver.labels writes it."""
