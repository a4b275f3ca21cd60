"""The code of keys in files of the format before, which are read and no more written: gaps in planes.

gaps        0    1    2   47   910     1
plane 0     0    1    2   47   142     1      142 = 128 + 910 % 128: 7 bits, and the 8th, as more follows
plane 1                          7              7 = 910 // 128: the next 7 bits of that gap, and so on
"""

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.keys.gap_codec import MAX_BYTES
from solver.rules.arrays import Keys


def keys_of_planes(first: int, states: int, plain: NDArray[np.uint8]) -> Keys:
    """The keys from `first` on whose gaps are in planes; raises ValueError unless these are `states` keys."""
    levels, begin, size = [], 0, states
    while size:
        plane = plain[begin : begin + size]
        wide = (plane > 127).nonzero()[0]
        levels.append((plane, wide))
        begin, size = begin + size, len(wide)
    if states < 1 or begin != len(plain) or len(levels) > MAX_BYTES:
        raise ValueError(f"the gaps of {states} keys do not take {len(plain)} bytes")
    keys: Keys = levels.pop()[0].astype(np.int64)
    for plane, wide in reversed(levels):
        wider, keys = keys, plane.astype(np.int64)
        keys[wide] += (wider - 1) << 7  # which also takes away the highest bit of the byte
    if keys[0] != 0:
        raise ValueError("the first gap is not 0")
    keys = keys.cumsum() + first
    if first < 0 or not (keys[1:] > keys[:-1]).all():
        raise ValueError("the keys do not ascend")
    return keys
