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
    rules: CheckedRules, keys: Keys, images: Sequence[Keys], ply: int, *, is_terminal: bool
) -> Iterator[str]:
    """Where states of a ply, `is_terminal` or not as the rules say, do not stand for their classes.

    `images` is what each symmetry takes them to.
    """
    yield from rules.each_wrong(keys, ply, rules.canonical(keys, images) != keys, "it is not canonical")
    for image in images:
        differs = (rules.movers(image) != rules.movers(keys)) | (rules.is_terminal(image) != is_terminal)
        if is_terminal:
            differs |= rules.utilities(image) != rules.utilities(keys)
        yield from rules.each_wrong(keys, ply, differs, "the rules tell it from what is symmetric to it")
        others = rules.images(image)
        strays = rules.canonical(image, others) != keys
        for other in others:
            strays |= ~_among(other, [keys, *images])
        yield from rules.each_wrong(keys, ply, strays, "not all that is symmetric to it is so to each other")


def problems_of_play(
    rules: CheckedRules, keys: Keys, images: Sequence[Keys], ply: int, play: Play
) -> Iterator[str]:
    """Where an action does not commute with the symmetries, or leads to no member of a class.

    `images` is what each symmetry takes the states to from which it is played.
    """
    legal = np.zeros(len(keys), np.bool_)
    legal[play.parents] = True
    for symmetry, image, expected in zip(rules.symmetries, images, play.images, strict=True):
        moved = symmetry.action(play.action)
        differs = legal != rules.legal(image, moved)
        same = ~differs[play.parents]
        playing = play.parents[same]
        differs[playing] |= rules.results(image[playing], moved) != expected[same]
        yield from rules.each_wrong(keys, ply, differs, f"the move {play.action} is another in its image")
    other = np.flatnonzero(play.representatives != play.results)
    strays = ~_among(play.results[other], rules.images(play.representatives[other]))
    wrong = f"the move {play.action} leads out of all classes"
    yield from rules.each_wrong(keys[play.parents[other]], ply, strays, wrong)


def problems_of_actions(rules: CheckedRules) -> Iterator[str]:
    """Symmetries that take two actions to the same one, or one to none."""
    actions = list(range(rules.game.action_count))
    for number, symmetry in enumerate(rules.symmetries, start=1):
        moved = [symmetry.action(action) for action in actions]
        if sorted(moved) != actions:
            yield f"symmetry {number} of the rules takes the actions to {moved}, not one to one to each other"


def _among(keys: Keys, others: Sequence[Keys]) -> Flags:
    """Where a state is one of the others at the same place."""
    found = np.zeros(len(keys), np.bool_)
    for other in others:
        found |= keys == other
    return found
