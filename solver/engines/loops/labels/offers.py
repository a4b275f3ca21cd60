"""Splits moves into those that end play, which raise floors, and those to open states."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.label_code import LabelCode
from solver.engines.loops import kernels
from solver.engines.storage.context import SolveContext
from solver.errors import BrokenRules
from solver.rules.arrays import Keys, Labels


def raise_floors(owners: NDArray[np.int32], offers: Labels, floors: Labels) -> None:
    """Raise the floor of each owner to an offer; offers are for the first player, floors for the mover."""
    np.maximum.at(floors, owners >> 1, np.where(owners & 1, -offers, offers))


class MoveOffers:
    """The offers of moves to the states of a stage."""

    def __init__(self, context: SolveContext, code: LabelCode) -> None:
        self._context, self._code = context, code
        signs = np.array([1, -1], code.dtype)
        self._bests = code.encode_ends(np.array([1, -1]) * code.max_abs_value, 1) * signs
        self.least = np.iinfo(code.dtype).min
        """The floor of a state without a move to an end or out of the stage."""

    def open_moves(self, keys: Keys, floors: Labels) -> tuple[Keys, NDArray[np.int32], int]:
        """The open children of some states, with their owners, and the number of all moves.

        The other moves raise floors. Moves of a state with the best floor are left out.
        """
        context, rules = self._context, self._context.rules
        context.check_cancelled()
        children, owners = (rules.folded_children if context.fold else rules.every_child)(keys)
        moves, is_end = len(children), rules.terminal(children)
        offers = self._code.encode_ends(rules.utilities(children[is_end]), 1)
        raise_floors(owners[is_end], offers, floors)
        count = kernels.keep_open(children, owners, is_end, floors, self._bests)
        return children[:count], owners[:count], moves

    def counters(self, keys: Keys, counts: NDArray[Any], floors: Labels) -> NDArray[np.int64]:
        """Twice the number of open moves of each state, plus the player to move.

        `counts` are the moves that stay in the stage. Raises `BrokenRules` for a state without open moves.
        """
        counts = counts + (floors != self.least)
        if (stuck := counts == 0).any():
            raise BrokenRules(
                f"the rules give no action in the state {keys[stuck][0]}, which is not terminal"
            )
        doubled: NDArray[np.int64] = 2 * counts.astype(np.int64) + self._context.rules.movers(keys)
        return doubled
