"""Probes a packed file for many states at once, sorted by stage and key, so that each block is decoded once.

States and their children are looked up in the same pass; here stages are plies:

    states         40 at ply 7     12 at ply 8              children of 40:   12 and 99 at ply 8
    looked up      ply 7: 40       ply 8: 12, 12, 99 ...

Terminal children are not looked up: their labels follow from their utilities.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.packed import PackedGame
from solver.rules.arrays import Flags, Folded, Keys, batch_answers, fold, image_of
from solver.rules.notation import write_position

if TYPE_CHECKING:
    from solver.database.packed.reader import PackedDatabase


@dataclass(frozen=True)
class BatchLabels:
    """The labels of states, in the order of the request."""

    present: Flags
    """Whether each state is in the file at the given stage; if not, the other fields are undefined."""
    labels: Keys
    best: Flags
    """Whether each action is one of the best: shape (states, actions), or no columns if not asked for."""
    lost: Flags
    """Whether the file lacks the label of some child of each state."""


def probe_batch(
    db: "PackedDatabase", states: Keys, *, best: bool = False, all_there: bool = False
) -> tuple[Keys, BatchLabels]:
    """The stages of `states` and their labels; `best` asks for the best moves, too.

    If the rules tell stages, states are looked up there alone; if they should be `all_there`, then in others.
    """
    folded = fold(db.folding, states)
    stages = db.stages.by_rules(folded.states)
    if stages is not None:
        labels = _find(db, states, folded, stages, best=best)
        if labels.present.all() or not all_there:
            return stages, labels
    stages = _stages(db, states, folded)
    return stages, _find(db, states, folded, stages, best=best)


def plies_left(db: "PackedDatabase", states: Keys, stages: Keys, labels: Keys) -> Keys:
    """Plies to the end from states at `stages`; -1 if no end is forced."""
    return np.where(_is_over(db, states), 0, db.label_code.remoteness(labels, stages))


def strays(db: "PackedDatabase", states: Keys) -> Flags:
    """Whether each state is no symmetric image of its representative, and so no state of the rules."""
    chosen = fold(db.folding, states).states
    astray: Flags = states != chosen
    for symmetry in db.folding.symmetries if astray.any() else ():
        astray &= image_of(db.rules, symmetry.state, chosen) != states
    return astray


def labels_of_moves(db: "PackedDatabase", stage: int, children: Keys) -> Keys:
    """The labels that moves to `children` give their parents at a stage; raises `DamagedFile`."""
    code, over, below = db.label_code, _is_over(db, children), fold(db.folding, children)
    utilities, open_places = batch_answers(db.rules, "utility", children[over]), np.flatnonzero(~over)
    stages = db.stages.of_children(np.full(len(children), stage), below.states)[open_places]
    present, stored = _labels(
        db, stages, over[open_places], below.states[open_places], np.full(len(open_places), -1)
    )
    for child in children[open_places[~present]][:1].tolist():
        raise db.damage(f"no {write_position(db.rules, child)!r}")
    labels = np.zeros(len(children), np.int64)
    labels[over] = code.encode_ends(utilities, code.counted_from(stage) + 1)
    labels[open_places] = code.before(stored * below.signs[open_places])
    return labels


def _find(db: "PackedDatabase", states: Keys, folded: Folded, stages: Keys, *, best: bool) -> BatchLabels:
    """The labels of `states`, whose representatives `folded` has, at these `stages`."""
    count, over = len(states), _is_over(db, folded.states)
    parents, actions, children = children_of(db.rules, states, over) if best else _no_children()
    below = fold(db.folding, children)
    present, labels = _labels(
        db,
        np.concatenate([stages, db.stages.of_children(stages[parents], below.states)]),
        np.concatenate([over, _is_over(db, below.states)]),
        np.concatenate([folded.states, below.states]),
        np.concatenate([np.full(count, -1), parents]),
    )
    labels = np.concatenate([folded.labels(labels[:count]), below.labels(labels[count:])])
    flags = np.zeros((count, db.rules.action_count if best else 0), np.bool_)
    flags[parents, actions] = db.label_code.before(labels[count:]) == labels[parents]
    lost = np.full(count, False)
    lost[parents[~present[count:]]] = True
    return BatchLabels(present[:count], labels[:count], flags, lost)


def _stages(db: "PackedDatabase", states: Keys, folded: Folded) -> Keys:
    """The stage of each state, -1 for none, determined by trying all stages."""
    stages = np.full(len(states), -1)
    for stage in db.stage_numbers:
        todo = np.flatnonzero(stages < 0)
        stages_tried, folded_rest = np.full(len(todo), stage), Folded._make(part[todo] for part in folded)
        stages[todo[_find(db, states[todo], folded_rest, stages_tried, best=False).present]] = stage
    return stages


def _is_over(db: "PackedDatabase", keys: Keys) -> Flags:
    over: Flags = batch_answers(db.rules, "is_terminal", keys) != 0
    return over


def children_of(
    rules: PackedGame, states: Keys, over: Flags
) -> tuple[NDArray[np.intp], NDArray[np.int32], Keys]:
    """The index of the parent, the action and the child of each move in the states that are not `over`."""
    open_ = np.flatnonzero(~over)
    parts = [_no_children()]
    for action in range(rules.action_count):
        parents = open_[batch_answers(rules, "legal", states[open_], action) != 0]
        children = batch_answers(rules, "result", states[parents], action)
        parts.append((parents, np.full(len(parents), action, np.int32), children))
    parents, actions, children = (np.concatenate(column) for column in zip(*parts, strict=True))
    return parents, actions, children


def _labels(db: "PackedDatabase", stages: Keys, over: Flags, keys: Keys, parents: Keys) -> tuple[Flags, Keys]:
    """Whether each key is in the file, and the labels; keys that are not looked up count as present.

    A key with a parent, given by index, is a child. It is not looked up if it is terminal (its label follows
    from the utility), or if by the parent's known label best play ends at the next ply (then no non-terminal
    child is best).
    """
    code, sought, labels = db.label_code, (parents < 0) | ~over, np.zeros(len(keys), np.int64)
    present, ends = ~sought, keys[over]
    utilities = batch_answers(db.rules, "utility", ends)
    labels[over] = code.encode_ends(utilities, code.counted_from(stages[over]))
    for at in _groups(stages, over, sought):
        stage, is_terminal = int(stages[at[0]]), int(over[at[0]])
        left = code.remoteness(labels[parents[at]], stages[parents[at]])
        settled = (parents[at] >= 0) & (left == 1)
        present[at[settled]] = True
        at = at[~settled]
        at = at[np.argsort(keys[at])]
        of_series, present[at] = db.blocks.labels(stage, is_terminal, keys[at])
        if not is_terminal:
            labels[at] = of_series
    return present, labels


def _groups(stages: Keys, over: Flags, sought: Flags) -> Iterator[NDArray[np.intp]]:
    """The indices of the keys to look up, an array for each series, in the order of series."""
    kinds: NDArray[np.signedinteger] = 2 * stages
    kinds += over
    kinds[~sought] = -1
    short = kinds.astype(np.int16)
    if (short == kinds).all():  # in all but very deep games; sorted five times as fast
        kinds = short
    order = np.argsort(kinds, kind="stable")
    kinds = kinds[order]
    cuts = [0, *(np.flatnonzero(kinds[1:] != kinds[:-1]) + 1).tolist(), len(kinds)]
    return (order[begin:end] for begin, end in pairwise(cuts) if begin < end and kinds[begin] >= 0)


def _no_children() -> tuple[NDArray[np.intp], NDArray[np.int32], Keys]:
    return np.zeros(0, np.intp), np.zeros(0, np.int32), np.zeros(0, np.int64)
