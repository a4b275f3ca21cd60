"""How inner loops over arrays are compiled: by numba, once a machine, so that threads run side by side."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numba

Kernel: TypeAlias = Callable[..., Any]

kernel: Callable[[Kernel], Kernel] = numba.njit(cache=True, nogil=True, error_model="numpy")
