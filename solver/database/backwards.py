"""Moves as arrays of indices: where play can, or has to, lead, by a search backwards from there."""

import numpy as np

from solver.rules.arrays import Flags, Keys, distinct


def leading_to(parents: Keys, children: Keys, goal: Flags, *, all_play: bool = False) -> Flags:
    """Whether some play, or `all_play`, from each position reaches a goal, by moves from `parents`.

    Each move is followed back once. Positions without moves lead to a goal by all play.
    """
    before, numbers = parents[np.argsort(children, kind="stable")], np.bincount(children, minlength=len(goal))
    ends, left = np.cumsum(numbers), np.bincount(parents, minlength=len(goal))
    leading = goal | (left == 0) if all_play else goal.copy()
    level = np.flatnonzero(leading)
    while level.size:
        reached = before[ranges(ends[level] - numbers[level], numbers[level])]
        if all_play:
            np.subtract.at(left, reached, 1)
            reached = reached[left[reached] == 0]
        level = distinct(reached[~leading[reached]])
        leading[level] = True
    return leading


def ranges(begins: Keys, numbers: Keys) -> Keys:
    """The concatenation of ranges, given their `begins` and lengths `numbers`."""
    ends = np.cumsum(numbers)
    return np.repeat(begins - ends + numbers, numbers) + np.arange(numbers.sum())
