"""Moves as arrays of indices: where play can, or has to, lead, by a search backwards from there."""

import numpy as np

from solver.rules.arrays import Flags, Keys, distinct


def leading_to(parents: Keys, children: Keys, goal: Flags, *, all_play: bool = False) -> Flags:
    """Whether some play, or `all_play`, from each position reaches a goal; see `plies_to`."""
    leading: Flags = plies_to(parents, children, goal, all_play=all_play) >= 0
    return leading


def plies_to(parents: Keys, children: Keys, goal: Flags, *, all_play: bool = False) -> Keys:
    """The plies of the shortest play from each position to a goal, or of the longest with `all_play`.

    -1 where no play, or not all play, reaches a goal. Moves lead from `parents` to `children`, and each is
    followed back once. Positions without moves are goals of all play.
    """
    before, numbers = parents[np.argsort(children, kind="stable")], np.bincount(children, minlength=len(goal))
    ends, left = np.cumsum(numbers), np.bincount(parents, minlength=len(goal))
    plies = np.where(goal | (left == 0) if all_play else goal, 0, -1)
    level, reached_in = np.flatnonzero(plies == 0), 0
    while level.size:
        reached_in += 1
        reached = before[ranges(ends[level] - numbers[level], numbers[level])]
        if all_play:
            np.subtract.at(left, reached, 1)
            reached = reached[left[reached] == 0]
        level = distinct(reached[plies[reached] < 0])
        plies[level] = reached_in
    return plies


def ranges(begins: Keys, numbers: Keys) -> Keys:
    """The concatenation of ranges, given their `begins` and lengths `numbers`."""
    ends = np.cumsum(numbers)
    return np.repeat(begins - ends + numbers, numbers) + np.arange(numbers.sum())
