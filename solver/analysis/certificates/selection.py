"""The moves of the owner of a certificate, chosen so that few states are needed.

Play is followed from the start, wave by wave. In a state of a wave in which the owner is to move, an option
is a move that keeps the goal; it needs the open states after all replies. A move is the better, the fewer
states it adds to those that the wave needs anyway, and the more states of the wave can share it:

    additional states / states that have the option        the least first, until no state changes its mind

That is a greedy set cover (V. Chvatal, "A greedy heuristic for the set-covering problem", Mathematics of
Operations Research 4, 1979). A second way looks at what is shared alone; the smaller certificate is taken.

Where the rules have symmetries, all is done with one state of each class as well, and again the smaller
certificate is taken.

Where play has to end and can return, a move has to lead to a better value, or nearer to the end.
"""

from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from solver.analysis.certificates.certificate import Certificate
from solver.analysis.certificates.moves import has_images, labels_of, moves_of
from solver.analysis.certificates.work import made_once
from solver.database import Database
from solver.game import ENDLESS, sign_for
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys
from solver.rules.asking import symmetries_of
from solver.rules.loading import game_parameters
from solver.rules.named import as_named
from solver.rules.notation import write_position
from solver.system.progress import Progress, no_progress

MAX_ROUNDS = 6
"""How often each state of a wave may change its mind."""

Needs: TypeAlias = tuple[int, ...]
"""The keys of states that a certificate has to have."""


class Option(NamedTuple):
    """A move of the owner that keeps the goal."""

    child: int
    """The key of the state after it."""
    needs: Needs
    value: int
    """For the owner."""
    remoteness: int


Preference: TypeAlias = Callable[[Option, int, int], tuple[float, ...]]
"""What is least for the best option, given how many states it adds, and how many have it."""


def _by_additions(option: Option, added: int, shared: int) -> tuple[float, ...]:
    return (added / shared, -shared, -option.value, option.remoteness, option.child)


def _by_sharing(option: Option, added: int, shared: int) -> tuple[float, ...]:
    return (bool(option.needs), bool(added), -shared, -option.value, option.remoteness, option.child)


PREFERENCES: tuple[Preference, ...] = (_by_additions, _by_sharing)


def certify(
    db: Database,
    position: str | None = None,
    *,
    symmetric: bool = True,
    work: Path | None = None,
    progress: Progress = no_progress,
) -> tuple[Certificate, Certificate]:
    """The certificates of the value of a position: what the first player gets at least, and what the second.

    `position` is the start by default. They use the symmetries of the rules only if `symmetric`. What is
    chosen is kept in the folder `work`, and found there. Raises as a lookup.
    """
    state = db.asked_state(db.start if position is None else position)
    value = db.entry_of(state).value
    maps = symmetries_of(db.game) if symmetric and has_images(db, state) else ()
    first, second = (
        min(
            (
                _Selection(db, owner, sign_for(owner) * value, symmetries, progress).made(state, way, work)
                for way in range(len(PREFERENCES))
                for symmetries in {0, len(maps)}
            ),
            key=lambda made: len(made.as_bytes()),
        )
        for owner in (0, 1)
    )
    return first, second


class _Selection:
    """The choice of the moves of one player."""

    def __init__(self, db: Database, owner: int, goal: int, symmetries: int, progress: Progress) -> None:
        self._db, self._owner, self._goal, self._progress = db, owner, goal, progress
        self._symmetries = symmetries
        self._sign = sign_for(owner)
        self._moves = moves_of(db.game, folded=symmetries > 0)

    def made(self, state: Any, way: int, work: Path | None) -> Certificate:
        """The certificate from a state, chosen by one of the `PREFERENCES`."""
        game = self._db.game
        start = state if isinstance(game, PackedGame) else write_position(game, state)
        head = Certificate(
            as_named(game),
            game_parameters(game),
            self._owner,
            self._goal,
            ENDLESS[self._db.endless],
            start,
            states=(),
            ranks=None,
            symmetries=self._symmetries,
        )
        return made_once(work, head, way, lambda: self._filled(head, PREFERENCES[way]))

    def _filled(self, head: Certificate, prefer: Preference) -> Certificate:
        """The certificate with this head."""
        needs_ranks = head.needs_ranks
        chosen = self._chosen(self._moves.key(head.start), needs_ranks and self._db.has_loops, prefer)
        states = sorted((self._moves.written(key), key) for key in chosen)
        ranks = _ranks(chosen) if needs_ranks else {}
        return replace(
            head,
            states=[written for written, _ in states],
            ranks=[ranks[key] for _, key in states] if needs_ranks else None,
        )

    def _chosen(self, start: int, nearer: bool, prefer: Preference) -> dict[int, Needs]:
        """The states of the certificate, each with those that play meets next."""
        at_start = np.array([start])
        if self._moves.over(at_start)[0]:
            return {}
        wave = {start} if self._moves.movers(at_start)[0] == self._owner else {*self._replies(at_start)[0]}
        chosen = dict[int, Needs]()
        while wave:
            self._progress("choosing moves", len(chosen), None)
            keys = np.array(sorted(wave), np.int64)
            mine = self._moves.movers(keys) == self._owner
            options = self._options(keys[mine], nearer)
            theirs = dict(zip(keys[~mine].tolist(), self._replies(keys[~mine]), strict=True))
            needed = {need for needs in theirs.values() for need in needs} | chosen.keys() | wave
            chosen |= theirs | dict(zip(keys[mine].tolist(), _cover(options, needed, prefer), strict=True))
            wave = {need for key in keys.tolist() for need in chosen[key]} - chosen.keys()
        return chosen

    def _replies(self, keys: Keys) -> list[Needs]:
        """The open states after the moves in each state."""
        places, children = self._moves.children(keys)
        is_open = ~self._moves.over(children)
        after = [set[int]() for _ in keys]
        for place, child in zip(places[is_open].tolist(), children[is_open].tolist(), strict=True):
            after[place].add(child)
        return [tuple(sorted(needs)) for needs in after]

    def _options(self, keys: Keys, nearer: bool) -> list[list[Option]]:
        """The moves in each state of the owner's that keep the goal; `nearer` if each has to come nearer."""
        places, moved = self._moves.children(keys)
        children, inverse = np.unique(moved, return_inverse=True)
        values, remoteness = labels_of(self._db, self._moves, children)
        values *= self._sign
        keeps = (values >= self._goal)[inverse]
        if nearer:
            own, left = labels_of(self._db, self._moves, keys)
            own, better = own[places] * self._sign, values[inverse]
            keeps &= (better > own) | ((better == own) & (remoteness[inverse] < left[places]))
        is_kept = np.zeros(len(children), np.bool_)
        is_kept[inverse[keeps]] = True
        rows = zip(
            children.tolist(),
            self._needs(children, is_kept),
            values.tolist(),
            remoteness.tolist(),
            strict=True,
        )
        by_number = [Option(*row) for row in rows]
        options = [dict[int, Option]() for _ in keys]
        for place, number in zip(places[keeps].tolist(), inverse[keeps].tolist(), strict=True):
            options[place][number] = by_number[number]
        return [[*mine.values()] for mine in options]

    def _needs(self, children: Keys, asked: Flags) -> list[Needs]:
        """What each state after a move of the owner's needs, of those that are asked for."""
        needs: list[Needs] = [()] * len(children)
        is_open = np.flatnonzero(asked & ~self._moves.over(children))
        mine = self._moves.movers(children[is_open]) == self._owner
        for number in is_open[mine].tolist():
            needs[number] = (int(children[number]),)
        theirs = is_open[~mine]
        for number, after in zip(theirs.tolist(), self._replies(children[theirs]), strict=True):
            needs[number] = after
        return needs


def _cover(options: Sequence[Sequence[Option]], needed: Set[int], prefer: Preference) -> list[Needs]:
    """The needs of one option of each list, few in all beside those that are `needed` anyway."""
    shared = Counter(option.child for mine in options for option in mine)
    used, taken = Counter[int](), dict[int, Option]()

    def added(option: Option) -> int:
        return sum(not used[need] and need not in needed for need in option.needs)

    order = sorted(range(len(options)), key=lambda nth: len(options[nth]))
    for _ in range(MAX_ROUNDS):
        before = taken.copy()
        for nth in order:
            now = taken.get(nth)
            if now is not None:
                used.subtract(now.needs)
            best = min(options[nth], key=lambda option: prefer(option, added(option), shared[option.child]))
            if now is None or added(best) < added(now):
                taken[nth] = best
            used.update(taken[nth].needs)
        if taken == before:
            break
    return [taken[nth].needs for nth in range(len(options))]


def _ranks(chosen: dict[int, Needs]) -> dict[int, int]:
    """For each state one more than the greatest rank of the states after it; 0 without any."""
    ranks, waiting = dict[int, int](), [*chosen]
    while waiting:
        key = waiting[-1]
        later = [need for need in chosen[key] if need not in ranks]
        if later and key not in ranks:
            waiting += later
            continue
        waiting.pop()
        ranks.setdefault(key, 1 + max((ranks[need] for need in chosen[key]), default=-1))
    return ranks
