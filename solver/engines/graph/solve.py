"""Solves a game as a graph of its states, into a readable database."""

from collections.abc import Hashable, Iterable
from pathlib import Path

from solver.database.packed.label_code import code_for
from solver.engines.graph.reachable import Ask, Graph, explore, is_layered
from solver.engines.graph.retrograde import label
from solver.engines.graph.rows import build
from solver.engines.memory import PERCENT_WHEN_FOUND, memory_budget
from solver.engines.options import SolveOptions
from solver.game import ENDLESS, AnyGame
from solver.system import resources


def solve_graph(game: AnyGame, options: SolveOptions, part: Path) -> None:
    """Write the readable database of `game` to a new file at `part`; raises as `explore`, `write_graph`."""
    with memory_budget(options.memory):
        write_graph(explored(game, options), options, part)


def explored(
    game: AnyGame,
    options: SolveOptions,
    starts: Iterable[Hashable] | None = None,
    at_most: int | None = None,
    ask: Ask | None = None,
) -> Graph:
    """The graph of all states, as `explore` makes it, within the memory that the options allow."""
    return explore(
        game,
        starts or options.own_start(game),
        fold=options.fold,
        at_most=at_most,
        budget=resources.room(options.memory) * PERCENT_WHEN_FOUND // 100,
        ask=ask,
        progress=options.progress,
    )


def write_graph(graph: Graph, options: SolveOptions, part: Path) -> None:
    """Label the `graph` and write its readable database to a new file at `part`; raises as `build` does.

    If the packed layout is wanted and cannot hold the utilities, it raises `UnfitRules` before that.
    """
    if options.layout == "packed":
        last = max(depth for _, depth in graph.nodes.data("depth"))
        greatest = max(abs(utility) for _, utility in graph.nodes.data("utility", default=0))
        code_for(last, greatest, ENDLESS[options.endless], is_layered=is_layered(graph))
    label(graph, options.endless, progress=options.progress)
    build(graph.graph["game"], graph, part, progress=options.progress)
