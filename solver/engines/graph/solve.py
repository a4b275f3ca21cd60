"""Solves a game as a graph of its states, into a readable database."""

from pathlib import Path

from solver.database.packed.label_code import code_for
from solver.engines.graph.reachable import Graph, explore, graph_budget, is_layered
from solver.engines.graph.retrograde import label
from solver.engines.graph.rows import build
from solver.engines.options import SolveOptions
from solver.game import ENDLESS, AnyGame
from solver.rules.notation import read_position
from solver.system.progress import Progress, no_progress


def write_graph(game: AnyGame, options: SolveOptions, part: Path, graph: Graph | None = None) -> None:
    """Solve `game` and write its readable database to a new file at `part`.

    If its `graph` is known, it is not explored again. Raises as `solved_graph` and `build` do, and `TooLarge`
    if that takes more memory than the options allow.
    """
    with graph_budget(options.memory) as budget:
        if graph is None:
            graph = solved_graph(
                game, options.start, options.endless, options.fold, options.progress, budget, options.layout
            )
        else:
            label(graph, options.endless, progress=options.progress)
        build(game, graph, part, progress=options.progress)


def solved_graph(
    game: AnyGame,
    start: str | None = None,
    endless: str = "draw",
    fold: bool = False,
    progress: Progress = no_progress,
    budget: int | None = None,
    layout: str = "auto",
) -> Graph:
    """Return the labelled graph of all states, or symmetry classes, that play from `start` can reach.

    Raises as `explore` does, to which `budget` is passed on, and before any state is labelled `UnfitRules` if
    the `layout` is `packed` and cannot hold the utilities.
    """
    starts = None if start is None else [read_position(game, start)]
    graph = explore(game, starts, fold=fold, budget=budget, progress=progress)
    if layout == "packed":
        code_for(*_extent(graph), ENDLESS[endless], is_layered=is_layered(graph))
    label(graph, endless, progress=progress)
    return graph


def _extent(graph: Graph) -> tuple[int, int]:
    """The last ply, and the greatest utility, signs aside."""
    last = max(depth for _, depth in graph.nodes.data("depth"))
    utilities = (abs(utility) for _, utility in graph.nodes.data("utility") if utility is not None)
    return last, max(utilities, default=0)
