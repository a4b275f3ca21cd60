"""Symmetries of play: whether they take the starts to starts, and a trial or a proof of each symmetry.

A folded solve trusts the rules: symmetries are tried in a few states. A solve of all states uses symmetries
if they take the starts to starts: one state of each class is solved, and the others are its images. For each
state that is solved it is proved that

1. the state and its images under all symmetries are also those of each of its images;
2. they have the same player to move and tier, are all terminal or none is, and have the same utility;
3. each symmetry maps the children of the state, action by action, to the children of its image.

So the children of a member of a class are members of the classes of the children that were found, by 3, and
each member of these is the child of one, by 1. From starts that are closed under the symmetries play reaches
all members of the classes that are found, and no others; the states of a class have the same label.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.engines.array_rules.rules import Rules
from solver.errors import BrokenRules
from solver.game import Symmetry
from solver.packed import PackedGame
from solver.rules.arrays import Keys
from solver.rules.asking import symmetries_of
from solver.rules.failures import rules_asked

Test: TypeAlias = Callable[[Rules, Keys], object]
"""A test of symmetries in some states; it raises `BrokenRules`."""

STATES_PER_TRIAL = 16
"""The most states per call in which symmetries are tried."""

STATES_PER_PROOF = 1 << 13
"""States for which symmetries are proved at a time: enough for a small overhead of calls, fitting a cache."""


def are_symmetric(rules: Rules, starts: Keys) -> bool:
    """Whether there are symmetries, and each of them takes every start to a start."""
    images = list(rules.images(starts))
    return bool(images) and all(np.isin(image, starts).all() for image in images)


def try_symmetries(rules: Rules, keys: Keys) -> None:
    """Raise `BrokenRules` if play from one of a few states differs from play from its images."""
    _refuse_images(rules, keys[:: -(-len(keys) // STATES_PER_TRIAL) or 1], partial(_other_play, rules))


def prove_symmetries(orders: Sequence[Sequence[int]], rules: Rules, keys: Keys) -> None:
    """Raise `BrokenRules` unless the symmetries are symmetries of play from each state; see `orders_of`."""
    for begin in range(0, len(keys), STATES_PER_PROOF):
        _refuse_images(rules, keys[begin : begin + STATES_PER_PROOF], partial(_other_moves, rules, orders))


def orders_of(game: PackedGame) -> list[list[int]]:
    """The image of each action, for each symmetry of a game, a permutation; raises `BrokenRules`."""
    with rules_asked(game, "symmetries"):
        return [_order(symmetry, game.action_count) for symmetry in symmetries_of(game)]


def _order(symmetry: Symmetry[Any, Any], count: int) -> list[int]:
    """The images of actions under one symmetry.

    Rules need not map actions that are never legal: actions without an image of their own get the rest.
    """
    left, images = dict.fromkeys(range(count)), dict[int, int]()
    for action in range(count):
        with suppress(Exception):
            left.pop(image := int(symmetry.action(action)))
            images[action] = image
    rest = iter(left)
    return [images[action] if action in images else next(rest) for action in range(count)]


def _refuse_images(rules: Rules, keys: Keys, wrong_image: Callable[[Keys], int | None]) -> None:
    """Raise `BrokenRules`, naming a state, if `wrong_image` returns the number of a false symmetry."""
    if wrong_image(keys) is None:
        return
    while len(keys) > 1:
        half = keys[: len(keys) // 2]
        keys = keys[len(half) :] if wrong_image(half) is None else half
    if (nth := wrong_image(keys)) is not None:
        raise BrokenRules(
            f"a symmetry of the rules is not a symmetry: play from the state {keys[0]} is not like play "
            f"from {list(rules.images(keys))[nth][0]}; see `perfectplay check`"
        )


def _other_play(rules: Rules, keys: Keys) -> int | None:
    """The number of a symmetry that changes facts or classes of children, up to sign; None if none does."""
    images = Rules.images(rules, keys)  # by NumPy: compiling takes longer than all trials
    play, *others = _plays(rules, [keys, *images])
    return next((nth for nth, other in enumerate(others) if other != play), None)


def _other_moves(rules: Rules, orders: Sequence[Sequence[int]], keys: Keys) -> int | None:
    """The number of a symmetry, with its order of actions, that is not proved; None if all are."""
    images, open_states = list(rules.images(keys)), keys[~rules.terminal(keys)]
    facts, (children, owners) = _facts(rules, keys), rules.every_child(open_states)
    of_children = zip(orders, images, rules.images(open_states), rules.images(children), strict=True)
    for nth, (order, image, of_open, expected) in enumerate(of_children):
        if not all(map(np.array_equal, _facts(rules, image), facts)):
            return nth
        children_of_image, owners_of_image = rules.every_child(of_open, order)
        if not (np.array_equal(children_of_image, expected) and np.array_equal(owners_of_image, owners)):
            return nth
        if not _are_classes_equal([keys, *images], [image, *rules.images(image)]):
            return nth
    return None


def _are_classes_equal(some: Sequence[Keys], others: Sequence[Keys]) -> bool:
    """Whether the arrays have the same set of states at each index; often they are a permutation."""
    equal = [
        (nth, place)
        for nth, one in enumerate(some)
        for place, other in enumerate(others)
        if one[0] == other[0] and np.array_equal(one, other)
    ]
    is_permuted = all(len(set(places)) == len(some) for places in zip(*equal, strict=True)) and bool(equal)
    return is_permuted or np.array_equal(_classes(some), _classes(others))


def _classes(members: Sequence[Keys]) -> Keys:
    """The set of states at each index of some arrays, in ascending order; duplicates become -1."""
    rows = np.sort(members, axis=0)
    rows[1:][rows[1:] == rows[:-1]] = -1
    return np.sort(rows, axis=0)


def _plays(rules: Rules, members: Sequence[Keys]) -> list[list[bytes]]:
    """The facts and the classes of children of each array of states, which are equal for symmetric states.

    If the player to move differs from that of the first array, facts are as if the players changed places.
    """
    keys, size = np.concatenate(members), len(members[0])
    movers = rules.movers(keys)[::size]
    open_places = np.flatnonzero(~rules.terminal(keys))
    children, owners = rules.every_child(keys[open_places])
    children, parents = rules.canonical(children), open_places[owners >> 1]
    order = np.lexsort((children, parents))
    cuts = parents[order].searchsorted(np.arange(size, len(keys), size))
    facts = _facts(rules, keys, (movers ^ movers[0]).repeat(size))
    arrays = [np.split(array, len(members)) for array in facts]
    arrays += [np.split(array[order], cuts) for array in (parents % size, children)]
    return [[array.tobytes() for array in play] for play in zip(*arrays, strict=True)]


def _facts(rules: Rules, keys: Keys, changed: Any = 0) -> list[NDArray[Any]]:
    """The properties that symmetric states share, apart from moves; if `changed`, with exchanged players."""
    is_terminal, tiers = rules.terminal(keys), rules.optional("tier", keys)
    utilities = np.zeros(len(keys), np.int64)
    utilities[is_terminal] = rules.utilities(keys[is_terminal])
    facts = [rules.movers(keys) ^ changed, is_terminal, utilities * (1 - 2 * changed)]
    return facts if tiers is None else [*facts, tiers]
