"""Proves from the rules alone that each state of a folded file stands for all states of its class.

Call a state x and a stored state r related if x is r or the image of r under a symmetry that the rules claim.
For every stored state r and each of its images x, it is checked that

1. x and r have the same player to move, are both terminal or both not, and have the same utility;
2. every image of x is related to r, and r is the canonical state of each;
3. the symmetry that maps r to x maps the moves of r one to one to those of x, and their children, too;
4. every child of r is related to the canonical state of its class, which is found in the file.

Then the moves of x lead to states related to the same stored states as the moves of r: a child of x is by 3
the image of a child of r, which is by 4 an image of a stored state, all of whose images' images are by 2
related to it. So the relation is a bisimulation, and x and r have the same value and remoteness. The starts
are related to states of the file, and so, move by move, is every reachable state. By 2 no state is related to
two stored ones.

The same proves a file that has all states of each class, of which one is expanded (`CheckedRules.by_class`).
It is also checked that

5. the states in which play begins are closed under the symmetries;
6. for each image x of r, the images of x are no fewer than those of r;
7. x is in the file with the label of r.

So play reaches x if it reaches r: if a move leads from a state to y, the image of the move leads by 3 from
the image of the state to that of y, and y and its images are by 2, 4 and 6 the whole class.

If a stored state also stands for the states of sign -1 in its class, the first player is to move in all
stored states, and a state that becomes x or r when the players change places is related to r, too. With y for
x with exchanged players, it is also checked that

8. y with exchanged players is x, the second player is to move in y, both are terminal or both not, and the
   utility of y is the negated utility of x;
9. every image of y is one of these y;
10. the moves of y lead to states related to the same stored states as the moves of r;
11. the moves of r lead to states in which the second player is to move.

If the legal actions of y are those of x, and lead to the children of x with exchanged players, 10 follows
without canonical forms. By 3 such a child of x is an image of a child of r. By 4 and 11 the child of r is one
of the states y of a stored state; by 9 its image is another one; by 8 exchanging them leads into that class.

So play in y is play in r with exchanged players, move by move, and y has the negated value and the remoteness
of r: the relation is a bisimulation. By 11 the label of a child of a stored state is the negated label of the
stored state that the child is related to.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solver.game import FIRST, SECOND
from solver.proof.packed.rules import CheckedRules, Places, Play, among
from solver.rules.arrays import Flags, Keys


def problems_of_classes(
    rules: CheckedRules, keys: Keys, images: Sequence[Keys], ply: int, *, is_terminal: bool
) -> Iterator[str]:
    """Yield states of a ply that do not stand for their classes, given their images under each symmetry.

    `is_terminal` is whether all of them are terminal by the rules; otherwise none is.
    """
    yield from rules.each_wrong(keys, ply, rules.canonical(keys, images) != keys, "it is not canonical")
    movers = rules.movers(keys)
    for image in images:
        differs = (rules.movers(image) != movers) | (rules.is_terminal(image) != is_terminal)
        if is_terminal:
            differs |= rules.utilities(image) != rules.utilities(keys)
        yield from rules.each_wrong(keys, ply, differs, "the rules tell it from what is symmetric to it")
        others = rules.images(image)
        strays = rules.canonical(image, others) != keys
        strays |= _outside(others, [keys, *images])
        if rules.by_class:
            strays |= _outside([keys, *images], [image, *others])
        yield from rules.each_wrong(
            keys, ply, strays, "the states symmetric to it are not all symmetric to each other"
        )


def problems_of_play(
    rules: CheckedRules, keys: Keys, images: Sequence[Keys], ply: int, play: Play
) -> Iterator[str]:
    """Yield states in which an action does not commute with a symmetry, or leads out of all classes."""
    for number, (image, children) in enumerate(zip(images, play.images, strict=True), start=1):
        differs = _differing(rules, number, image, play, children)
        yield from rules.each_wrong(
            keys, ply, differs, f"the move {play.action} does not match the move in its image"
        )
    wrong = f"the move {play.action} leads out of all classes"
    strays = _strays(rules, play.results, play.representatives)
    yield from rules.each_wrong(keys[play.parents], ply, strays, wrong)


def problems_of_other_actions(
    rules: CheckedRules, keys: Keys, images: Sequence[Keys], ply: int, played: Sequence[int]
) -> Iterator[str]:
    """Yield images with moves that are not the image of an action played in any of the states."""
    for number, image in enumerate(images, start=1):
        moved = [_mapped(rules, number, action) for action in played]
        if len({*moved}) < len(moved):
            yield f"a symmetry of the rules takes the actions {[*played]} to {moved}, not one to one"
        for action in _unmapped(rules, number, played):
            wrong = f"no move matches the move {action} in its image"
            yield from rules.each_wrong(keys, ply, rules.legal(image, action), wrong)


def _mapped(rules: CheckedRules, number: int, action: int) -> int:
    """The image of an action under the symmetry of this number; number 0 is the identity."""
    return rules.symmetries[number - 1].action(action) if number else action


def _unmapped(rules: CheckedRules, number: int, actions: Sequence[int]) -> set[int]:
    """The actions that are not the image of one of the given actions under that symmetry."""
    return {*range(rules.game.action_count)}.difference(_mapped(rules, number, action) for action in actions)


def _differing(rules: CheckedRules, number: int, keys: Keys, play: Play, children: Keys) -> Places:
    """The indices of states in which the mapped action differs in legality, or leads to other children."""
    action = _mapped(rules, number, play.action)
    is_legal = rules.legal(keys, action)
    if not np.array_equal(is_legal, play.is_legal):
        return np.flatnonzero(is_legal != play.is_legal)
    differing: Places = play.parents[rules.results(keys[play.parents], action) != children]
    return differing


def problems_of_members(rules: CheckedRules, keys: Keys, representatives: Keys) -> Iterator[str]:
    """Yield starts that are not related to the states that stand for them in the file."""
    wrong = "play begins there, but what stands for it is not symmetric to it"
    yield from rules.each_wrong(keys, 0, _strays(rules, keys, representatives), wrong)


def _strays(rules: CheckedRules, keys: Keys, representatives: Keys) -> Flags:
    """Whether each state is not related to the state that stands for it."""
    strays: Flags = representatives != keys
    moved = np.flatnonzero(strays)
    strays[moved] = ~among(keys[moved], rules.related(representatives[moved]))
    return strays


def _outside(some: Sequence[Keys], others: Sequence[Keys]) -> Flags:
    """Whether, at each index, one of some arrays has a key that none of the others has there.

    An array with the same sum as one of the others is probably equal to it, and compared with it first.
    """
    by_sum = {int(other.sum()): other for other in others}
    outside = np.zeros(len(others[0]), np.bool_)
    for keys in some:
        likely = by_sum.get(int(keys.sum()), others[0])
        outside |= ~among(keys, [likely, *others])
    return outside


class ActionMoves(NamedTuple):
    """The moves by one action from some states."""

    parents: Places
    """The index of the parent of each move, ascending."""
    reached: Keys
    """The stored state that each move leads to."""

    @property
    def content(self) -> tuple[bytes, bytes]:
        """Both arrays as bytes, which are equal only for equal moves."""
        return self.parents.tobytes(), self.reached.tobytes()


def problems_of_negation(
    rules: CheckedRules, keys: Keys, images: Sequence[Keys], ply: int, *, is_terminal: bool
) -> Iterator[str]:
    """Yield states that do not stand for those with exchanged players, given their images.

    `is_terminal` is whether all of them are terminal by the rules; otherwise none is.
    """
    if not rules.is_signed:
        return
    second = rules.movers(keys) != FIRST
    yield from rules.each_wrong(keys, ply, second, "the second player is to move, as in no state of the file")
    others = [rules.exchange(members) for members in (keys, *images)]
    for state, other in zip((keys, *images), others, strict=True):
        differs = (rules.exchange(other) != state) | (rules.movers(other) != SECOND)
        differs |= rules.is_terminal(other) != is_terminal
        if is_terminal:
            differs |= rules.utilities(other) != -rules.utilities(state)
        differs |= _outside(rules.images(other), others)
        yield from rules.each_wrong(keys, ply, differs, "it is not the same with exchanged players")


def with_exchanged_players(rules: CheckedRules, keys: Keys, images: Sequence[Keys]) -> dict[int, Keys]:
    """The states and their images with exchanged players, by number from 0 on; empty without signs."""
    return {nth: rules.exchange(members) for nth, members in enumerate((keys, *images)) if rules.is_signed}


def alike(rules: CheckedRules, others: dict[int, Keys], play: Play) -> dict[int, Keys]:
    """The `others` in which the action leads to the children with exchanged players."""
    children = [play.results, *play.images]
    return {
        number: keys
        for number, keys in others.items()
        if not len(_differing(rules, number, keys, play, rules.exchange(children[number])))
    }


def without_other_moves(
    rules: CheckedRules, others: dict[int, Keys], played: Sequence[int]
) -> dict[int, Keys]:
    """The `others` that have no moves but the images of the played actions."""
    return {
        number: keys
        for number, keys in others.items()
        if not any(rules.legal(keys, action).any() for action in _unmapped(rules, number, played))
    }


def problems_of_negated_play(
    rules: CheckedRules, keys: Keys, others: Sequence[Keys], ply: int, moves: Sequence[ActionMoves]
) -> Iterator[str]:
    """Yield states whose moves differ from those of one of the others, which have exchanged players."""
    if not others or not moves:
        return
    contents = {move.content for move in moves}
    for exchanged in others:
        led, stray = list[ActionMoves](), np.zeros(len(keys), np.bool_)
        for play in rules.plays(exchanged):
            strays = ~among(play.results, [play.representatives, *rules.images(play.representatives)])
            stray[play.parents[strays]] = True
            led.append(ActionMoves(play.parents, play.representatives))
        if contents != {move.content for move in led}:  # in another order, if the rules are right
            stray |= _unlike(len(keys), moves, led)
        yield from rules.each_wrong(keys, ply, stray, "its moves are others with exchanged players")


def problems_of_turns(rules: CheckedRules, keys: Keys, ply: int, play: Play) -> Iterator[str]:
    """Yield states with a move after which the first player is to move again."""
    if not rules.is_signed:
        return
    again = np.zeros(len(keys), np.bool_)
    again[play.parents[rules.movers(play.results) != SECOND]] = True
    yield from rules.each_wrong(keys, ply, again, "the first player is to move again after a move")


def _unlike(states: int, moves: Sequence[ActionMoves], others: Sequence[ActionMoves]) -> Flags:
    """Whether, for each state, two sets of moves differ in the states that they reach."""
    different = [np.unique(np.concatenate(arrays, axis=1), axis=1) for arrays in (moves, others) if arrays]
    pairs, times = np.unique(np.concatenate(different, axis=1), axis=1, return_counts=True)
    unlike = np.zeros(states, np.bool_)
    unlike[pairs[0, times == 1]] = True
    return unlike
