"""The check of certificates and of strong solutions by the rules alone.

docs/certificates.md has the conditions on each state and the proof that they suffice. If symmetries are used,
the images of the listed states belong to the set and are checked like any other state, so nothing is assumed
about symmetries.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.analysis.certificates.certificate import Certificate, Head
from solver.analysis.certificates.moves import GameMoves, moves_of
from solver.analysis.certificates.strong import Records
from solver.errors import SolverError, message_of
from solver.game import ENDLESS, AnyGame, sign_for
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys
from solver.rules.asking import symmetries_of
from solver.rules.failures import rules_asked
from solver.system.progress import Progress, no_progress

STATES_AT_ONCE = 1 << 14

ASKED_PER_STATE = 8
"""A rough number of states to ask the rules about, after moves and replies, per state of a certificate."""

NEVER = np.iinfo(np.int64).max
"""A rank or a remoteness greater than any other."""


def flaw_of(certificate: Certificate, game: AnyGame, *, progress: Progress = no_progress) -> str | None:
    """The reason why a certificate is no proof; None if it proves its claim. Raises `BrokenRules`."""
    if certificate.needs_ranks and certificate.ranks is None:
        return "its goal is better than endless play, and it has no ranks"
    head, states = certificate.head, certificate.states
    if flaw := _flaw_of_head(head, np.array(states, object), game):
        return flaw
    moves = moves_of(game, ASKED_PER_STATE * len(states) * (certificate.symmetries + 1))
    try:
        keys, start = moves.keys(states), moves.keys(head.starts)
        ranks = np.array((certificate.needs_ranks and certificate.ranks) or [0] * len(states), np.int64)
    except (SolverError, OverflowError) as error:
        return f"it has no state or rank: {message_of(error)}"
    with rules_asked(game):
        return _OfCertificate(certificate, moves, keys, ranks).flaw(start, progress)


def flaw_of_strong(
    head: Head, records: Records, game: AnyGame, *, progress: Progress = no_progress
) -> str | None:
    """The reason why a strong solution is wrong; None if it follows from the rules. Raises `BrokenRules`."""
    if not len(records.states):
        return "it has no states"
    if flaw := _flaw_of_head(head, records.states, game):
        return flaw
    moves = moves_of(game, len(records.states) * (1 + head.numbers["symmetries"]))
    try:
        keys, starts = moves.keys(records.states), moves.keys(head.starts)
    except (SolverError, OverflowError) as error:
        return f"it has an entry that is not a state: {message_of(error)}"
    with rules_asked(game):
        return _OfStrong(head, moves, keys, np.stack(records[1:])).flaw(starts, progress)


def _flaw_of_head(head: Head, listed: NDArray[Any], game: AnyGame) -> str | None:
    """The flaw in the head of a file or in the order of its listed states; None if there is none."""
    symmetries, maps = head.numbers["symmetries"], len(symmetries_of(game))
    if head.numbers["endless"] not in ENDLESS.values():
        return f"endless play is worth {head.numbers['endless']} in it, which should be 1, 0 or -1"
    if symmetries not in (0, maps):
        return f"it uses {symmetries} symmetries, where the rules have {maps}"
    if head.numbers["texts"] != (not isinstance(game, PackedGame)):
        return "its states are texts where those of the rules are integers, or the other way round"
    return None if (listed[1:] > listed[:-1]).all() else "its states are not in ascending order"


def _with_images(moves: GameMoves, keys: Keys, labels: Keys, symmetries: int) -> tuple[Keys, Keys]:
    """The states and, if symmetries are used, their images, each with the labels of the state."""
    images = [keys, *(moves.images(keys) if symmetries else ())]
    return np.concatenate(images), np.tile(labels, len(images))


def _flaw(
    moves: GameMoves,
    keys: Keys,
    labels: Keys,
    follow: Callable[[Keys, Keys], Flags],
    subject: str,
    progress: Progress,
) -> str | None:
    """The flaw at the first state that, with its labels, does not `follow` from the rules."""
    for begin in range(0, len(keys), STATES_AT_ONCE):
        part = slice(begin, begin + STATES_AT_ONCE)
        if len(wrong := keys[part][~follow(keys[part], labels[..., part])]):
            return f"{subject} does not follow for the state {moves.written(int(wrong[0]))!r}"
        progress("checking states", min(begin + STATES_AT_ONCE, len(keys)), len(keys))
    return None


def _places(keys: Keys, asked: Keys) -> Keys:
    """The index of each of `asked` in `keys`, which ascend and are not empty; any index for a missing key."""
    return np.minimum(np.searchsorted(keys, asked), len(keys) - 1)


class _OfCertificate:
    """The check of the states of a certificate, with images and ranks, by the rules."""

    def __init__(self, certificate: Certificate, moves: GameMoves, keys: Keys, ranks: Keys) -> None:
        keys, ranks = _with_images(moves, keys, ranks, certificate.symmetries)
        order = np.lexsort((ranks, keys))
        self._keys, first = np.unique(keys[order], return_index=True)
        self._ranks = ranks[order][first]
        self._certificate, self._moves, self._owner = certificate, moves, certificate.owner

    def flaw(self, start: Keys, progress: Progress) -> str | None:
        """The reason why the set proves nothing about the start; None if there is none."""
        above_all: Any = np.array([np.inf])
        if not (self._good(start, above_all) | self._answered(start, above_all))[0]:
            return f"it does not begin at the start {self._certificate.start!r}"
        return _flaw(self._moves, self._keys, self._ranks, self._right, "it", progress)

    def _ends_well(self, ends: Keys) -> Flags:
        """Whether the owner achieves the goal in each of these terminal states."""
        gains = self._moves.utilities(ends) * sign_for(self._owner)
        is_enough: Flags = gains >= self._certificate.goal
        return is_enough

    def _good(self, keys: Keys, ranks: Keys) -> Flags:
        """Whether each state is terminal and meets the goal, or is in the set with a rank below `ranks`."""
        good = np.zeros(len(keys), np.bool_)
        if len(self._keys):
            places = _places(self._keys, keys)
            is_lower = (self._ranks[places] < ranks) | (not self._certificate.needs_ranks)
            good = (self._keys[places] == keys) & is_lower
        rest = np.flatnonzero(~good)
        ends = rest[self._moves.is_terminal(keys[rest])]
        good[ends] = self._ends_well(keys[ends])
        return good

    def _children(self, keys: Keys, undecided: Flags) -> Iterator[tuple[Keys, Keys]]:
        """The places of undecided states and the states after their moves, action by action.

        States whose flag in `undecided` is cleared in the meantime are skipped.
        """
        left = np.flatnonzero(undecided)
        for action in range(self._moves.actions(keys[left])):
            places, children = self._moves.children(keys[left], action)
            yield left[places], children
            left = left[undecided[left]]
            if not len(left):
                return

    def _answered(self, keys: Keys, ranks: Keys) -> Flags:
        """Whether the other player is to move in each state, and every move leads to a good state."""
        answered = ~self._moves.is_terminal(keys)
        answered[answered] = self._moves.movers(keys[answered]) != self._owner
        has_move = np.zeros(len(keys), np.bool_)
        for parents, children in self._children(keys, answered):
            has_move[parents] = True
            answered[parents[~self._good(children, ranks[parents])]] = False
        return answered & has_move

    def _right(self, keys: Keys, ranks: Keys) -> Flags:
        """Whether the claim for each state of the certificate follows from the other states."""
        right = self._answered(keys, ranks)
        over = self._moves.is_terminal(keys)
        right[over] = self._ends_well(keys[over])
        mine = ~over
        mine[mine] = self._moves.movers(keys[mine]) == self._owner
        for suffices in (self._good, self._answered):
            for parents, children in self._children(keys, mine):
                proved = parents[suffices(children, ranks[parents])]
                right[proved], mine[proved] = True, False
        return right


class _OfStrong:
    """The check of labelled states, with images, by the rules."""

    def __init__(self, head: Head, moves: GameMoves, keys: Keys, labels: Keys) -> None:
        keys, labels = _with_images(moves, keys, labels, head.numbers["symmetries"])
        order = np.argsort(keys, kind="stable")
        self._moves, self._endless = moves, head.numbers["endless"]
        self._keys, self._labels = keys[order], labels[:, order]

    def flaw(self, starts: Keys, progress: Progress) -> str | None:
        """The flaw at the first state whose label does not follow; None if there is none."""
        if flaw := _flaw(self._moves, self._keys, self._labels, self._follow, "its label", progress):
            return flaw
        for missing in starts[~self._search(starts)[0]][:1].tolist():
            return f"it does not have the start {self._moves.written(missing)!r}"
        return None

    def _search(self, keys: Keys) -> tuple[Flags, Keys]:
        """Which states are listed, and their labels, which are meaningless for the others."""
        places = _places(self._keys, keys)
        return self._keys[places] == keys, self._labels[:, places]

    def _follow(self, keys: Keys, labels: Keys) -> Flags:
        """Whether the label of each state follows from the states after its moves, or from its utility."""
        over = self._moves.is_terminal(keys)
        follow = np.zeros(len(keys), np.bool_)
        ends = np.stack([self._moves.utilities(keys[over]), np.zeros(np.count_nonzero(over), np.int64)])
        follow[over] = (labels[:, over] == ends).all(axis=0)
        rest = np.flatnonzero(~over)
        places, children = self._moves.all_children(keys[rest])
        begins = np.flatnonzero(np.diff(places, prepend=-1))
        parents = rest[places[begins]]
        of_move = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(places)))
        is_known, (values, plies) = self._search(children)
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
            np.logical_and.reduceat(is_known, begins)
            & (labels[:, parents] == [value, remoteness]).all(axis=0)
            & ((remoteness >= 0) | (value == endless))
        )
        return follow
