"""The forward pass: breadth-first search with a layer as its frontier, from the starts to the last ply.

    the states of a layer        children of its open states                   the next layer
    0007.going  0007.ended  -->  in ranges of the key space, sorted       -->  0008.going  0008.ended

A layer is kept as its open (non-terminal) states, `.going`, and its terminal states, `.ended`. Where windows
can be used, the ranges come out sorted and each is written as it comes. Otherwise parts of the children
become sorted runs, out of which the ranges are merged. In a folded solve the few representatives of
non-canonical children are sorted first, see orbits.py.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.database.packed.gap_codec import Pieces, joined, packed
from solver.database.packed.label_code import smallest_label_code
from solver.engines.context import SolveContext
from solver.engines.layers.disjoint import refuse_repeats
from solver.engines.layers.expansion import LayerExpansion
from solver.engines.layers.growth import expected_states
from solver.engines.layers.orbits import sorted_representatives
from solver.engines.layers.sort_search import sorted_children
from solver.engines.layers.strategy import is_dense_enough, map_sorted_ranges
from solver.engines.layers.windows.child_streams import Unsorted
from solver.engines.storage.key_file import KeyFile, KeyWriter
from solver.rules.arrays import Keys, max_abs_value

if TYPE_CHECKING:  # it needs numba, which is an extra
    from solver.engines.layers.windows.merge import Task


@dataclass(frozen=True)
class LayerPart:
    """The states of a layer in one range of keys."""

    open_states: Pieces
    terminal_states: Pieces
    margin: int
    """The greatest absolute utility."""
    ply_is_known: bool
    """Whether the rules confirm the ply of every state."""


class _Before(NamedTuple):
    """The states found in earlier layers, and those expected in all; None if that is unknown."""

    states: int
    expected: int | None

    def report(self, context: SolveContext, more: int, ply: int) -> None:
        """Tell the progress after `more` states, at `ply`; none is expected any more if as many are there."""
        done = self.states + more
        total = self.expected if self.expected is not None and self.expected > done else None
        context.progress("finding states", done, total, ply)


def find_layers(context: SolveContext, starts: Keys, known_states: int | None = None) -> list[dict[str, Any]]:
    """Write all layers that play from `starts` reaches to the work folder; return the facts about each.

    The progress is told against the `known_states`, or else an estimate; see growth.py.

    Raises `UnfitRules` if a state is reached at two plies, as where play returns, and if no label can hold a
    utility.
    """
    layers: list[dict[str, Any]] = []
    before, checked = _Before(0, known_states), 0
    while not layers or layers[-1]["going"]:
        ply = len(layers)
        facts = context.work.facts(f"{ply:04}.found")
        if facts is None:
            facts = _write_layer(context, ply, before, starts)
        layers.append(facts)
        before = _after(layers, known_states)
        found = before.states
        if not all(layer["told"] for layer in layers) and found >= 2 * checked:
            refuse_repeats(context, len(layers))
            checked = found
    if not context.work.facts("found"):
        if not all(layer["told"] for layer in layers) and checked < found:
            refuse_repeats(context, len(layers))
        context.work.finish("found", {"layers": len(layers)})
    context.progress("finding states", found, found, len(layers) - 1)
    return layers


def _after(layers: Sequence[dict[str, Any]], known_states: int | None) -> _Before:
    """The states found in these layers, and those expected in all."""
    sizes = [layer["going"] + layer["ended"] for layer in layers]
    return _Before(sum(sizes), expected_states(sizes) if known_states is None else known_states)


def _write_layer(context: SolveContext, ply: int, before: _Before, starts: Keys) -> dict[str, Any]:
    """Find and write the layer at `ply`, after those `before`. Return the facts about it."""
    if ply == 0:
        return _written(context, ply, before, [_split(context, ply, [starts])])
    parents, task = context.work.open_states(ply - 1), "sorting states"
    try:
        if is_dense_enough([parents]):
            return _written(context, ply, before, _found_by_windows(context, parents, ply))
    except Unsorted:
        task = "sorting states, as their order is not that of their parents"
    return _written(context, ply, before, _found_by_sorting(context, parents, ply, task))


def _written(context: SolveContext, ply: int, before: _Before, parts: Iterable[LayerPart]) -> dict[str, Any]:
    """Write the parts of a layer to disk and return the facts about it.

    Raises `UnfitRules` if no label can hold a utility.
    """
    work, margin, ply_is_known = context.work, 0, True
    with (
        KeyWriter(work.file(ply, "going")) as open_states,
        KeyWriter(work.file(ply, "ended")) as terminal_states,
    ):
        for part in parts:
            context.need_disk(len(part.open_states.data) + len(part.terminal_states.data))
            open_states.write(part.open_states)
            terminal_states.write(part.terminal_states)
            margin, ply_is_known = max(margin, part.margin), ply_is_known and part.ply_is_known
            smallest_label_code(ply, margin, context.level)
            before.report(context, open_states.states + terminal_states.states, ply)
    facts = {
        "going": open_states.states,
        "ended": terminal_states.states,
        "margin": margin,
        "told": ply_is_known,
    }
    work.finish(f"{ply:04}.found", facts)
    return facts


def _found_by_windows(context: SolveContext, layer: KeyFile, ply: int) -> Iterator[LayerPart]:
    from solver.engines.layers.windows.merge import children_in, tasks

    expansion = LayerExpansion(context, layer)
    representatives = sorted_representatives(context, layer, ply) if context.fold else None

    def found(task: "Task") -> LayerPart:
        keys = children_in(expansion, task, representatives)
        return _split(context, ply, _canonical(context, keys) if context.fold else keys)

    return context.map_ordered(found, tasks(expansion, ply))


def _canonical(context: SolveContext, parts: Iterable[Keys]) -> Iterator[Keys]:
    """The canonical states among the keys of each part."""
    return (keys[context.rules.canonical(keys) == keys] for keys in parts)


def _found_by_sorting(context: SolveContext, layer: KeyFile, ply: int, task: str) -> Iterator[LayerPart]:
    context.work.drop(ply, "standing")
    return map_sorted_ranges(
        context,
        context.work.file(ply, "children"),
        sorted_children(context, layer, ply, task),
        lambda keys: _split(context, ply, keys),
    )


def _split(context: SolveContext, ply: int, parts: Iterable[Keys]) -> LayerPart:
    """Split states of a layer, ascending from part to part, into open and terminal ones."""
    rules, open_states, terminal_states, margin, ply_is_known = context.rules, [], [], 0, True
    for keys in parts:
        is_terminal = rules.terminal(keys)
        terminal = keys[is_terminal]
        open_states.append(packed(keys[~is_terminal]))
        terminal_states.append(packed(terminal))
        margin = max(margin, max_abs_value(rules.utilities(terminal)))
        ply_is_known = ply_is_known and context.ply_is_known(keys, ply)
    return LayerPart(joined(open_states), joined(terminal_states), margin, ply_is_known)
