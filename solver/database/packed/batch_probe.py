"""Many states of a packed file at once: sorted, so that each block is decoded once, and in arrays throughout.

A state and the states that its moves lead to are looked up in the same pass, by ply and key:

    states asked for   40 at ply 7     12 at ply 8              children of 40:   12 and 99 at ply 8
    looked up          ply 7: 40       ply 8: 12, 12, 99 ...

Ends are not looked up as children: the rules say what they are worth.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.probe import Prober
from solver.rules.arrays import Flags, Keys, batch_answers, broadcast, representatives
from solver.rules.asking import symmetries_of
from solver.rules.failures import rules_asked


@dataclass(frozen=True)
class Found:
    """What was found of states, in the order in which they were asked for."""

    present: Flags
    """Whether the state is in the file at the ply that was given; nothing else holds where it is not."""
    labels: Keys
    best: Flags
    """Whether each action is one of the best: a row for each state, a column for each action."""
    lost: Flags
    """Whether the file has no label for some state that a move leads to."""


def found_among(shelf: Prober, states: Keys, *, best: bool) -> tuple[Keys, Found]:
    """The plies of `states`, and what is known of them; the columns of `best` only if they are asked for."""
    told = told_plies(shelf, states)
    if told is not None:
        found = _find(shelf, states, told, best=best)
        if found.present.all():
            return told, found
    plies = _plies(shelf, states)
    return plies, _find(shelf, states, plies, best=best)


def present_among(shelf: Prober, states: Keys) -> tuple[Keys, Found]:
    """As `found_among`, for states of which many may not be in the file, without best moves.

    Where the rules tell plies they are taken at their word: no state is sought at any other ply.
    """
    told = told_plies(shelf, states)
    plies = _plies(shelf, states) if told is None else told
    return plies, _find(shelf, states, plies, best=False)


def told_plies(shelf: Prober, states: Keys) -> Keys | None:
    """The plies of `states` in the file if they are as the rules tell; None where these do not tell."""
    with rules_asked(shelf.rules):
        told = shelf.rules.ply(states)
        return None if told is None else broadcast(told, states) - shelf.rules.ply(shelf.start)


def plies_left(shelf: Prober, states: Keys, plies: Keys, found: Found) -> Keys:
    """Plies to the end from states at `plies`; -1 where play need not end."""
    over = batch_answers(shelf.rules, "is_terminal", states) != 0
    return np.where(over, 0, shelf.form.remoteness(found.labels, plies))


def strays(shelf: Prober, states: Keys) -> Flags:
    """Which states no symmetry takes to their representatives, as those that are no states of the rules."""
    if not shelf.folded:
        return np.full(len(states), False)
    chosen = representatives(shelf.rules, states)
    astray: Flags = states != chosen
    for symmetry in symmetries_of(shelf.rules) if astray.any() else ():
        image: Any = symmetry.state  # which takes arrays as well
        with rules_asked(shelf.rules, "symmetries"):
            astray &= broadcast(image(chosen), states) != states
    return astray


def _find(shelf: Prober, states: Keys, plies: Keys, *, best: bool) -> Found:
    """What is known of `states` if they are of these `plies`."""
    count, over, keys = len(states), *_in_file(shelf, states)
    parents, actions, children = _children(shelf, states, over) if best else _no_children()
    ended, below = _in_file(shelf, children)
    present, labels = _labels(
        shelf,
        np.concatenate([plies, plies[parents] + 1]),
        np.concatenate([over, ended]),
        np.concatenate([keys, below]),
        np.concatenate([np.full(count, -1), parents]),
    )
    flags = np.zeros((count, shelf.rules.action_count if best else 0), np.bool_)
    flags[parents, actions] = labels[count:] == labels[parents]
    lost = np.full(count, False)
    lost[parents[~present[count:]]] = True
    return Found(present[:count], labels[:count], flags, lost)


def _plies(shelf: Prober, states: Keys) -> Keys:
    """The ply of each state, tried one after the other; -1 where it is in none."""
    found = np.full(len(states), -1)
    for ply in shelf.plies:
        todo = np.flatnonzero(found < 0)
        at = np.full(len(todo), ply)
        found[todo[_find(shelf, states[todo], at, best=False).present]] = ply
    return found


def _in_file(shelf: Prober, states: Keys) -> tuple[Flags, Keys]:
    """Whether play is over in states, and the keys that stand for them in the file."""
    keys = representatives(shelf.rules, states) if shelf.folded else states
    return batch_answers(shelf.rules, "is_terminal", keys) != 0, keys


def _children(shelf: Prober, states: Keys, over: Flags) -> tuple[NDArray[np.intp], NDArray[np.int32], Keys]:
    """For each move in each state its index, the action, and the state that it leads to."""
    going_on = np.flatnonzero(~over)
    parts = [_no_children()]
    for action in range(shelf.rules.action_count):
        parents = going_on[batch_answers(shelf.rules, "legal", states[going_on], action) != 0]
        children = batch_answers(shelf.rules, "result", states[parents], action)
        parts.append((parents, np.full(len(parents), action, np.int32), children))
    parents, actions, children = (np.concatenate(each_part) for each_part in zip(*parts, strict=True))
    return parents, actions, children


def _labels(shelf: Prober, plies: Keys, over: Flags, keys: Keys, parents: Keys) -> tuple[Flags, Keys]:
    """Which keys are in the file, of those that are sought there, and the labels of all.

    Those with a parent, given by index, are its children. They are not sought where they are ends, nor
    where the parent's best move is one that ends play at once: no other can be as good, whatever it is.
    """
    sought, labels = (parents < 0) | ~over, np.zeros(len(keys), np.int64)
    present, ends = ~sought, keys[over]
    labels[over] = shelf.form.of_ends(batch_answers(shelf.rules, "utility", ends), plies[over])
    for at in _groups(plies, over, sought):
        ply, is_terminal = int(plies[at[0]]), int(over[at[0]])
        settled = (parents[at] >= 0) & (shelf.form.remoteness(labels[parents[at]], ply) == 0)
        present[at[settled]] = True
        at = at[~settled]
        at = at[np.argsort(keys[at])]
        found, present[at] = shelf.blocks.labels(ply, is_terminal, keys[at])
        if not is_terminal:
            labels[at] = found
    return present, labels


def _groups(plies: Keys, over: Flags, sought: Flags) -> Iterator[NDArray[np.intp]]:
    """The places of those that are sought in each series, the first series first."""
    kinds: NDArray[np.signedinteger] = 2 * plies
    kinds += over
    kinds[~sought] = -1
    short = kinds.astype(np.int16)
    if (short == kinds).all():  # as in all but very deep games: they are sorted five times as fast
        kinds = short
    order = np.argsort(kinds, kind="stable")
    kinds = kinds[order]
    cuts = [0, *(np.flatnonzero(kinds[1:] != kinds[:-1]) + 1).tolist(), len(kinds)]
    return (order[begin:end] for begin, end in pairwise(cuts) if begin < end and kinds[begin] >= 0)


def _no_children() -> tuple[NDArray[np.intp], NDArray[np.int32], Keys]:
    return np.zeros(0, np.intp), np.zeros(0, np.int32), np.zeros(0, np.int64)
