"""The inner loops of the engine: compiled by numba where it is installed and pays, otherwise by NumPy."""

from importlib import import_module
from types import ModuleType

from solver.engines.context import SolveContext

FEWEST_STATES = 1 << 20
"""States from which on compiled code saves more than the seconds that importing and compiling take."""


def kernels(context: SolveContext) -> ModuleType:
    """The module of the inner loops; by NumPy if the rules bound the number of states by a small one."""
    if context.states_at_most is None or context.states_at_most >= FEWEST_STATES:
        try:
            return import_module("solver.engines.loops.kernels.compiled")
        except (ImportError, RuntimeError):  # no numba, or no place for what it compiles
            pass
    return import_module("solver.engines.loops.kernels.plain")
