"""Proves from the rules alone that each state of a file stands for its class with exchanged players, too.

The first player is to move in all stored states. Call a state x and a stored state r related if x is r, the
image of r under a symmetry, or the state in which the players of one of these have changed places. Besides
what `solver.proof.packed.symmetry` checks of every stored state r and of each x, which is r or its image, it
is checked, with y for x with exchanged players, that

1. y with exchanged players is x, the second player is to move in y, both are terminal or not, and the
   utility of y is the negated one of x;
2. every image of y is one of these y;
3. the moves of y lead to states related to the same stored states as the moves of r;
4. the moves of r lead to states in which the second player is to move.

So play in y is play in r with exchanged players, move by move, and y has the negated value and the remoteness
of r: the relation is a bisimulation as it is there. By 4 a child of a stored state has the negated label of
the stored state that it is related to.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solver.game import FIRST, SECOND
from solver.proof.packed.rules import CheckedRules, Places
from solver.proof.packed.symmetry import among
from solver.rules.arrays import Flags, Keys


class ActionMoves(NamedTuple):
    """What one action leads to from some states."""

    parents: Places
    """The index of each state, ascending."""
    reached: Keys
    """The stored state to which the action leads from it."""

    @property
    def content(self) -> tuple[bytes, bytes]:
        """Both arrays as bytes, the same only for the same moves."""
        return self.parents.tobytes(), self.reached.tobytes()


def problems_of_exchange(
    rules: CheckedRules, keys: Keys, images: Sequence[Keys], ply: int, *, is_terminal: bool
) -> Iterator[str]:
    """States that do not stand for those with exchanged players, given their images.

    By the rules all of them are terminal, or none is, as `is_terminal` says.
    """
    second = rules.movers(keys) != FIRST
    yield from rules.each_wrong(keys, ply, second, "the second player is to move, as in no state of the file")
    others = [rules.exchange(each) for each in (keys, *images)]
    for state, other in zip((keys, *images), others, strict=True):
        differs = (rules.exchange(other) != state) | (rules.movers(other) != SECOND)
        differs |= rules.is_terminal(other) != is_terminal
        if is_terminal:
            differs |= rules.utilities(other) != -rules.utilities(state)
        for image in rules.images(other):
            differs |= ~among(image, others)
        yield from rules.each_wrong(keys, ply, differs, "it is not the same with exchanged players")


def problems_of_exchanged_play(
    rules: CheckedRules, keys: Keys, images: Sequence[Keys], ply: int, moves: Sequence[ActionMoves]
) -> Iterator[str]:
    """States whose moves do not commute with an exchange of the players, given their moves.

    Where the rules take actions one to one to others, each of the `moves` is one of the others, which takes
    no sorting to see.
    """
    contents = {each.content for each in moves}
    for state in (keys, *images):
        others, stray = [], np.zeros(len(keys), np.bool_)
        for play in rules.plays(rules.exchange(state)):
            strays = ~among(play.results, [play.representatives, *rules.images(play.representatives)])
            stray[play.parents[strays]] = True
            if len(play.parents):
                others.append(ActionMoves(play.parents, play.representatives))
        if contents != {each.content for each in others}:
            stray |= _unlike(len(keys), moves, others)
        yield from rules.each_wrong(keys, ply, stray, "its moves are others with exchanged players")


def problems_of_turns(
    rules: CheckedRules, keys: Keys, ply: int, parents: Places, results: Keys
) -> Iterator[str]:
    """States with a move, given by the index of the state and the child, that keeps the turn."""
    again = np.zeros(len(keys), np.bool_)
    again[parents[rules.movers(results) != SECOND]] = True
    yield from rules.each_wrong(keys, ply, again, "the first player is to move again after a move")


def _unlike(states: int, moves: Sequence[ActionMoves], others: Sequence[ActionMoves]) -> Flags:
    """For each state whether two sets of moves differ in what they reach."""
    different = [np.unique(np.concatenate(each, axis=1), axis=1) for each in (moves, others) if each]
    pairs, times = np.unique(np.concatenate(different, axis=1), axis=1, return_counts=True)
    unlike = np.zeros(states, np.bool_)
    unlike[pairs[0, times == 1]] = True
    return unlike
