"""Probes a packed file for many states at once, sorted by stage and key so that each block is decoded once.

A state and its children are looked up in the same pass; here stages are plies:

    states asked for   40 at ply 7     12 at ply 8              children of 40:   12 and 99 at ply 8
    looked up          ply 7: 40       ply 8: 12, 12, 99 ...

Terminal children are not looked up: their labels follow from their utilities.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.database.packed.probe import Prober
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys, array_type, batch_answers, broadcast, representatives
from solver.rules.asking import symmetries_of
from solver.rules.exchange import is_of_second, with_first_to_move_in_all
from solver.rules.failures import rules_asked


@dataclass(frozen=True)
class BatchLabels:
    """The labels of states, in the order in which they were asked for."""

    present: Flags
    """Whether the state is in the file at the given stage; if not, the other fields are undefined."""
    labels: Keys
    best: Flags
    """Whether each action is one of the best: shape (states, actions), or no columns if not asked for."""
    lost: Flags
    """Whether the file lacks the label of a child."""


def probe_batch(prober: Prober, states: Keys, *, best: bool) -> tuple[Keys, BatchLabels]:
    """The stages of `states` and their labels; `best` asks for the best moves, too."""
    keys = keys_of(prober, states)
    told = prober.stages.told(keys)
    if told is not None:
        found = _find(prober, states, keys, told, best=best)
        if found.present.all():
            return told, found
    stages = _stages(prober, states, keys)
    return stages, _find(prober, states, keys, stages, best=best)


def probe_present(prober: Prober, states: Keys) -> tuple[Keys, BatchLabels]:
    """As `probe_batch`, for states of which many may not be in the file, without best moves.

    If the rules tell stages, a state is looked up at that stage alone.
    """
    keys = keys_of(prober, states)
    told = prober.stages.told(keys)
    stages = _stages(prober, states, keys) if told is None else told
    return stages, _find(prober, states, keys, stages, best=False)


def plies_left(prober: Prober, states: Keys, stages: Keys, found: BatchLabels) -> Keys:
    """Plies to the end from states at `stages`; -1 where play need not end."""
    over = batch_answers(prober.rules, "is_terminal", states) != 0
    return np.where(over, 0, prober.code.remoteness(found.labels, prober.code.counted_from(stages)))


def strays(prober: Prober, states: Keys) -> Flags:
    """The states to which no symmetry takes their canonical states: they are no states of the rules."""
    if not prober.folded:
        return np.full(len(states), False)
    seen = _seen(prober, states)
    chosen = representatives(prober.rules, seen)
    astray: Flags = seen != chosen
    for symmetry in symmetries_of(prober.rules) if astray.any() else ():
        image: Any = symmetry.state  # which takes arrays as well
        with rules_asked(prober.rules, "symmetries"):
            astray &= broadcast(image(chosen.view(array_type(prober.rules))), seen) != seen
    if prober.exchanged:
        others = batch_answers(prober.rules, "exchanged", seen)
        astray |= (seen != states) & (others != states)
    return astray


def _find(prober: Prober, states: Keys, keys: Keys, stages: Keys, *, best: bool) -> BatchLabels:
    """The labels of `states`, which are stored under `keys`, at these `stages`."""
    count, over = len(states), _is_over(prober, keys)
    parents, actions, children = children_of(prober.rules, states, over) if best else _no_children()
    below = keys_of(prober, children)
    present, labels = _labels(
        prober,
        np.concatenate([stages, prober.stages.of_children(stages[parents], below)]),
        np.concatenate([over, _is_over(prober, below)]),
        np.concatenate([keys, below]),
        np.concatenate([np.full(count, -1), parents]),
    )
    labels *= _signs(prober, np.concatenate([states, children]))
    flags = np.zeros((count, prober.rules.action_count if best else 0), np.bool_)
    flags[parents, actions] = prober.code.before(labels[count:]) == labels[parents]
    lost = np.full(count, False)
    lost[parents[~present[count:]]] = True
    return BatchLabels(present[:count], labels[:count], flags, lost)


def _stages(prober: Prober, states: Keys, keys: Keys) -> Keys:
    """The stage of each state, by trying all stages; -1 if it is in none."""
    found = np.full(len(states), -1)
    for stage in prober.stages.numbers:
        todo = np.flatnonzero(found < 0)
        at = np.full(len(todo), stage)
        found[todo[_find(prober, states[todo], keys[todo], at, best=False).present]] = stage
    return found


def keys_of(prober: Prober, states: Keys) -> Keys:
    """The keys under which the states are stored."""
    return representatives(prober.rules, _seen(prober, states)) if prober.folded else states


def _seen(prober: Prober, states: Keys) -> Keys:
    """The states, with exchanged players where these are stored."""
    return with_first_to_move_in_all(prober.rules, states) if prober.exchanged else states


def _signs(prober: Prober, states: Keys) -> Keys | int:
    """-1 for states that are stored with exchanged players, otherwise 1; see `Prober.sign`."""
    return 1 - 2 * is_of_second(prober.rules, states) if prober.exchanged else 1


def _is_over(prober: Prober, keys: Keys) -> Flags:
    """Whether play is over in each state."""
    over: Flags = batch_answers(prober.rules, "is_terminal", keys) != 0
    return over


def children_of(
    rules: PackedGame, states: Keys, over: Flags
) -> tuple[NDArray[np.intp], NDArray[np.int32], Keys]:
    """For each move in each state the index of the state, the action, and the child."""
    open_ = np.flatnonzero(~over)
    parts = [_no_children()]
    for action in range(rules.action_count):
        parents = open_[batch_answers(rules, "legal", states[open_], action) != 0]
        children = batch_answers(rules, "result", states[parents], action)
        parts.append((parents, np.full(len(parents), action, np.int32), children))
    parents, actions, children = (np.concatenate(column) for column in zip(*parts, strict=True))
    return parents, actions, children


def _labels(prober: Prober, stages: Keys, over: Flags, keys: Keys, parents: Keys) -> tuple[Flags, Keys]:
    """Which keys are in the file, of those that are looked up, and the labels of all.

    A key with a parent, given by index, is a child. It is not looked up if it is terminal (its label follows
    from the utility), or if the parent's label is known to say that best play ends at the next ply (then no
    non-terminal child is a best move).
    """
    code, sought, labels = prober.code, (parents < 0) | ~over, np.zeros(len(keys), np.int64)
    present, ends = ~sought, keys[over]
    utilities = batch_answers(prober.rules, "utility", ends)
    labels[over] = code.encode_ends(utilities, code.counted_from(stages[over]))
    for at in _groups(stages, over, sought):
        stage, is_terminal = int(stages[at[0]]), int(over[at[0]])
        left = code.remoteness(labels[parents[at]], code.counted_from(stages[parents[at]]))
        settled = (parents[at] >= 0) & (left == 1)
        present[at[settled]] = True
        at = at[~settled]
        at = at[np.argsort(keys[at])]
        found, present[at] = prober.blocks.labels(stage, is_terminal, keys[at])
        if not is_terminal:
            labels[at] = found
    return present, labels


def _groups(stages: Keys, over: Flags, sought: Flags) -> Iterator[NDArray[np.intp]]:
    """The indices of the keys to look up, one array for each series, in order of series."""
    kinds: NDArray[np.signedinteger] = 2 * stages
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
