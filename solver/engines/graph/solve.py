"""Solves a game as a graph of its states, into a readable database."""

from collections.abc import Hashable, Iterable
from pathlib import Path

from solver.database.packed.label_code import code_for
from solver.engines.graph.reachable import explore, is_layered
from solver.engines.graph.retrograde import label
from solver.engines.graph.rows import build
from solver.engines.memory import PERCENT_WHEN_FOUND
from solver.engines.options import SolveOptions
from solver.engines.successors import Ask
from solver.game import ENDLESS, AnyGame
from solver.system import resources


def write_graph(
    game: AnyGame,
    options: SolveOptions,
    path: Path,
    starts: Iterable[Hashable] | None = None,
    ask: Ask | None = None,
) -> None:
    """Write the readable database of `game` to a new file at `path`; raises as `explore` and `build` do.

    Play begins in the `starts`, by default the own start of the options, or the initial states. The rules are
    asked by `ask` if it is given. If the packed layout is wanted and cannot hold the utilities, `UnfitRules`
    is raised before states are labelled.
    """
    graph = explore(
        game,
        starts or options.own_start(game),
        fold=options.fold,
        budget=resources.room(options.memory) * PERCENT_WHEN_FOUND // 100,
        ask=ask,
        progress=options.progress,
    )
    if options.layout == "packed":
        last = max(depth for _, depth in graph.nodes.data("depth"))
        greatest = max(abs(utility) for _, utility in graph.nodes.data("utility", default=0))
        code_for(last, greatest, ENDLESS[options.endless], is_layered=is_layered(graph))
    label(graph, options.endless, progress=options.progress)
    build(game, graph, path, progress=options.progress)
