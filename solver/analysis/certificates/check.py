"""Whether a certificate proves what it says, by the rules alone.

A state is good if play is over in it and brings the owner at least the goal, or if the certificate has it.
In a state of the certificate in which the owner is to move, some move leads to a good state, or to one of
the other player all of whose moves lead to good states; in one in which the other player is to move, every
move leads to a good state. So the owner can always move on to good states, and never ends below the goal.

Where symmetries are used, the images of the states that are listed are in the set, too, and each of them is
checked like any other: so nothing has to be known about symmetries.

Where endless play is worth less than the goal, the certificate has a rank for each state, and each of these
steps leads to a lower rank: ranks fall until play ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from solver.analysis.certificates.certificate import Certificate
from solver.analysis.certificates.moves import GameMoves, moves_of
from solver.errors import SolverError, message_of
from solver.game import AnyGame, sign_for
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys
from solver.rules.asking import symmetries_of
from solver.system.progress import Progress, no_progress

STATES_AT_ONCE = 1 << 14

ASKED = 8
"""About so many states are asked about for one of a certificate: those after moves and after replies."""

NO_RANK = np.iinfo(np.int64).max


def flaw_of(certificate: Certificate, game: AnyGame, *, progress: Progress = no_progress) -> str | None:
    """Why a certificate proves nothing; None if it proves what it says. Raises `BrokenRules`."""
    if certificate.needs_ranks and certificate.ranks is None:
        return "its goal is better than endless play, and it has no ranks"
    states = certificate.states
    moves = moves_of(game, ASKED * len(states) * (certificate.symmetries + 1))
    if isinstance(certificate.start, str) == isinstance(game, PackedGame):
        return "its states are texts where those of the rules are integers, or the other way round"
    if any(one >= other for one, other in pairwise(states)):  # type: ignore[operator]
        return "its states are not in ascending order"
    try:
        keys = np.array([moves.key(state) for state in (*states, certificate.start)], np.int64)
        ranks = np.array((certificate.needs_ranks and certificate.ranks) or [0] * len(states), np.int64)
    except (SolverError, OverflowError) as error:
        return f"it has no state or rank: {message_of(error) if isinstance(error, SolverError) else error}"
    if any(moves.written(key) != state for key, state in zip(keys.tolist(), states, strict=False)):
        return "it has a state that the rules write otherwise"
    maps = symmetries_of(game) if isinstance(game, PackedGame) else ()
    if certificate.symmetries not in (0, len(maps)):
        return f"it uses {certificate.symmetries} symmetries, where the rules have {len(maps)}"
    images = [keys[:-1], *(moves.images(keys[:-1]) if certificate.symmetries else ())]
    return _Check(certificate, moves, images, ranks).flaw(int(keys[-1]), progress)


@dataclass
class _Check:
    """A certificate held against the rules."""

    certificate: Certificate
    moves: GameMoves
    images: Sequence[Keys]
    """The states that are listed, and their images under each symmetry that is used."""
    ranks: Keys
    """The rank of each state that is listed."""

    def __post_init__(self) -> None:
        keys, of_all = np.concatenate(self.images), np.tile(self.ranks, len(self.images))
        order = np.lexsort((of_all, keys))
        self._sorted, first = np.unique(keys[order], return_index=True)
        self._ranks = of_all[order][first]
        self._ranked = self.certificate.needs_ranks

    def flaw(self, start: int, progress: Progress) -> str | None:
        """The first state that proves nothing, if any."""
        at_start = np.array([start], np.int64)
        above_all = np.array([NO_RANK])
        if not (self._good(at_start, above_all) | self._answered(at_start, above_all))[0]:
            return f"it does not begin at the start {self.certificate.start!r}"
        for begin in range(0, len(self._sorted), STATES_AT_ONCE):
            part = slice(begin, begin + STATES_AT_ONCE)
            fails = np.flatnonzero(~self._right(self._sorted[part], self._ranks[part]))
            if len(fails):
                state = self.moves.written(int(self._sorted[part][fails[0]]))
                return f"it does not follow for the state {state!r}"
            progress("checking states", min(begin + STATES_AT_ONCE, len(self._sorted)), len(self._sorted))
        return None

    def _good(self, keys: Keys, ranks: Keys) -> Flags:
        """Whether play ends well in each state, or the certificate has it with a lower rank than this."""
        good = np.zeros(len(keys), np.bool_)
        if len(self._sorted):
            places = np.minimum(np.searchsorted(self._sorted, keys), len(self._sorted) - 1)
            good = (self._sorted[places] == keys) & ((self._ranks[places] < ranks) | (not self._ranked))
        rest = np.flatnonzero(~good)
        ends = rest[self.moves.over(keys[rest])]
        good[ends] = (
            self.moves.utilities(keys[ends]) * sign_for(self.certificate.owner) >= self.certificate.goal
        )
        return good

    def _answered(self, keys: Keys, ranks: Keys) -> Flags:
        """Whether the other player is to move in each state, and every move leads to a good one."""
        answered = ~self.moves.over(keys)
        answered[answered] = self.moves.movers(keys[answered]) != self.certificate.owner
        has_move, left = np.zeros(len(keys), np.bool_), np.flatnonzero(answered)
        for action in range(self.moves.actions(keys[left])):
            places, children = self.moves.children_by(keys[left], action)
            parents = left[places]
            has_move[parents] = True
            answered[parents[~self._good(children, ranks[parents])]] = False
            left = left[answered[left]]
            if not len(left):
                break
        return answered & has_move

    def _right(self, keys: Keys, ranks: Keys) -> Flags:
        """Whether what is said of each state of the certificate follows from the others."""
        right = self._answered(keys, ranks)
        is_open = ~self.moves.over(keys)
        mine = is_open.copy()
        mine[is_open] = self.moves.movers(keys[is_open]) == self.certificate.owner
        for suffices in (self._good, self._answered):
            left = np.flatnonzero(mine & ~right)
            for action in range(self.moves.actions(keys[left])):
                places, children = self.moves.children_by(keys[left], action)
                parents = left[places]
                right[parents[suffices(children, ranks[parents])]] = True
                left = left[~right[left]]
                if not len(left):
                    break
        ends = np.flatnonzero(~is_open)
        right[ends] = (
            self.moves.utilities(keys[ends]) * sign_for(self.certificate.owner) >= self.certificate.goal
        )
        return right
