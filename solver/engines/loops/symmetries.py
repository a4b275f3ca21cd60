"""Symmetries of play: whether they take the starts to starts, and a trial or a proof that they are some.

A folded solve takes the rules at their word: play is tried in a few states. A solve of all states relies on
symmetries if they take the starts to starts: one state of each class is solved, and unfolding.py makes the
others from it. Of each state that is solved it is proved that

1. the state and its images under all symmetries are also those of each of its images;
2. they have the same player to move and tier, are all terminal or none, and have the same utility;
3. each symmetry maps the children of the state to those of its image.

So the children of a member of a class are members of the classes of the children that were found, by 3, and
each member of these is the child of one, by 1. From starts that are closed under the symmetries play reaches
all members of the classes that are found, and no others; those of a class have the same label.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from solver.engines.array_rules.rules import Rules
from solver.errors import BrokenRules
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys
from solver.rules.asking import symmetries_of
from solver.rules.failures import rules_asked

STATES_PER_TRIAL = 16
"""States, of those that are looked at together, in which symmetries are tried."""

STATES_PER_PROOF = 1 << 15
"""States of which symmetries are proved at a time, so many that calls of kernels take little of the time."""

Map: TypeAlias = Callable[[Keys], Keys]
"""A function from states to states."""


def are_symmetric(rules: Rules, starts: Keys) -> bool:
    """Whether there are symmetries, and each takes each of the starts to one of them."""
    images = list(rules.images(starts))
    return bool(images) and all(np.isin(image, starts).all() for image in images)


def try_symmetries(rules: Rules, keys: Keys) -> None:
    """Raise `BrokenRules` if play from a state differs from play from its images; a few states are tried.

    Children of one class are alike. The players may change places.
    """
    some = keys[:: -(-len(keys) // STATES_PER_TRIAL) or 1]
    for image in rules.images(some):
        changed = rules.exchange and bool(rules.movers(some[:1]) != rules.movers(image[:1]))
        _refuse_difference(rules, some, image, (rules.canonical, rules.canonical), int(changed))


def prove_symmetries(game: PackedGame, rules: Rules, keys: Keys) -> None:
    """Raise `BrokenRules` unless the symmetries of `game` are symmetries of play from each of the states."""
    actions = range(rules.action_count)
    with rules_asked(game, "symmetries"):
        moved = [[each.action(action) for action in actions] for each in symmetries_of(game)]
    orders = [order if sorted(order) == [*actions] else [*actions] for order in moved]
    for begin in range(0, len(keys), STATES_PER_PROOF):
        _prove(rules, orders, keys[begin : begin + STATES_PER_PROOF])


def _prove(rules: Rules, orders: Sequence[Sequence[int]], keys: Keys) -> None:
    """Prove the symmetries for some states; the actions are the same, one by one, in the order of an image.

    Where that order is wrong, the children in any order are compared.
    """
    images, is_terminal = list(rules.images(keys)), rules.terminal(keys)
    facts, going = _facts(rules, keys), keys[~is_terminal]
    children, owners = rules.every_child(going)
    of_children = zip(orders, rules.images(going), rules.images(children), strict=True)
    for nth, (order, of_going, expected) in enumerate(of_children):
        found = facts == _facts(rules, images[nth]) and rules.every_child(of_going, order)
        if not (found and np.array_equal(found[0], expected) and np.array_equal(found[1], owners)):
            mapped = partial(_image, rules, nth)
            _refuse_difference(rules, keys, images[nth], (mapped, np.asarray))
    _refuse_strays(rules, keys, images)


def _image(rules: Rules, nth: int, keys: Keys) -> Keys:
    """The images of states under one symmetry."""
    return list(rules.images(keys))[nth]


def _refuse_strays(rules: Rules, keys: Keys, images: Sequence[Keys]) -> None:
    """Raise `BrokenRules` unless what is symmetric to each state is so to each of its images, and no more."""
    members = [keys, *images]
    for image in images:
        others = [image, *rules.images(image)]
        if _are_permuted(others, members):
            continue
        stray = np.zeros(len(keys), np.bool_)
        for some, all_of_them in ((others, members), (members, others)):
            for each in some:
                stray |= ~_among(each, all_of_them)
        if stray.any():
            at = int(stray.argmax())
            raise BrokenRules(
                f"the symmetries of the rules are none: they take the state {keys[at]} to {image[at]}, "
                "but that to other states or to less; see `perfectplay check`"
            )


def _are_permuted(some: Sequence[Keys], others: Sequence[Keys]) -> bool:
    """Whether arrays are others one by one, in another order: as where symmetries are a group."""
    places = [
        nth
        for each in some
        for nth, other in enumerate(others)
        if each[0] == other[0] and np.array_equal(each, other)
    ]
    return sorted(places) == [*range(len(others))]


def _among(keys: Keys, others: Sequence[Keys]) -> Flags:
    """Whether each key is one of the others at the same index."""
    found = np.zeros(len(keys), np.bool_)
    for other in others:
        found |= keys == other
        if found.all():
            break
    return found


def _refuse_difference(
    rules: Rules, states: Keys, images: Keys, maps: tuple[Map, Map], changed: int = 0
) -> None:
    """Raise `BrokenRules` if play from one of the states differs from play from its image.

    Their children are compared after a map of each; the players change places if `changed` is 1.
    """

    def differ(part: slice) -> bool:
        return _play(rules, states[part], 0, maps[0]) != _play(rules, images[part], changed, maps[1])

    begin, end = 0, len(states)
    if not differ(slice(begin, end)):
        return
    while end - begin > 1:
        middle = (begin + end) // 2
        begin, end = (begin, middle) if differ(slice(begin, middle)) else (middle, end)
    raise BrokenRules(
        f"a symmetry of the rules is none: play from the state {states[begin]} is not like play "
        f"from {images[begin]}; see `perfectplay check`"
    )


def _play(rules: Rules, keys: Keys, changed: int, state_map: Map) -> list[bytes]:
    """What symmetric states have in common: their facts, and the children of each after a map, in order."""
    children, owners = rules.every_child(keys[~rules.terminal(keys)])
    children = state_map(children)
    order = np.lexsort((children, owners))
    return [*_facts(rules, keys, changed), (owners[order] ^ changed).tobytes(), children[order].tobytes()]


def _facts(rules: Rules, keys: Keys, changed: int = 0) -> list[bytes]:
    """What symmetric states have in common but for moves: the player to move, ends, utilities and tiers.

    It is told as if the players had changed places if `changed` is 1.
    """
    is_terminal, tiers = rules.terminal(keys), rules.tiers(keys)
    utilities = rules.utilities(keys[is_terminal]) * (1 - 2 * changed)
    facts = rules.movers(keys) ^ changed, is_terminal, utilities, keys[:0] if tiers is None else tiers
    return [each.tobytes() for each in facts]
