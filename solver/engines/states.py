"""Asks rules for states: for the initial states, and for the successors of states, one by one."""

from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from operator import index
from typing import Any, NamedTuple

import numpy as np

from solver.engines.memory import MemoryWatch, size
from solver.engines.options import SolveOptions
from solver.errors import BrokenRules, TooLarge, shown
from solver.game import AnyGame, Game
from solver.packed import STATE_BITS, PackedGame
from solver.rules.arrays import Keys
from solver.rules.asking import actions_of, bound_of, is_over, mover_of, utility_of
from solver.rules.failures import raise_broken_rules, rules_asked
from solver.rules.notation import refuse_unreadable
from solver.system import resources
from solver.system.progress import Progress
from solver.system.words import in_digits

STATES_PER_REPORT = 4096
"""States between two reports of progress, and between two checks of the memory."""

SECONDS_PER_CHECK = 0.1
"""Seconds after which the memory is checked, however few states were found meanwhile."""


class Successors(NamedTuple):
    """A state's player to move, its moves, and its utility if it is terminal."""

    to_move: int
    """0 or 1."""
    moves: tuple[tuple[Any, Any], ...]
    """Pairs of an action and the state that it leads to, in action order."""
    utility: int | None
    """None unless the state is terminal."""


def successors(game: AnyGame, state: Any, *, fold: bool) -> Successors:
    """The successors of a state; with `fold`, their canonical forms. Raises `BrokenRules`."""
    try:
        mover, actions = mover_of(game, state), actions_of(game, state)
        _refuse_contradiction(game, state, actions)
        moves = tuple([(action, game.result(state, action)) for action in actions])
        hash(moves)
        _refuse_none(moves, state)
        if fold:
            moves = tuple([(action, canonical_of(game, child)) for action, child in moves])
        return Successors(mover, moves, None if moves else utility_of(game, state))
    except (Exception, SystemExit) as error:
        raise_broken_rules(game, error, "", state)


def _refuse_contradiction(game: AnyGame, state: Any, actions: Sized) -> None:
    if type(game).is_terminal is Game.is_terminal or is_over(game, state) != bool(actions):
        return
    if actions:
        raise BrokenRules(
            f"the rules give actions in the state {shown(state)}, which is terminal: there should be none"
        )
    raise BrokenRules(f"the rules give no action in the state {shown(state)}, which is not terminal")


def _refuse_none(moves: Iterable[tuple[Any, Any]], state: Any) -> None:
    for _, child in moves:
        if child is None:
            raise BrokenRules(
                f"an action leads to None, which cannot be a state, in the state {shown(state)}"
            )


def canonical_of(game: AnyGame, state: Any) -> Any:
    """The canonical form of a state; raises `BrokenRules` if the rules give none."""
    try:
        representative = game.canonical(state)
        hash(representative)
    except (Exception, SystemExit) as error:
        raise_broken_rules(game, error, "canonical", state)
    if representative is None:
        raise BrokenRules(f"canonical is None, which cannot be a state, in the state {shown(state)}")
    return representative


def starts_of(game: AnyGame, watch: MemoryWatch, progress: Progress) -> Iterator[Any]:
    """Yield the initial states in order, each once; raises `TooLarge` and, for none, `BrokenRules`."""
    starts: set[Any] = set()
    with rules_asked(game, "initial_states"):
        for state in game.initial_states():
            if state is None:
                raise BrokenRules(f"the rules of {type(game).__name__} give None for the initial state")
            if state in starts:
                continue
            starts.add(state)
            yield state
            if len(starts) % STATES_PER_REPORT == 0:
                progress("finding initial states", len(starts), None)
                watch.check(len(starts), state)
    if not starts:
        raise BrokenRules(f"the rules of {type(game).__name__} give no initial state")


BYTES_PER_START = 16
"""The least bytes of memory for each class of initial states: its key, and a copy to be sorted."""

STARTS_AT_ONCE = 1 << 18
"""Initial states of packed rules that are read at a time, before duplicates or classes are merged."""


@dataclass(frozen=True)
class PackedStarts:
    """The start of the options, or the initial states of packed rules, in their order.

    They are computed at each use, within the memory that the options allow.
    """

    game: PackedGame
    options: SolveOptions
    disk: int = 0
    """Bytes of disk that they may take in a folded solve, which need not hold them in memory."""

    def __post_init__(self) -> None:
        """Raise what `parts` and `refuse_unreadable` raise for the first starts, `TooLarge` before that."""
        refuse_unreadable(self.game, int(self.firsts[0]))

    @cached_property
    def firsts(self) -> Keys:
        """The first starts: int64, (states,)."""
        return next(self.parts())

    def parts(self) -> Iterator[Keys]:
        """Yield the starts, some at a time; raises `BrokenRules` if there are none, or one is not packed."""
        if (own := self.options.own_start(self.game)) is not None:
            yield np.array(own, np.int64)
            return
        states, starts, is_first = None, np.zeros(1, np.int64), True
        while len(starts):
            with rules_asked(self.game, "initial_states"), resources.bounded(self.options.memory):
                states = states or self._states()
                try:
                    starts = np.fromiter(map(index, islice(states, STARTS_AT_ONCE)), np.int64)
                except OverflowError:  # one has more bits
                    starts = np.array([-1])
            if starts.min(initial=0) < 0 or is_first > len(starts):  # none at all
                raise BrokenRules(
                    f"the rules of {type(self.game).__name__} should give initial states from 0 to below "
                    f"2**{STATE_BITS}"
                )
            is_first = False
            yield starts

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(part.tolist() for part in self.parts())

    def _states(self) -> Iterator[int]:
        """The initial states; raises `TooLarge` if rules that do not list them may give too many."""
        states = self.game.initial_states()
        if isinstance(states, Sized):
            return iter(states)
        fold, bound = self.options.fold, bound_of(self.game) or 0
        room = resources.room(self.options.memory) + self.disk * fold
        if (needed := bound * BYTES_PER_START // self.options.folding(self.game).size) > room:
            raise TooLarge(
                f"this game may begin in as many as {in_digits(bound)} states, which take {size(needed)} of "
                f"memory {'or disk ' * fold}before the first move, and there are {size(room)}: give it more, "
                "choose smaller parameters or --start from one position (rules that begin in few states "
                "return them as a list)"
            )
        return iter(states)
