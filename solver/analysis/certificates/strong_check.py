"""Whether a strong solution is right, by the rules alone: each label follows from those after the moves.

Every move leads to a state that is listed, or to an image of one under the symmetries that are used; images
are checked like any other state. Value and remoteness are those of `solver.rules.labels`. Where play can
return, labels of a whole loop could follow from each other; so a value other than that of endless play must
have a remoteness, which falls with each move, as in such a loop it cannot.
"""

import numpy as np

from solver.analysis.certificates.certificate import Head
from solver.analysis.certificates.moves import GameMoves, moves_of
from solver.analysis.certificates.strong import Records
from solver.errors import SolverError, message_of
from solver.game import ENDLESS, AnyGame
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys
from solver.rules.asking import symmetries_of
from solver.system.progress import Progress, no_progress

STATES_AT_ONCE = 1 << 14

NEVER = np.iinfo(np.int64).max
"""As a remoteness: later than any."""


def flaw_of_strong(
    head: Head, records: Records, game: AnyGame, *, progress: Progress = no_progress
) -> str | None:
    """Why a strong solution is wrong; None if it follows from the rules. Raises `BrokenRules`."""
    endless, symmetries, texts, _ = head.numbers.values()
    moves = moves_of(game, len(records.states) * (1 + symmetries))
    if symmetries not in (0, len(symmetries_of(game))):
        return f"it uses {symmetries} symmetries, where the rules have {len(symmetries_of(game))}"
    if endless not in ENDLESS.values():
        return f"endless play is worth {endless} in it, which should be 1, 0 or -1"
    if texts != (not isinstance(game, PackedGame)):
        return "its states are texts where those of the rules are integers, or the other way round"
    if not len(records.states) or (records.states[1:] <= records.states[:-1]).any():
        return "its states are not in ascending order, or there are none"
    try:
        starts = np.array([moves.key(state) for state in head.starts], np.int64)
        states = records.states
        if texts:
            states = np.array([moves.key(text) for text in states.tolist()], np.int64)
    except (SolverError, OverflowError) as error:
        return f"it has what is no state: {message_of(error) if isinstance(error, SolverError) else error}"
    keys = np.concatenate([states, *(moves.images(states) if symmetries else ())])
    labels = np.stack([records.values, records.remoteness])
    return _Check(moves, endless, keys, np.tile(labels, 1 + symmetries)).flaw(starts, progress)


class _Check:
    """Labelled states held against the rules."""

    def __init__(self, moves: GameMoves, endless: int, keys: Keys, labels: Keys) -> None:
        order = np.argsort(keys, kind="stable")
        self._moves, self._endless, self._keys, self._labels = moves, endless, keys[order], labels[:, order]

    def flaw(self, starts: Keys, progress: Progress) -> str | None:
        """The first state whose label does not follow, if any."""
        for begin in range(0, len(self._keys), STATES_AT_ONCE):
            some = slice(begin, begin + STATES_AT_ONCE)
            fails = np.flatnonzero(~self._follow(self._keys[some], self._labels[:, some]))
            if len(fails):
                state = self._moves.written(int(self._keys[some][fails[0]]))
                return f"its label does not follow for the state {state!r}"
            progress("checking states", min(begin + STATES_AT_ONCE, len(self._keys)), len(self._keys))
        for missing in starts[~self._found(starts)[0]][:1].tolist():
            return f"it has not the start {self._moves.written(missing)!r}"
        return None

    def _found(self, keys: Keys) -> tuple[Flags, Keys]:
        """Which of the states are listed, and the labels of those."""
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return self._keys[places] == keys, self._labels[:, places]

    def _follow(self, keys: Keys, labels: Keys) -> Flags:
        """Whether the label of each state follows from those after its moves, or from the end of play."""
        over = self._moves.over(keys)
        follow = np.zeros(len(keys), np.bool_)
        ends = np.stack([self._moves.utilities(keys[over]), np.zeros(np.count_nonzero(over), np.int64)])
        follow[over] = (labels[:, over] == ends).all(axis=0)
        rest = np.flatnonzero(~over)
        places, children = self._moves.children(keys[rest])
        begins = np.flatnonzero(np.diff(places, prepend=-1))
        parents = rest[places[begins]]
        of_move = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(places)))
        found, (values, plies) = self._found(children)
        signs = 1 - 2 * self._moves.movers(keys[parents])
        gains = signs[of_move] * values
        best = np.maximum.reduceat(gains, begins)
        keeps = gains == best[of_move]
        plies[plies < 0] = NEVER
        least = np.minimum.reduceat(np.where(keeps, plies, NEVER), begins)
        most = np.maximum.reduceat(np.where(keeps, plies, 0), begins)
        value, endless = signs * best, self._endless
        hurry = signs * np.where(value == endless, endless, value - endless)
        before = np.where(hurry > 0, least, np.where(hurry < 0, most, NEVER))
        remoteness = np.where(before == NEVER, -1, before + 1)
        follow[parents] = (
            np.logical_and.reduceat(found, begins)
            & (labels[:, parents] == [value, remoteness]).all(axis=0)
            & ((remoteness >= 0) | (value == endless))
        )
        return follow
