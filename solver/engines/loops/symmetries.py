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
    own = _play(rules, some)
    for nth, image in enumerate(rules.images(some), start=1):
        if _play(rules, image) != own:
            differ = (at for at in range(len(some)) if _differ(rules, some[at : at + 1], image[at : at + 1]))
            at = next(differ, 0)
            raise BrokenRules(
                f"symmetry {nth} of the rules is none: play from the state {some[at]} is not like play "
                f"from {image[at]}; see `perfectplay check`"
            )


def _differ(rules: Rules, one: Keys, other: Keys) -> bool:
    """Whether play from one state differs from play from another."""
    return _play(rules, one) != _play(rules, other)


def _play(rules: Rules, keys: Keys) -> list[list[int]]:
    """The facts that symmetric states share: players, ends, utilities, tiers, canonical forms of children."""
    is_terminal, tiers = rules.terminal(keys), rules.tiers(keys)
    children, owners = rules.every_child(keys[~is_terminal])
    children = rules.canonical(children)
    order = np.lexsort((children, owners))
    found = (
        rules.movers(keys[~is_terminal]),
        is_terminal,
        rules.utilities(keys[is_terminal]),
        keys[:0] if tiers is None else tiers,
        owners[order],
        children[order],
    )
    return [array.tolist() for array in found]
