"""The textbook's vacuum worlds: two squares, which may be dirty, and an unreliable cleaner.

The eight states have the numbers of the textbook's figures: L and R are squares, * is dirt, V is the cleaner.

    1  [V*][ *]   3  [V*][  ]   5  [V ][ *]   7  [V ][  ]
    2  [ *][V*]   4  [ *][V ]   6  [  ][V*]   8  [  ][V ]

Source: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, 4th edition, section 4.3.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.search.and_or.problem import Problem

_RIGHT = {1: 2, 3: 4, 5: 6, 7: 8}
_LEFT = {after: before for before, after in _RIGHT.items()}
_SUCK = {1: (5, 7), 2: (4, 8), 3: (7,), 4: (2, 4), 5: (1, 5), 6: (8,), 7: (3, 7), 8: (6, 8)}
_RELIABLE_SUCK = {1: 5, 2: 4, 3: 7, 4: 4, 5: 5, 6: 8, 7: 7, 8: 8}


@dataclass(frozen=True)
class ErraticVacuum(Problem):
    """Sucking a dirty square may clean the other one too; sucking a clean one may make it dirty."""

    initial: int = 1

    def actions(self, state: int) -> Sequence[str]:
        """Suck, then the moves."""
        return ("Suck", "Right", "Left")

    def results(self, state: int, action: str) -> Sequence[int]:
        """The states after `action`."""
        if action == "Suck":
            return _SUCK[state]
        return ((_RIGHT if action == "Right" else _LEFT).get(state, state),)

    def is_goal(self, state: int) -> bool:
        """Whether both squares are clean."""
        return state in (7, 8)


@dataclass(frozen=True)
class SlipperyVacuum(ErraticVacuum):
    """Sucking works, but a move may leave the cleaner in place: only a cyclic plan solves it."""

    def results(self, state: int, action: str) -> Sequence[int]:
        """The states after `action`."""
        if action == "Suck":
            return (_RELIABLE_SUCK[state],)
        moved = (_RIGHT if action == "Right" else _LEFT).get(state, state)
        return (state, moved) if moved != state else (state,)
