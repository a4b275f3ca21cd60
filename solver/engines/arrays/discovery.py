"""Breadth-first search for the reachable states, which get numbers in order of discovery.

    level      states of one depth, in order of their numbers
    chunk      some of them, as many as the rules answer for in a fraction of a second
    expansion  their moves, which may come from another process

Chunks are added in order, so the numbers do not depend on who was asked, nor on the size of chunks.
"""

from array import array
from collections.abc import Hashable, Iterable
from itertools import count
from typing import Any

import numpy as np

from solver.engines.arrays.asking import Expansion
from solver.engines.arrays.crew import Crew
from solver.engines.arrays.numbered import Growing, NumberedGame, Numbers
from solver.engines.memory import MemoryWatch
from solver.engines.successors import canonical_of, starts_of
from solver.game import AnyGame
from solver.rules.failures import rules_asked
from solver.system.progress import Progress, no_progress

BYTES_AHEAD_PER_STATE = 10
"""Bytes of labels for each state beyond those of the index of states, which is given back before."""

BYTES_AHEAD_PER_MOVE = 5
"""Bytes for each move when predecessors are found."""

MAX_SHORT = 2**16
"""Actions that two bytes can tell apart."""


def discover(
    game: AnyGame,
    starts: Iterable[Hashable] | None,
    crew: Crew,
    watch: MemoryWatch,
    at_most: int | None = None,
    *,
    fold: bool = False,
    progress: Progress = no_progress,
) -> NumberedGame | None:
    """Return the numbered states that play from `starts` (default: the initial states) can reach.

    Returns None as soon as there are more than `at_most`. With `fold` they are the canonical states of the
    symmetry classes. Raises `TooLarge` as soon as it is clear that they do not fit into memory, and
    `BrokenRules` if the rules raise or return what cannot be a state or an action.
    """
    with rules_asked(game):
        firsts = starts_of(game, watch, progress) if starts is None else list(starts)
        known = dict.fromkeys(canonical_of(game, state) if fold else state for state in firsts)
    found = NumberedGame(game, firsts[0], fold, list(known))
    index = {state: number for number, state in enumerate(known)}
    actions: dict[Any, int] = {}
    while found.levels[-1] < len(found):
        level = range(found.levels[-1], len(found))
        done = level.start
        for expansion in crew.each("expansion", found.states, level):
            _add(found, expansion, index, actions)
            done += len(expansion.counts)
            progress("finding states", done, None)
            if at_most is not None and len(found) > at_most:
                return None
            watch.check(len(found), ahead=_bytes_ahead(found) + crew.used())
        found.levels.append(level.stop)
    return found


def _add(found: NumberedGame, expansion: Expansion, index: dict[Any, int], actions: dict[Any, int]) -> None:
    """Add the moves of the next states, and number the states and actions that are new."""
    found.grown_movers.extend(expansion.movers)
    found.grown_counts.extend(expansion.counts)
    found.utilities.extend(expansion.utilities)
    children = _numbered(expansion.children, index, found.states)
    found.grown_children.frombytes(_renumbered(expansion.reached, children).tobytes())
    played = _numbered(expansion.actions, actions, found.actions)
    if len(actions) > MAX_SHORT and found.grown_played.typecode == "H":
        found.grown_played = array("I", found.grown_played)
    code = np.dtype(f"u{found.grown_played.itemsize}")
    found.grown_played.frombytes(_renumbered(expansion.played, played).astype(code).tobytes())


def _numbered(items: list[Any], index: dict[Any, int], listed: list[Any]) -> Growing:
    """The numbers of items that differ; those that are new get the next ones and are listed."""
    numbers: list[Any] = list(map(index.get, items))
    if new := [item for item, number in zip(items, numbers, strict=True) if number is None]:
        fresh = count(len(listed))
        numbers = [next(fresh) if number is None else number for number in numbers]
        index.update(zip(new, count(len(listed))))
        listed.extend(new)
    return array("I", numbers)


def _renumbered(places: Growing, numbers: Growing) -> Numbers:
    """The numbers at these places."""
    return np.frombuffer(numbers, np.uint32)[np.frombuffer(places, np.uint32)]


def _bytes_ahead(found: NumberedGame) -> int:
    """The bytes that labels and predecessors will take beyond what is held now."""
    return BYTES_AHEAD_PER_STATE * len(found) + BYTES_AHEAD_PER_MOVE * len(found.grown_children)
