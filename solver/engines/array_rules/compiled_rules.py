"""The rules of one game compiled to machine code, with the same answers as the rules themselves.

    PackedGame --tracing.py--> steps --templates.py--> one expression for all actions that are alike
                                    --code.py--> one kernel for each rule and for each template of actions

All of this takes about a tenth of a second, so nothing is kept from one run to the next: there is no cache
that could be stale, damaged or written by two processes at once.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.engines.array_rules.rules import (
    SLACK,
    ArrayRules,
    Children,
    Rules,
    image_maps,
    with_first_to_move,
)
from solver.engines.array_rules.templates import Template, templates
from solver.engines.array_rules.tracing import Trace, Untraceable, traced
from solver.game import Game
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys


@dataclass(frozen=True)
class CompiledRules:
    """The rules of a game, compiled; see `Rules`.

    If a kernel finds a fault, the rules are evaluated by NumPy, which names it.
    """

    game: PackedGame
    kernels: Mapping[str, Callable[..., int]]
    """The kernels of the rules with one answer for each state, by name."""
    plays: tuple[tuple[Callable[..., int], Keys], ...]
    """For each action its kernel and its row of constants."""
    exchange: bool = False

    @property
    def action_count(self) -> int:
        """The number of actions, which are 0, 1, 2 ..."""
        return len(self.plays)

    def children(self, keys: Keys, action: int, into: Children | None = None) -> Children:
        """See `Rules`; the arrays are views of others that have room for a child of each state."""
        kernel, row = self.plays[action]
        keys, length = np.ascontiguousarray(keys, np.int64), len(keys) + SLACK
        children, parents = into or (np.empty(length, np.int64), np.empty(length, np.int32))
        count = kernel(len(keys), *(_address(each) for each in (keys, row, children, parents)))
        return (children[:count], parents[:count]) if count >= 0 else self._rules.children(keys, action, into)

    def every_child(self, keys: Keys) -> Children:
        """See `Rules`; the arrays are views of others that have room for a child by each action."""
        keys, length = np.ascontiguousarray(keys, np.int64), len(keys) * self.action_count + SLACK
        children, parents, count = np.empty(length, np.int64), np.empty(length, np.int32), 0
        for kernel, row in self.plays:
            at = _address(children) + count * children.itemsize, _address(parents) + count * parents.itemsize
            found = kernel(len(keys), _address(keys), _address(row), *at)
            if found < 0:
                return self._rules.every_child(keys)
            count += found
        return children[:count], parents[:count]

    def terminal(self, keys: Keys) -> Flags:
        """See `Rules`."""
        return _answers(self.kernels["terminal"], keys, np.bool_)[0]

    def utilities(self, keys: Keys) -> Keys:
        """See `Rules`."""
        return _answers(self.kernels["utilities"], keys, np.int64)[0]

    def movers(self, keys: Keys) -> NDArray[np.int8]:
        """See `Rules`."""
        movers, bits = _answers(self.kernels["movers"], keys, np.int8)
        return movers if bits & ~1 == 0 else self._rules.movers(keys)

    def plies(self, keys: Keys) -> Keys | None:
        """See `Rules`."""
        return _answers(self._ply, keys, np.int64)[0] if self._ply else self._rules.plies(keys)

    def tiers(self, keys: Keys) -> Keys | None:
        """See `Rules`."""
        return _answers(self._tier, keys, np.int64)[0] if self._tier else self._rules.tiers(keys)

    def canonical(self, keys: Keys) -> Keys:
        """See `Rules`."""
        least, bits = _answers(self._least, keys, np.int64) if self._least else (keys, -1)
        return least if bits >= 0 else self._rules.canonical(keys)

    def images(self, keys: Keys) -> Iterator[Keys]:
        """See `Rules`."""
        if None in self._images:
            yield from self._rules.images(keys)
        else:
            yield from (_answers(kernel, keys, np.int64)[0] for kernel in self._images if kernel)

    @cached_property
    def _rules(self) -> ArrayRules:
        return ArrayRules(self.game, self.exchange)

    @cached_property
    def _ply(self) -> Callable[..., int] | None:
        """The kernel of the plies, compiled on first use; None if the rules tell none or cannot be traced."""
        return (
            _kernel_of_least(self.game.ply) if self._rules.plies(np.empty(0, np.int64)) is not None else None
        )

    @cached_property
    def _tier(self) -> Callable[..., int] | None:
        """The kernel of the tiers, compiled on first use; None if the rules tell none or cannot be traced."""
        return (
            _kernel_of_least(self.game.tier) if self._rules.tiers(np.empty(0, np.int64)) is not None else None
        )

    @cached_property
    def _least(self) -> Callable[..., int] | None:
        """The kernel of the canonical forms; None if these are not the least images."""
        if type(self.game).canonical is not Game.canonical:
            return None
        return _kernel_of_least(*map(self._of_canonical, (_same, *image_maps(self.game, exchange=False))))

    @cached_property
    def _images(self) -> list[Callable[..., int] | None]:
        """The kernels of the images; None for one that cannot be traced."""
        return [_kernel_of_least(each) for each in image_maps(self.game, exchange=self.exchange)]

    def _of_canonical(self, state_map: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The map, made one of the states from which the canonical form is chosen."""
        if not self.exchange:
            return state_map
        return lambda state: state_map(with_first_to_move(self.game, state))


def rules_for(game: PackedGame, *, exchange: bool = False) -> Rules:
    """The rules of `game`, compiled if possible; `exchange` as for `compiled_rules`."""
    try:
        return compiled_rules(game, exchange=exchange)
    except (ImportError, Untraceable):
        return ArrayRules(game, exchange)


def compiled_rules(game: PackedGame, *, exchange: bool = False) -> CompiledRules:
    """Compile the rules of `game`, with classes that may have states with exchanged players.

    Raises `ImportError` if llvmlite is missing, and `Untraceable` if the rules do more than apply operators
    or this machine cannot compile.
    """
    plays = {action: _play(game, action) for action in range(game.action_count)}
    once = {
        "terminal": traced(game.is_terminal),
        "utilities": traced(game.utility),
        "movers": traced(game.to_move),
    }
    found = templates(plays)
    try:
        kernels = _kernels(once, found)
    except (RuntimeError, OSError) as error:
        raise Untraceable(f"this machine cannot compile rules: {error}") from error
    rows = {
        action: (kernels[f"children{nth}"], np.array(row, np.int64))
        for nth, template in enumerate(found)
        for action, row in template.rows()
    }
    return CompiledRules(game, kernels, tuple(rows[action] for action in sorted(rows)), exchange)


def _same(state: Any) -> Any:
    return state


def _play(game: PackedGame, action: int) -> Trace:
    """Trace whether an action is legal, the child, and the player to move."""
    return traced(
        lambda state: game.legal(state, action), lambda state: game.result(state, action), game.to_move
    )


def _kernels(once: Mapping[str, Trace], found: Sequence[Template]) -> dict[str, Callable[..., int]]:
    """The kernels of the rules with one answer for each state, and `children0` ... of the templates."""
    from solver.engines.array_rules import code as machine  # they need llvmlite, which is an extra
    from solver.engines.array_rules import instructions as loops

    code = machine.CodeModule()
    code.add_answers("terminal", once["terminal"], machine.as_flag, loops.BYTE)
    code.add_answers("utilities", once["utilities"], machine.as_integer)
    code.add_answers("movers", once["movers"], machine.as_integer, loops.BYTE)
    for nth, template in enumerate(found):
        code.add_children(f"children{nth}", template)
    return code.compiled()


def _kernel_of_least(*rules: Callable[[Any], Any]) -> Callable[..., int] | None:
    """A kernel for the least answer of the rules, or the only one; None if they cannot be traced."""
    from solver.engines.array_rules import code as machine

    code = machine.CodeModule()
    try:
        code.add_answers("least", traced(*rules), machine.least_answer)
        return code.compiled()["least"]
    except (Untraceable, RuntimeError):
        return None


def _answers(kernel: Callable[..., int], keys: Keys, dtype: Any) -> tuple[NDArray[Any], int]:
    """Return what a kernel writes for each state, and what it returns."""
    keys = np.ascontiguousarray(keys, np.int64)
    out = np.empty(len(keys), dtype)
    return out, kernel(len(keys), _address(keys), _address(out))


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])
