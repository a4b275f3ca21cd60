"""From layer to layer through windows of the key space, each of which fits into the processor's cache.

    children of the layer     |<-- share 0 --->|<-- share 1 --->|<-- share 2 --->|     ranges of the key space
    a share                   [ window ][ window ]   [ window ] ...                    kernels.py

This relies on actions under which a larger parent has a larger child. That is checked, not assumed: in a
share each child is compared with its window; and the shares, for each action, expand every parent exactly
once, each starting where the one before it ended, so no child is missing. Otherwise `Unsorted` is raised and
the layer is sorted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from solver.database.packed.keys.gap_codec import PIECE
from solver.engines.layers.opened import LayerExpansion
from solver.engines.layers.windows.kernels import DONE, UNSORTED, merge_sorted, relax_parents
from solver.engines.layers.windows.streams import BitWindow, ChildStreams, LabelStreams, Unsorted
from solver.engines.storage.key_file import KeyFile
from solver.rules.arrays import MAX_STATE, Keys, Labels

KEYS_PER_BIT_WINDOW = 1 << 20
"""The length of a window of bits, in keys: 128 kB."""

KEYS_PER_LABEL_WINDOW = 1 << 21
"""The length of a window of labels, in keys: 2 MB of labels of one byte."""

CHILDREN_PER_SHARE = 1 << 26
"""The approximate maximum of children per share, duplicates included: the work of some seconds."""

MIN_CHILDREN_PER_SHARE = 1 << 22
"""The approximate minimum of children per share: each share first reads parents for each action."""

SAMPLE, PIECES_SAMPLED = 64, 64
"""Children are estimated from one state in `SAMPLE`; beyond `PIECES_SAMPLED`, from one in each piece."""


@dataclass(frozen=True)
class Share:
    """The children in [low, stop): for each action, the children of parents of the ranks [begins, ends)."""

    low: int
    stop: int
    begins: Keys
    ends: Keys


def shares_of(expansion: LayerExpansion, ply: int) -> list[Share]:
    """Split the key range of the children of a layer, at `ply`, into shares of about equal size."""
    bounds, states = _bounds(expansion), expansion.layer.states
    ranks_by_action = expansion.context.map_ordered(
        lambda action: [0, *expansion.parent_ranks(action, np.array(bounds, np.int64)), states],
        range(expansion.actions),
    )
    by_action = []
    for ranks in ranks_by_action:
        by_action.append(ranks)
        done = len(by_action) * states // expansion.actions
        expansion.context.progress("dividing states", done, states, ply)
    ranks_by_bound = np.array(by_action, np.int64).T
    key_ranges = pairwise([0, *bounds, MAX_STATE])
    return [
        Share(*key_range, *ranks)
        for key_range, ranks in zip(key_ranges, pairwise(ranks_by_bound), strict=True)
    ]


def children_in(expansion: LayerExpansion, share: Share, beside: KeyFile | None = None) -> Iterator[Keys]:
    """Yield the children of a layer, and the keys of `beside`, in a share, ascending; raises `Unsorted`.

    Each array is overwritten by the next.
    """
    children = ChildStreams(expansion, 0, expansion.layer.pieces, beside)
    children.skip_to(share.begins, share.low)
    words = KEYS_PER_BIT_WINDOW // 64
    window = BitWindow(np.zeros(words, np.uint64), np.zeros(words // 64, np.uint64))
    out, used, reason = np.empty(2 * KEYS_PER_BIT_WINDOW, np.int64), 0, 0
    while reason != DONE:
        written, reason = merge_sorted(children.rows, children.window_state, share.stop, window, out[used:])
        used += written
        if reason == UNSORTED or (used and out[0] < share.low):
            raise Unsorted
        if reason >= 0:
            children.fill(reason)
        elif used:
            yield out[:used]
            used = 0
    if (children.parent_ranks() != share.ends).any():
        raise Unsorted


def relax_all(streams: ChildStreams, below: LabelStreams, best: Labels) -> None:
    """Give all parents the labels of their best children, as `relax_parents`; raises `Unsorted`."""
    none = int(np.iinfo(best.dtype).min)
    table: Labels = np.empty(KEYS_PER_LABEL_WINDOW, best.dtype)
    children, window = streams.children, streams.window_state
    while (reason := relax_parents(children, window, table, below.rows, best, none)) != DONE:
        if reason == UNSORTED:
            raise Unsorted
        if reason < streams.actions:
            streams.fill(reason)
        else:
            below.fill(reason - streams.actions, int(window[0]))


def _bounds(expansion: LayerExpansion) -> list[int]:
    """The keys that divide the children of a layer into about equal parts."""
    layer, rules, shards = expansion.layer, expansion.context.rules, expansion.context.job.shards
    is_large = layer.pieces > PIECES_SAMPLED
    parents = layer.firsts if is_large else layer.read(0, layer.pieces)[::SAMPLE]
    sample = np.sort(rules.every_child(parents)[0])
    children = len(sample) * (PIECE if is_large else SAMPLE)
    parts = max(children // CHILDREN_PER_SHARE, min(shards, children // MIN_CHILDREN_PER_SHARE), 2)
    cuts = sample[[len(sample) * nth // parts for nth in range(1, parts)]] if len(sample) else sample
    return sorted({*cuts.tolist()} - {0})
