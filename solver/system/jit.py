"""Just-in-time compilation of inner loops by numba, cached on disk and run without the GIL."""

from collections.abc import Callable
from os import environ
from os.path import expanduser
from typing import Any, TypeAlias

import numba

Kernel: TypeAlias = Callable[..., Any]

if expanduser("~") == "~" and "NUMBA_CACHE_DIR" not in environ:
    raise RuntimeError("there is no home folder: numba would make one called ~ in the current folder")

if not environ.get("SOURCE_DATE_EPOCH", "0").isdecimal():
    del environ["SOURCE_DATE_EPOCH"]  # which part of numpy, as numba loads it, fails to read

kernel: Callable[[Kernel], Kernel] = numba.njit(cache=True, nogil=True, error_model="numpy")
