"""The kernels of one game: made from the traces of its rules, and called with arrays of states."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.engines.array_rules.rules import SLACK, Children
from solver.engines.array_rules.tracing import Trace, Untraceable, templates, traced
from solver.rules.arrays import Keys

Play: TypeAlias = tuple[Callable[..., int], Keys]
"""The kernel of an action, and its row of constants."""


def kernels_of(once: Mapping[str, Trace]) -> dict[str, Callable[..., int]]:
    """The kernels of the rules with one answer for each state."""
    from solver.engines.array_rules import (
        code as machine,  # they need llvmlite, which is an extra
        instructions,
    )

    code = machine.CodeModule()
    code.add_answers("terminal", once["terminal"], machine.as_flag, instructions.BYTE)
    code.add_answers("utilities", once["utilities"], machine.as_integer)
    code.add_answers("movers", once["movers"], machine.as_integer, instructions.BYTE)
    return code.compiled()


def plays_of(traces: Mapping[int, Trace]) -> tuple[Play, ...]:
    """The kernel of each action, given the trace of its rules; actions that are alike have the same one."""
    from solver.engines.array_rules import code as machine

    found, code = templates(traces), machine.CodeModule()
    for nth, template in enumerate(found):
        code.add_children(f"children{nth}", template)
    kernels = code.compiled()
    rows = {
        action: (kernels[f"children{nth}"], np.array(row, np.int64))
        for nth, template in enumerate(found)
        for action, row in template.rows()
    }
    return tuple(rows[action] for action in sorted(rows))


def kernel_of_least(*rules: Callable[[Any], Any]) -> Callable[..., int] | None:
    """A kernel for the least answer of the rules, or the only one; None if they cannot be traced."""
    from solver.engines.array_rules import code as machine

    code = machine.CodeModule()
    try:
        code.add_answers("least", traced(*rules), machine.least_answer)
        return code.compiled()["least"]
    except (Untraceable, RuntimeError):
        return None


def children_by(play: Play, keys: Keys, into: Children | None = None) -> Children | None:
    """The children by a play, as `Rules.children` returns them; None if the kernel finds a fault."""
    kernel, row = play
    keys, length = np.ascontiguousarray(keys, np.int64), len(keys) + SLACK
    children, parents = into or (np.empty(length, np.int64), np.empty(length, np.int32))
    count = kernel(len(keys), *(_address(each) for each in (keys, row, children, parents)))
    return (children[:count], parents[:count]) if count >= 0 else None


def every_child_by(plays: Sequence[Play], keys: Keys) -> Children | None:
    """The children by some plays, as `Rules.every_child` returns them; None if a kernel finds a fault."""
    keys, length = np.ascontiguousarray(keys, np.int64), len(keys) * len(plays) + SLACK
    children, parents, count = np.empty(length, np.int64), np.empty(length, np.int32), 0
    for kernel, row in plays:
        at = _address(children) + count * children.itemsize, _address(parents) + count * parents.itemsize
        found = kernel(len(keys), _address(keys), _address(row), *at)
        if found < 0:
            return None
        count += found
    return children[:count], parents[:count]


def answers_of(kernel: Callable[..., int], keys: Keys, dtype: Any) -> tuple[NDArray[Any], int]:
    """What a kernel writes for each state, and what it returns."""
    keys = np.ascontiguousarray(keys, np.int64)
    out = np.empty(len(keys), dtype)
    return out, kernel(len(keys), _address(keys), _address(out))


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])
