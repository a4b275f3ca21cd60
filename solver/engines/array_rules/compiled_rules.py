"""The rules of one game as machine code, which answers for arrays of states as the rules themselves do.

    PackedGame --tracing.py--> steps --templates.py--> one list of steps for all actions that are alike
                                    --code.py--> one kernel a rule, and one a family of actions

That takes about a tenth of a second in all, so nothing is kept from one run to the next: there is no cache to
go stale, to be damaged or to be written by two processes at once.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.engines.array_rules.rules import ArrayRules
from solver.engines.array_rules.templates import Template, families
from solver.engines.array_rules.tracing import Trace, Untraceable, traced
from solver.game import Game
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys

SLACK = 8
"""How many numbers more than there are children a kernel may write."""


@dataclass(frozen=True)
class CompiledRules:
    """The rules of a game, compiled; see `Rules`.

    Where a kernel finds a fault, NumPy is asked, which says what it is.
    """

    game: PackedGame
    kernels: Mapping[str, Callable[..., int]]
    """By the names of the rules that answer once a state."""
    plays: tuple[tuple[Callable[..., int], Keys], ...]
    """For each action its kernel and its row of numbers."""

    @property
    def action_count(self) -> int:
        """How many actions there are; they are numbered from 0."""
        return len(self.plays)

    def children(self, keys: Keys, action: int) -> tuple[Keys, NDArray[np.int32]]:
        """See `Rules`; the arrays are the first parts of others, with room for a child of each state."""
        kernel, row = self.plays[action]
        keys, length = np.ascontiguousarray(keys, np.int64), len(keys) + SLACK
        children, parents = np.empty(length, np.int64), np.empty(length, np.int32)
        count = kernel(len(keys), *(_address(each) for each in (keys, row, children, parents)))
        return (children[:count], parents[:count]) if count >= 0 else self._rules.children(keys, action)

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
        return ArrayRules(self.game)

    @cached_property
    def _ply(self) -> Callable[..., int] | None:
        """The kernel of the plies, which not every game has and not every solve asks for."""
        return (
            _kernel_of_least(self.game.ply) if self._rules.plies(np.empty(0, np.int64)) is not None else None
        )

    @cached_property
    def _least(self) -> Callable[..., int] | None:
        """The kernel of the canonical states; None where the game chooses others than the least."""
        if type(self.game).canonical is not Game.canonical:
            return None
        return _kernel_of_least(lambda state: state, *(each.state for each in self.game.symmetries()))

    @cached_property
    def _images(self) -> list[Callable[..., int] | None]:
        """The kernels of the symmetries."""
        return [_kernel_of_least(symmetry.state) for symmetry in self.game.symmetries()]


def compiled_rules(game: PackedGame) -> CompiledRules:
    """The rules of `game`, compiled.

    Raises `ImportError` where llvmlite is missing, and `Untraceable` where rules do more than operators can
    or this machine cannot compile.
    """
    plays = {action: _play(game, action) for action in range(game.action_count)}
    once = {
        "terminal": traced(game.is_terminal),
        "utilities": traced(game.utility),
        "movers": traced(game.to_move),
    }
    found = families(plays)
    try:
        kernels = _kernels(once, found)
    except (RuntimeError, OSError) as error:
        raise Untraceable(f"this machine cannot compile rules: {error}") from error
    rows = {
        action: (kernels[f"children{nth}"], np.array(family.row(action), np.int64))
        for nth, family in enumerate(found)
        for action in family.actions
    }
    return CompiledRules(game, kernels, tuple(rows[action] for action in sorted(rows)))


def _play(game: PackedGame, action: int) -> Trace:
    """Whether an action is legal, what it leads to, and who plays it."""
    return traced(
        lambda state: game.legal(state, action), lambda state: game.result(state, action), game.to_move
    )


def _kernels(once: Mapping[str, Trace], found: Sequence[Template]) -> dict[str, Callable[..., int]]:
    """The kernels of the rules that answer once a state, and `children0`, `children1` ... of the families."""
    from solver.engines.array_rules import code as machine  # they need llvmlite, which is an extra
    from solver.engines.array_rules import instructions as loops

    code = machine.CodeModule()
    code.add_answers("terminal", once["terminal"], machine.whether, loops.BYTE)
    code.add_answers("utilities", once["utilities"], machine.the_answer)
    code.add_answers("movers", once["movers"], machine.the_answer, loops.BYTE)
    for nth, family in enumerate(found):
        code.add_children(f"children{nth}", family)
    return code.compiled()


def _kernel_of_least(*rules: Callable[[Any], Any]) -> Callable[..., int] | None:
    """A kernel for the least answer of rules, or for the only one; None where they cannot be traced."""
    from solver.engines.array_rules import code as machine

    code = machine.CodeModule()
    try:
        code.add_answers("least", traced(*rules), machine.the_least)
        return code.compiled()["least"]
    except (Untraceable, RuntimeError):
        return None


def _answers(kernel: Callable[..., int], keys: Keys, dtype: Any) -> tuple[NDArray[Any], int]:
    """What a kernel writes about each state, and what it returns."""
    keys = np.ascontiguousarray(keys, np.int64)
    out = np.empty(len(keys), dtype)
    return out, kernel(len(keys), _address(keys), _address(out))


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])
