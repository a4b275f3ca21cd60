"""Symmetries of play: whether they take the starts to starts, and a trial whether they are any.

If symmetries take the starts to starts, they take all states of the game to states of the game: then one
state of each class is solved, and unfolding.py makes the others from it.
"""

import numpy as np

from solver.engines.array_rules.rules import Rules
from solver.errors import BrokenRules
from solver.rules.arrays import Keys

STATES_PER_TRIAL = 16
"""States, of those that are looked at together, in which symmetries are tried."""


def are_symmetric(rules: Rules, starts: Keys) -> bool:
    """Whether there are symmetries, and each takes each of the starts to one of them."""
    images = list(rules.images(starts))
    return bool(images) and all(np.isin(image, starts).all() for image in images)


def try_symmetries(rules: Rules, keys: Keys) -> None:
    """Raise `BrokenRules` if play from a state differs from play from its images; a few states are tried."""
    some = keys[:: -(-len(keys) // STATES_PER_TRIAL) or 1]
    for image in rules.images(some):
        for state, other in zip(some, image, strict=True) if _differ(rules, some, image) else ():
            if _differ(rules, np.array([state]), np.array([other])):
                raise BrokenRules(
                    f"a symmetry of the rules is none: play from the state {state} is not like play "
                    f"from {other}; see `perfectplay check`"
                )


def _differ(rules: Rules, states: Keys, images: Keys) -> bool:
    """Whether play from some states differs from play from their images; the players may change places."""
    changed = bool(rules.movers(states[:1]) != rules.movers(images[:1]))
    return _play(rules, states, 0) != _play(rules, images, int(changed))


def _play(rules: Rules, keys: Keys, changed: int) -> list[list[int]]:
    """The facts that symmetric states share: players, ends, utilities, tiers, canonical forms of children.

    They are told as if the players had changed places if `changed` is 1.
    """
    is_terminal, tiers = rules.terminal(keys), rules.tiers(keys)
    children, owners = rules.every_child(keys[~is_terminal])
    children = rules.canonical(children)
    order = np.lexsort((children, owners))
    found = (
        rules.movers(keys) ^ changed,
        is_terminal,
        rules.utilities(keys[is_terminal]) * (1 - 2 * changed),
        keys[:0] if tiers is None else tiers,
        owners[order] ^ changed,
        children[order],
    )
    return [array.tolist() for array in found]
