"""Asks rules for the initial states, and for the successors of states, one by one."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from solver.engines.memory import MemoryWatch
from solver.errors import BrokenRules, shown
from solver.game import AnyGame
from solver.rules.asking import actions_of, mover_of, utility_of
from solver.rules.failures import raise_broken_rules, rules_asked
from solver.system.progress import Progress

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
        moves = tuple([(action, game.result(state, action)) for action in actions])
        hash(moves)
        _refuse_none(moves, state)
        if fold:
            moves = tuple([(action, canonical_of(game, child)) for action, child in moves])
        return Successors(mover, moves, None if moves else utility_of(game, state))
    except (Exception, SystemExit) as error:
        raise_broken_rules(game, error, "", state)


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
