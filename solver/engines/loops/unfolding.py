"""All states of a stage out of one of each class: its images under the symmetries, which have its label.

solved     3 (-7)   4 (9)            images   3 12 6 3 (-7)   4 8 4 8 (9)
all        3 (-7)   4 (9)   6 (-7)   8 (9)   12 (-7)
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from solver.database.packed.label_code import LabelCode
from solver.engines.array_rules.rules import Rules
from solver.engines.loops.stage_files import SOLVED, UNFOLDED, write_keys, write_labels
from solver.engines.storage.context import SolveContext
from solver.engines.storage.records import ReachedStage, UnfoldedStage
from solver.rules.arrays import GREATEST, Keys, Labels, distinct, distinct_pairs

PARTS_PER_THREAD = 2
"""Parts, each a range of keys, in which each thread sorts the states of a stage."""

KEYS_PER_COUNT = 1 << 14
"""Keys the moves of which are counted at a time."""


def unfolded_stages(
    context: SolveContext, code: LabelCode, stages: Sequence[ReachedStage]
) -> list[UnfoldedStage]:
    """Write all states of all stages and their labels; return a record of each stage.

    Raises `BrokenRules` if the rules fail.
    """
    total, done, work = sum(stage.open_states for stage in stages), 0, context.work
    unfolded = list[UnfoldedStage]()
    for nth, stage in enumerate(stages):
        unfolded.append(UnfoldedStage.read(work, nth) or _unfold(context, code, nth).write(work, nth))
        done += stage.open_states
        context.progress("unfolding", done, total)
    return unfolded


def _unfold(context: SolveContext, code: LabelCode, nth: int) -> UnfoldedStage:
    """Write all states of a stage and their labels; return the record of them."""
    one_each, ends_each = SOLVED.open_states(context, nth), SOLVED.terminal_states(context, nth)
    keys = one_each.read(0, one_each.pieces)
    every, labels = _images(context, keys, SOLVED.labels_of(context, nth, code.dtype).read(0, len(keys)))
    write_keys(context, nth, UNFOLDED.open, every)
    write_labels(context, nth, UNFOLDED.labels, [labels])
    ends, _ = _images(context, ends_each.read(0, ends_each.pieces), None)
    write_keys(context, nth, UNFOLDED.terminal, ends)
    parts = (keys[begin : begin + KEYS_PER_COUNT] for begin in range(0, len(keys), KEYS_PER_COUNT))
    moves = sum(context.map_ordered(partial(_count_moves, context.rules), parts))
    return UnfoldedStage(len(every), len(ends), moves)


def _images(context: SolveContext, keys: Keys, labels: Labels | None) -> tuple[Keys, Labels]:
    """The states of all classes in ascending order, given one of each, and their labels if there are any."""
    images = np.concatenate([keys, *context.rules.images(keys)])
    of_all = None if labels is None else np.tile(labels, len(images) // max(1, len(keys)))

    def part(first: int, last: int) -> tuple[Keys, Labels]:
        inside = (first <= images) & (images <= last)
        if of_all is None:
            return distinct(images[inside]), np.empty(0, np.int8)
        return distinct_pairs(images[inside], of_all[inside])

    ranges = _ranges(images, PARTS_PER_THREAD * context.threads)
    found = list(context.map_ordered(lambda each: part(*each), ranges))
    return np.concatenate([each for each, _ in found]), np.concatenate([each for _, each in found])


def _ranges(keys: Keys, parts: int) -> list[tuple[int, int]]:
    """Ranges [first, last] that have about as many of the keys each, and together all states."""
    sample = np.sort(keys[:: 1 + len(keys) // 4096])
    firsts = sorted({0, *sample[:: 1 + len(sample) // parts][1:].tolist()})
    return list(zip(firsts, [first - 1 for first in firsts[1:]] + [GREATEST], strict=True))


def _count_moves(rules: Rules, keys: Keys) -> int:
    """The number of moves of the states of some classes, given one of each."""
    _, owners = rules.every_child(keys)
    images = np.sort([keys, *rules.images(keys)], axis=0)
    sizes = 1 + np.count_nonzero(np.diff(images, axis=0), axis=0)
    return int(np.bincount(owners >> 1, minlength=len(keys)) @ sizes)
