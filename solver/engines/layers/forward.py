"""The layers of a game, from its starts to the last ends of play.

    the states of a layer        children of those in which play goes on       the next layer
    0007.going  0007.ended  -->  in ranges of the key space, sorted       -->  0008.going  0008.ended

Where windows can be used the ranges come out sorted, and each is written as it comes. Else parts of the
children are sorted runs, out of which the ranges are taken. Where symmetric states are one, the few that
stand for others are sorted first, see orbits.py.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.database.packed.gap_codec import Pieces, joined, packed
from solver.database.packed.label_code import smallest_label_code
from solver.engines.layers.context import SolveContext
from solver.engines.layers.disjoint import refuse_repeats
from solver.engines.layers.expansion import LayerExpansion
from solver.engines.layers.orbits import standing
from solver.engines.layers.sort_search import sorted_children
from solver.engines.layers.storage.key_file import KeyFile, KeyWriter
from solver.engines.layers.strategy import by_windows, from_runs
from solver.engines.layers.windows.child_streams import Disorder
from solver.rules.arrays import Keys, max_abs_value

if TYPE_CHECKING:  # it needs numba, which is an extra
    from solver.engines.layers.windows.merge import Task


@dataclass(frozen=True)
class Found:
    """A part of a layer."""

    going: Pieces
    ended: Pieces
    margin: int
    """The largest utility, signs aside."""
    told: bool
    """Whether the rules tell of each state the ply at which it is."""


def find_layers(engine: SolveContext, starts: Iterable[int]) -> list[dict[str, Any]]:
    """The facts about each layer that play from `starts` reaches; the layers are in the work folder then.

    Raises `UnfitRules` where a state is reached by ways of different length, as in play that returns, and
    where no label can hold a utility.
    """
    layers: list[dict[str, Any]] = []
    found = looked = 0
    while not layers or layers[-1]["going"]:
        ply = len(layers)
        facts = engine.work.facts(f"{ply:04}.found")
        if facts is None:
            facts = _write_layer(engine, ply, found, np.unique(np.array(list(starts), np.int64)))
        layers.append(facts)
        found += facts["going"] + facts["ended"]
        engine.progress("finding states", found, None, ply)
        if not all(layer["told"] for layer in layers) and found >= 2 * looked:
            refuse_repeats(engine, len(layers))
            looked = found
    if not engine.work.facts("found"):
        if not all(layer["told"] for layer in layers) and looked < found:
            refuse_repeats(engine, len(layers))
        engine.work.finish("found", {"layers": len(layers)})
    return layers


def _write_layer(engine: SolveContext, ply: int, before: int, starts: Keys) -> dict[str, Any]:
    """Find and write a layer, `before` which there are so many states."""
    if ply == 0:
        return _written(engine, ply, before, [_split(engine, ply, [starts])])
    layer = engine.work.going(ply - 1)
    try:
        if by_windows([layer]):
            return _written(engine, ply, before, _found_by_windows(engine, layer, ply))
    except Disorder:
        pass
    return _written(engine, ply, before, _found_by_sorting(engine, layer, ply))


def _written(engine: SolveContext, ply: int, before: int, parts: Iterable[Found]) -> dict[str, Any]:
    """The facts about a layer, which is on disk then.

    Raises `UnfitRules` where no label can hold a utility.
    """
    work, margin, told = engine.work, 0, True
    with KeyWriter(work.file(ply, "going")) as going, KeyWriter(work.file(ply, "ended")) as ended:
        for part in parts:
            engine.need_disk(len(part.going.data) + len(part.ended.data))
            going.write(part.going)
            ended.write(part.ended)
            margin, told = max(margin, part.margin), told and part.told
            smallest_label_code(ply, margin, engine.level)
            engine.progress("finding states", before + going.states + ended.states, None, ply)
    facts = {"going": going.states, "ended": ended.states, "margin": margin, "told": told}
    work.finish(f"{ply:04}.found", facts)
    return facts


def _found_by_windows(engine: SolveContext, layer: KeyFile, ply: int) -> Iterator[Found]:
    from solver.engines.layers.windows.merge import children_in, tasks

    played = LayerExpansion(engine, layer)
    beside = standing(engine, layer, ply) if engine.fold else None

    def found(task: "Task") -> Found:
        keys = children_in(played, task, beside)
        return _split(engine, ply, _canonical(engine, keys) if engine.fold else keys)

    return engine.each(found, tasks(played, ply))


def _canonical(engine: SolveContext, parts: Iterable[Keys]) -> Iterator[Keys]:
    """Those states that stand for their class."""
    return (keys[engine.rules.canonical(keys) == keys] for keys in parts)


def _found_by_sorting(engine: SolveContext, layer: KeyFile, ply: int) -> Iterator[Found]:
    engine.work.drop(ply, "standing")
    return from_runs(
        engine,
        engine.work.file(ply, "children"),
        sorted_children(engine, layer, ply),
        lambda keys: _split(engine, ply, keys),
    )


def _split(engine: SolveContext, ply: int, parts: Iterable[Keys]) -> Found:
    """The states of part of a layer, by whether play goes on."""
    rules, going, ended, margin, told = engine.rules, [], [], 0, True
    for keys in parts:
        over = rules.ends(keys)
        ends = keys[over]
        going.append(packed(keys[~over]))
        ended.append(packed(ends))
        margin = max(margin, max_abs_value(rules.utilities(ends)))
        told = told and engine.tells(keys, ply)
    return Found(joined(going), joined(ended), margin, told)
