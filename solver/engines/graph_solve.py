"""Solves a game as a graph of its states, whose labelled nodes are the rows of a readable database."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from pathlib import Path
from typing import Any

from solver.database.entry import PositionRow
from solver.database.metadata import Metadata
from solver.database.packed.label_code import smallest_label_code
from solver.database.readable.writer import Row, batches
from solver.database.schema import FORMAT
from solver.engines.graph_states import Graph, explore, is_layered, label, label_before
from solver.engines.memory import PERCENT_FOR_STATES
from solver.engines.options import SolveOptions
from solver.engines.solved_file import names_of, write_solved
from solver.engines.states import STATES_PER_REPORT, Successors
from solver.errors import BrokenRules
from solver.game import ENDLESS, AnyGame, outcome_of
from solver.rules.folding import Folding
from solver.rules.notation import write_position
from solver.system import resources
from solver.system.progress import Progress


def _facts(game: AnyGame, graph: Graph) -> Metadata:
    values = [value for _, value in graph.nodes.data("value")]
    return Metadata(
        folding=Folding(game, graph.graph["folded"]),
        layout=FORMAT,
        start=graph.graph["start"],
        starts=graph.graph["starts"],
        endless=graph.graph["endless"],
        values=(min(values), max(values)),
        states=len(graph),
        terminal=sum(1 for _, utility in graph.nodes.data("utility") if utility is not None),
        moves=sum(len(moves) for _, moves in graph.nodes.data("moves", default=())),
    )


def _positions(
    game: AnyGame, graph: Graph, ids: dict[Any, int], names: dict[Any, str | int], progress: Progress
) -> Iterator[Row]:
    layered = is_layered(graph)
    for state, node in graph.nodes.data():
        yield PositionRow(
            id=ids[state],
            position=write_position(game, state),
            to_move=game.players[node["to_move"]],
            ply=node["depth"] if layered else None,
            value=node["value"],
            outcome=outcome_of(node["value"], node["to_move"]),
            remoteness=node["remoteness"],
            best_move=names[node["best"][0]] if node["best"] else None,
            is_terminal=int("utility" in node),
        )
        if ids[state] % STATES_PER_REPORT == 0:
            progress("writing positions", ids[state], len(graph))


def _moves(
    graph: Graph, ids: dict[Any, int], names: dict[Any, str | int], progress: Progress
) -> Iterator[Row]:
    for state, node in graph.nodes.data():
        label = node["value"], node["remoteness"]
        if len({names[action] for action, _ in node.get("moves", ())}) < len(node.get("moves", ())):
            raise BrokenRules(f"two actions have the same name in the state {state!r}")
        for action, child in node.get("moves", ()):
            offer = label_before(graph, graph.nodes[child])
            outcome = outcome_of(graph.nodes[child]["value"], node["to_move"])
            yield ids[state], names[action], ids[child], outcome, offer[1], int(offer == label)
        if ids[state] % STATES_PER_REPORT == 0:
            progress("writing moves", ids[state], len(graph))


def write_graph(
    game: AnyGame,
    options: SolveOptions,
    path: Path,
    starts: Iterable[Hashable] | None = None,
    ask: Callable[[Any], Successors] | None = None,
) -> None:
    """Write the readable database of `game` to a new file at `path`; raises as `explore` and `write_solved`.

    Play begins in the `starts`, by default the start of the options or the initial states. `ask`, if given,
    asks the rules. Raises `UnfitRules` before states are labelled if the packed layout is wanted and cannot
    hold the utilities.
    """
    progress = options.progress
    graph = explore(
        game,
        starts or options.own_start(game),
        fold=options.fold,
        budget=resources.room(options.memory) * PERCENT_FOR_STATES // 100,
        ask=ask,
        progress=progress,
    )
    if options.layout == "packed":
        has_loops = not is_layered(graph)
        last = 0 if has_loops else max(depth for _, depth in graph.nodes.data("depth"))
        greatest = max(abs(utility) for _, utility in graph.nodes.data("utility", default=0))
        smallest_label_code(last, greatest, ENDLESS[options.endless], has_loops=has_loops)
    label(graph, options.endless, progress=progress)
    names = names_of(
        game, (action for _, moves in graph.nodes.data("moves", default=()) for action, _ in moves)
    )
    ids = {state: number for number, state in enumerate(graph, start=1)}
    rows = (
        batches(_positions(game, graph, ids, names, progress)),
        batches(_moves(graph, ids, names, progress)),
    )
    write_solved(path, _facts(game, graph), graph, names.values(), *rows)
