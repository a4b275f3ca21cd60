"""The inner loops of the engine: compiled by numba where it is installed, otherwise by NumPy."""

from functools import cache
from importlib import import_module
from types import ModuleType


@cache
def kernels() -> ModuleType:
    """The module of the inner loops."""
    try:
        return import_module("solver.engines.loops.kernels.compiled")
    except (ImportError, RuntimeError):  # no numba, or no place for what it compiles
        return import_module("solver.engines.loops.kernels.plain")
