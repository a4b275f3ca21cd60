"""The forward pass: breadth-first search with a layer as its frontier, from the starts to the last ply.

    the states of a layer            children of its open states             the next layer
    0007.open.* 0007.terminal.* -->  in ranges of the key space, sorted  --> 0008.open.* 0008.terminal.*

A layer is stored as its open (non-terminal) states and its terminal states. With windows, ranges are produced
in order and written at once. Otherwise parts of the children become sorted runs, from which the ranges are
merged. In a folded solve the few representatives of non-canonical children are sorted first, see orbits.py.

The number of all states is estimated from the growth of the layers: the ratio of each layer to the one before
falls steadily, as in four in a row on four rows of four:

    layer    ...   400400  895950  1433520  1962576  1962576  1543080  ...
    ratio    ...      2.5    2.24      1.6     1.37        1     0.79  ...
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from solver.database.packed.label_code import smallest_label_code
from solver.engines.layers.matching import is_dense_enough, sort_children
from solver.engines.layers.opened import Layers
from solver.engines.layers.orbits import collect_representatives
from solver.engines.layers.windows.merge import Share, children_in, shares_of
from solver.engines.layers.windows.streams import Unsorted
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import key_shards
from solver.engines.storage.merging import KeyRange, Names, merged, ranges, ranges_by_shard
from solver.engines.storage.records import FoundLayer
from solver.engines.storage.steps import Answer
from solver.errors import UnfitRules
from solver.packed import STATE_BITS
from solver.rules.arrays import Keys, in_order, max_abs_value
from solver.system.executors import OnProgress

RATIOS = 8
"""The number of last ratios to which a line is fitted: even, as ratios alternate with the player."""

MAX_RATIO = 2
"""The ratio below which ratios fall linearly; above it they fall ever more slowly."""

MAX_LAYERS = 1000
"""The most layers of an extrapolation."""


def expected_states(layers: Sequence[int]) -> int | None:
    """The number of states in the layers so far, of these sizes, and in those to come; None if unknown.

    A line is fitted to the last `RATIOS` ratios by least squares and extrapolated: layers grow while it is
    above 1, then shrink, and end where it reaches 0. The number is unknown if there are too few ratios, if
    the line is not yet below `MAX_RATIO`, and if it does not fall.
    """
    if len(layers) <= RATIOS or min(layers) == 0:
        return None
    sizes = np.array(layers[-RATIOS - 1 :], np.float64)
    slope, first = np.polyfit(np.arange(RATIOS), sizes[1:] / sizes[:-1], 1)
    ratios = first + slope * np.arange(RATIOS, RATIOS + MAX_LAYERS)
    if slope >= 0 or ratios[0] >= MAX_RATIO or ratios[-1] > 0:
        return None
    growth = np.cumsum(np.log(ratios[ratios > 0]))
    if np.log(sizes[-1]) + growth.max(initial=0) >= STATE_BITS * np.log(2):
        return None
    return sum(layers) + round(float(sizes[-1] * np.exp(growth).sum()))


@dataclass(frozen=True)
class FindByWindows:
    """Find the states at a ply in a range of keys, by windows."""

    ply: int
    nth: int
    share: Share

    def run(self, layers: Layers, on_progress: OnProgress) -> Answer:
        """Write a shard of the layer; return the facts about it. Raises `Unsorted`."""
        beside = layers.representatives(self.ply) if layers.context.fold else None
        keys = children_in(layers.expansion(self.ply - 1), self.share, beside)
        return _write(layers.context, self.ply, self.nth, keys, on_progress)


@dataclass(frozen=True)
class MergeChildren:
    """Merge the sorted runs of the children at a ply, in some ranges of keys."""

    ply: int
    nth: int
    runs: Names
    ranges: tuple[KeyRange, ...]

    def run(self, layers: Layers, on_progress: OnProgress) -> Answer:
        """Write a shard of the layer; return the facts about it."""
        keys = merged(layers.context, self.runs, self.ranges)
        return _write(layers.context, self.ply, self.nth, keys, on_progress)


@dataclass(frozen=True)
class FindRepeats:
    """Look for a state with a key in [low, high) that is in two of the first layers."""

    layers: int
    low: int
    high: int

    def run(self, layers: Layers, on_progress: OnProgress) -> Answer:
        """The first such state, or None."""
        files = layers.all_states(self.layers)
        keys = in_order(np.concatenate([file.between(self.low, self.high) for file in files]))
        again = np.flatnonzero(keys[1:] == keys[:-1])
        on_progress(len(keys))
        return {"states": len(keys), "state": int(keys[again[0]]) if len(again) else None}


def refuse_repeats(opened: Layers, layers: int) -> None:
    """Raise `UnfitRules` if a state is in two of the first `layers` layers, as happens if play can return.

    All layers are read in the same ranges of keys, and each range is sorted.
    """
    files = opened.all_states(layers)
    states = sum(file.states for file in files)
    tasks = [FindRepeats(layers, *bounds) for bounds in ranges(files, opened.context.keys_per_sort)]
    on_progress = opened.context.counted("looking for repeats", states, layers - 1)
    for answer in opened.run("repeats", tasks, on_progress):
        if (state := answer["state"]) is not None:
            raise UnfitRules(
                f"the layers engine cannot solve this game, as its state {state} is reached in more than one "
                "number of plies: use --engine arrays"
            )


def find_layers(opened: Layers, starts: Keys, known_states: int | None = None) -> list[FoundLayer]:
    """Write all layers that play from `starts` reaches to the work folder; return a record of each.

    Progress is measured against `known_states`, or else an estimate; see `expected_states`. Raises
    `UnfitRules` if no label can hold a utility, and if a state is reached at two plies. Unless the rules
    confirm the ply of every state, that is looked for whenever the number of states has doubled, as play may
    return for ever, and at the end.
    """
    context = opened.context
    layers, sizes = list[FoundLayer](), list[int]()
    done, expected, is_confirmed = 0, known_states, True
    checked = inf if context.work.facts("found") else 0  # inf: all are checked, and may be deleted
    while not layers or layers[-1].open_states:
        ply = len(layers)
        layers.append(FoundLayer.read(context.work, ply) or _find_layer(opened, ply, done, expected, starts))
        sizes.append(layers[-1].states)
        done, expected = done + sizes[-1], expected_states(sizes) if known_states is None else known_states
        is_confirmed &= layers[-1].is_confirmed
        is_due = done > checked and (done >= 2 * checked or not layers[-1].open_states)
        if is_due and not is_confirmed:
            refuse_repeats(opened, len(layers))
            checked = done
    if not context.work.facts("found"):
        context.work.finish("found", {"layers": len(layers)})
    context.progress("finding states", done, done, len(layers) - 1)
    return layers


def _find_layer(opened: Layers, ply: int, done: int, expected: int | None, starts: Keys) -> FoundLayer:
    context = opened.context
    on_progress = context.counted("finding states", expected, ply, done)
    if ply == 0:
        return _finished(context, ply, [_write(context, ply, 0, [starts], on_progress)])
    parents, task = opened.states(ply - 1, 0), "sorting states"
    if is_dense_enough(parents):
        try:
            if context.fold:
                collect_representatives(opened, parents, ply)
            shares = shares_of(opened.expansion(ply - 1), ply)
            tasks = [FindByWindows(ply, nth, share) for nth, share in enumerate(shares)]
            return _finished(context, ply, opened.run(f"{ply:04}.windows", tasks, on_progress))
        except Unsorted:
            task = "sorting states, as their order is not that of their parents"
    context.work.drop(ply, "windows", "open", "terminal", "representatives", "folded")
    runs = sort_children(opened, ply, "children.run", context.counted(task, parents.states, ply))
    shards = ranges_by_shard(context, runs)
    merges = [MergeChildren(ply, nth, runs, shard) for nth, shard in enumerate(shards)]
    layer = _finished(context, ply, opened.run(f"{ply:04}.merging", merges, on_progress))
    context.work.drop(ply, "children.run")
    return layer


def _finished(context: SolveContext, ply: int, answers: Sequence[Answer]) -> FoundLayer:
    """Mark a layer, whose shards are written, as found; raises `UnfitRules` if no label holds a utility."""
    layer = FoundLayer(
        open_states=sum(answer["open"] for answer in answers),
        terminal=sum(answer["terminal"] for answer in answers),
        margin=max((answer["margin"] for answer in answers), default=0),
        is_confirmed=all(answer["is_confirmed"] for answer in answers),
        shards=len(answers),
    )
    smallest_label_code(ply, layer.margin, context.endless_value)
    return layer.write(context.work, ply)


def _write(
    context: SolveContext, ply: int, nth: int, parts: Iterable[Keys], on_progress: OnProgress
) -> Answer:
    """Write ascending states, if folded the canonical ones alone, as a shard of a layer; return facts."""
    rules, margin, ply_is_known = context.rules, 0, True
    with key_shards(context, ply, nth, "open", "terminal") as (open_file, terminal_file):
        for keys in parts:
            open_states, terminal = rules.open_and_terminal(keys, folded=context.fold)
            open_file.add(open_states)
            terminal_file.add(terminal)
            margin = max(margin, max_abs_value(rules.utilities(terminal)))
            for states in (open_states, terminal):
                ply_is_known = ply_is_known and context.ply_is_known(states, ply)
                on_progress(len(states))
    return {
        "states": open_file.states + terminal_file.states,
        "open": open_file.states,
        "terminal": terminal_file.states,
        "margin": margin,
        "is_confirmed": ply_is_known,
    }
