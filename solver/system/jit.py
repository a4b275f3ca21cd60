"""Just-in-time compilation of inner loops by numba, cached on disk and run without the GIL."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numba

Kernel: TypeAlias = Callable[..., Any]

kernel: Callable[[Kernel], Kernel] = numba.njit(cache=True, nogil=True, error_model="numpy")
