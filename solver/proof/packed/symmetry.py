"""Proves from the rules alone that states of a folded file stand for all the states of their classes.

Call a state x and a stored state r related when x is r or the image of r under a symmetry that the rules
claim. For every stored state r and each of its images x is asked:

1. in x the same player is to move, and play is over, and worth as much, as in r;
2. every image of x is related to r, and r is the canonical state of each;
3. the symmetry that takes r to x takes the moves of r, one to one, to those of x, and what they lead to;
4. every child of r is related to the canonical state of its class, which `states` finds in the next ply.

Then the moves of x lead to states related to the same stored states as the moves of r: a child of x is by 3
the image of a child of r, which is by 4 an image of a stored state, all of whose images' images are by 2
related to it. So being related is a bisimulation: x and r have the same value and remoteness. The starts are
related to the states of ply 0, and so, ply by ply, is every state that play can reach. And by 2 no state is
related to two stored ones.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from solver.proof.packed.rules import CheckedRules, Play
from solver.rules.arrays import Flags, Keys


def problems_of_classes(
    asked: CheckedRules, keys: Keys, images: Sequence[Keys], ply: int, *, over: bool
) -> Iterator[str]:
    """Where states of a ply, `over` or not as the rules say, do not stand for their classes.

    `images` is what each symmetry takes them to.
    """
    yield from asked.each_wrong(keys, ply, asked.canonical(keys, images) != keys, "it is not canonical")
    for image in images:
        differs = (asked.movers(image) != asked.movers(keys)) | (asked.over(image) != over)
        if over:
            differs |= asked.utilities(image) != asked.utilities(keys)
        yield from asked.each_wrong(keys, ply, differs, "the rules tell it from what is symmetric to it")
        others = list(asked.images(image))
        strays = asked.canonical(image, others) != keys
        for other in others:
            strays |= ~_among(other, [keys, *images])
        yield from asked.each_wrong(keys, ply, strays, "not all that is symmetric to it is so to each other")


def problems_of_play(
    asked: CheckedRules, keys: Keys, images: Sequence[Keys], ply: int, play: Play
) -> Iterator[str]:
    """Where an action does not commute with the symmetries, or leads to no member of a class.

    `images` is what each symmetry takes the states to from which it is played.
    """
    legal = np.zeros(len(keys), np.bool_)
    legal[play.parents] = True
    for symmetry, image, expected in zip(asked.symmetries, images, play.images, strict=True):
        moved = symmetry.action(play.action)
        differs = legal != asked.legal(image, moved)
        same = ~differs[play.parents]
        playing = play.parents[same]
        differs[playing] |= asked.results(image[playing], moved) != expected[same]
        yield from asked.each_wrong(keys, ply, differs, f"the move {play.action} is another in its image")
    other = np.flatnonzero(play.stored != play.results)
    strays = ~_among(play.results[other], list(asked.images(play.stored[other])))
    wrong = f"the move {play.action} leads out of all classes"
    yield from asked.each_wrong(keys[play.parents[other]], ply, strays, wrong)


def problems_of_actions(asked: CheckedRules) -> Iterator[str]:
    """Symmetries that take two actions to the same one, or one to none."""
    actions = list(range(asked.game.action_count))
    for number, symmetry in enumerate(asked.symmetries, start=1):
        moved = [symmetry.action(action) for action in actions]
        if sorted(moved) != actions:
            yield f"symmetry {number} of the rules takes the actions to {moved}, not one to one to each other"


def _among(keys: Keys, others: Sequence[Keys]) -> Flags:
    """Where a state is one of the others at the same place."""
    found = np.zeros(len(keys), np.bool_)
    for other in others:
        found |= keys == other
    return found
