"""The rules of one game compiled to machine code, with the same answers as the rules themselves.

    PackedGame --tracing.py--> steps --templates--> one expression for all actions with the same steps
                --code.py--> one kernel for each rule and for each template of actions

All of this takes about a tenth of a second. So there is no cache on disk, which could be stale, damaged or
written by two processes at once.
"""

from collections.abc import Iterator, Mapping, Sequence
from ctypes import c_void_p, cast
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from solver.engines.array_rules.code import (
    CodeModule,
    Kernel,
    Play,
    as_flag,
    every_child_kernel,
    kernel_of_least,
    least_answer,
    plays_of,
)
from solver.engines.array_rules.instructions import BYTE
from solver.engines.array_rules.rules import SLACK, Children, Rules
from solver.engines.array_rules.tracing import Trace, Untraceable, traced
from solver.game import Game
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys
from solver.rules.folding import after


@dataclass(frozen=True, kw_only=True)
class CompiledRules(Rules):
    """The rules, compiled; if a kernel finds a fault, they are evaluated by NumPy, which names it."""

    kernels: Mapping[str, Kernel]
    """The kernels of the rules with one answer for each state, by name."""
    plays: tuple[Play, ...]
    """The kernel and the row of constants of each action."""

    def children(self, keys: Keys, action: int, into: Children | None = None) -> Children:
        """See `Rules`; the arrays are views of arrays with room for a child of each state."""
        kernel, row = self.plays[action]
        keys, length = np.ascontiguousarray(keys, np.int64), len(keys) + SLACK
        children, parents = out = into or (np.empty(length, np.int64), np.empty(length, np.int32))
        count = kernel(len(keys), *(_address(array) for array in (keys, row, *out)))
        return (children[:count], parents[:count]) if count >= 0 else super().children(keys, action, into)

    def every_child(self, keys: Keys, actions: Sequence[int] | None = None) -> Children:
        """See `Rules`; the arrays are views of arrays with room for a child of each state by each action."""
        table = self._table[[*actions]] if actions else self._table
        keys, length = np.ascontiguousarray(keys, np.int64), len(keys) * len(table) + SLACK
        children, parents = np.empty(length, np.int64), np.empty(length, np.int32)
        places = (_address(keys), _address(table), len(keys), _address(children), _address(parents))
        count = every_child_kernel()(len(table), *places)
        return (children[:count], parents[:count]) if count >= 0 else super().every_child(keys, actions)

    def terminal(self, keys: Keys) -> Flags:
        """See `Rules`."""
        return _answers_of(self.kernels["terminal"], keys, np.bool_)[0]

    def utilities(self, keys: Keys) -> Keys:
        """See `Rules`."""
        return _answers_of(self.kernels["utilities"], keys, np.int64)[0]

    def movers(self, keys: Keys) -> NDArray[np.int8]:
        """See `Rules`."""
        movers, bits = _answers_of(self.kernels["movers"], keys, np.int8)
        return movers if bits & ~1 == 0 else super().movers(keys)

    def optional(self, rule: Literal["ply", "tier"], keys: Keys) -> Keys | None:
        """See `Rules`."""
        kernel = self._optional[rule]
        return _answers_of(kernel, keys, np.int64)[0] if kernel else super().optional(rule, keys)

    def canonical(self, keys: Keys) -> Keys:
        """See `Rules`."""
        least, bits = _answers_of(self._least, keys, np.int64) if self._least else (keys, -1)
        return least if bits >= 0 else super().canonical(keys)

    def representatives(self, keys: Keys) -> Keys:
        """See `Rules`."""
        forms, bits = _answers_of(self._checked, keys, np.int64) if self._checked else (keys, -1)
        return forms if bits >= 0 else super().representatives(keys)

    def images(self, keys: Keys) -> Iterator[Keys]:
        """See `Rules`."""
        if None in self._images:
            yield from super().images(keys)
        else:
            yield from (_answers_of(kernel, keys, np.int64)[0] for kernel in self._images if kernel)

    @cached_property
    def _table(self) -> Keys:
        """The addresses of the kernel and of the row of each play: int64, (actions, 2)."""
        plays: Any = self.plays
        rows = [(cast(kernel, c_void_p).value, _address(row)) for kernel, row in plays]
        return np.array(rows, np.int64)

    @cached_property
    def _optional(self) -> dict[str, Kernel | None]:
        """The kernels of plies and of tiers; None for a rule that is undefined or cannot be traced."""
        rules, first = {"ply": self.game.ply, "tier": self.game.tier}, self.game.initial
        return {name: None if rule(first) is None else kernel_of_least(rule) for name, rule in rules.items()}

    @cached_property
    def _least(self) -> Kernel | None:
        """The kernel of canonical forms; None if these are not the least images, or cannot be traced."""
        if type(self.game).canonical is not Game.canonical:
            return None
        maps = (lambda state: state), *(symmetry.state for symmetry in self.game.symmetries())
        return kernel_of_least(*(after(self.with_first_to_move, turn) for turn in maps))

    @cached_property
    def _checked(self) -> Kernel | None:
        """The kernel of `checked_form`; None if canonical forms are not the least images, or as `_least`."""
        return None if type(self.game).canonical is not Game.canonical else kernel_of_least(self.checked_form)

    @cached_property
    def _images(self) -> list[Kernel | None]:
        """The kernels of the images; None for one that cannot be traced."""
        return [kernel_of_least(symmetry.state) for symmetry in self.folding.symmetries]


def compiled_rules(game: PackedGame, degree: int = 1) -> CompiledRules:
    """The rules, compiled; raises `Untraceable` if they cannot be compiled here."""
    plays = {action: _play(game, action) for action in range(game.action_count)}
    try:
        code = CodeModule()
        code.add_answers("terminal", traced(game.is_terminal), as_flag, BYTE)
        code.add_answers("utilities", traced(game.utility), least_answer)
        code.add_answers("movers", traced(game.to_move), least_answer, BYTE)
        return CompiledRules(game, degree, kernels=code.compiled(), plays=plays_of(plays))
    except (RuntimeError, OSError) as error:
        raise Untraceable(f"this machine cannot compile rules: {error}") from error


def _play(game: PackedGame, action: int) -> Trace:
    """Trace whether an action is legal, the child, and the player to move."""
    return traced(
        lambda state: game.legal(state, action), lambda state: game.result(state, action), game.to_move
    )


def _answers_of(kernel: Kernel, keys: Keys, dtype: Any) -> tuple[NDArray[Any], int]:
    """The array that a kernel writes, an answer for each state, and the integer that it returns."""
    keys = np.ascontiguousarray(keys, np.int64)
    out = np.empty(len(keys), dtype)
    return out, kernel(len(keys), _address(keys), _address(out))


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])
