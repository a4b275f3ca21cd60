"""Backward search in a game whose moves are arrays of indices: where play can, or has to, lead."""

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
        first, counts = ends[level] - numbers[level], numbers[level]
        skipped = np.cumsum(counts) - counts
        reached = before[np.repeat(first - skipped, counts) + np.arange(counts.sum())]
        if all_play:
            np.subtract.at(left, reached, 1)
            reached = reached[left[reached] == 0]
        level = distinct(reached[~leading[reached]])
        leading[level] = True
    return leading
