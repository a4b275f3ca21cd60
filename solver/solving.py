"""From the rules to the finished database: explore, label, build."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from solver.builder import atomic_target, build
from solver.errors import UsageError
from solver.game import ENDLESS
from solver.graph import Graph, Progress, explore, no_progress
from solver.notation import read_position
from solver.plugins import AnyGame
from solver.retrograde import best_actions, label


@dataclass(frozen=True)
class Summary:
    """What a solve found."""

    states: int
    """Reachable states, or classes of symmetric states, terminal ones included."""
    terminal: int
    """Terminal states."""
    value: int
    """The minimax value of the start, for the first player."""
    remoteness: int | None
    """Plies to the end from the start under best play; None where play goes on for ever."""
    to_move: int
    """The player to move in the start."""
    best_move: str | int | None
    """The first best move in the start, by name; None where the start is terminal."""
    folded: bool
    """Whether symmetric states were counted, and solved, as one."""
    scored: bool
    """Whether it matters by how much the game is won: whether some utility is other than -1, 0 and 1."""
    seconds: float
    """How long it took, by the wall clock."""


def solve(
    game: AnyGame,
    path: str | Path,
    *,
    start: str | None = None,
    endless: str = "draw",
    fold: bool = False,
    engine: str = "auto",
    force: bool = False,
    progress: Progress = no_progress,
) -> Summary:
    """Solve `game` from `start` (a position; default: the initial states) into a new database at `path`.

    Play that never ends is a `draw`, or won by the player whom `endless` says: `first` or `second`. With
    `fold` the file has one state of each class of symmetric states, and answers for all of them.

    Raises `UnreadablePosition`, `TooLarge`, `BrokenRules`, `TargetExists`, `TargetBusy` or `MissingFile`
    (no such folder); then nothing was written, and with `force` an older file at `path` is still there.
    """
    began = time.perf_counter()
    if endless not in ENDLESS:
        raise UsageError(f"endless play cannot go to {endless!r}; it can go to {', '.join(ENDLESS)}")
    if engine not in ENGINES:
        raise UsageError(f"there is no engine {engine!r}; there are {', '.join(ENGINES)}")
    with atomic_target(Path(path), force=force) as part:
        graph = ENGINES[engine](game, start, endless, fold, progress)
        build(game, graph, part, progress=progress)
    node = graph.nodes[next(iter(graph))]
    return Summary(
        states=len(graph),
        terminal=sum(1 for _, utility in graph.nodes.data("utility") if utility is not None),
        value=node["value"],
        remoteness=node["remoteness"],
        to_move=node["to_move"],
        best_move=_best_move(game, graph),
        folded=fold,
        scored=any(abs(value) > 1 for _, value in graph.nodes.data("value")),
        seconds=time.perf_counter() - began,
    )


def solved_graph(
    game: AnyGame,
    start: str | None = None,
    endless: str = "draw",
    fold: bool = False,
    progress: Progress = no_progress,
) -> Graph:
    """The labelled graph of every state, or class of states, that play from `start` can reach."""
    starts = None if start is None else [read_position(game, start)]
    graph = explore(game, starts, fold=fold, progress=progress)
    label(graph, endless, progress=progress)
    return graph


def _best_move(game: AnyGame, graph: Graph) -> str | int | None:
    """The first best move in the start, by name; None where the game is over."""
    best = set(best_actions(graph, root := next(iter(graph))))
    children = {child for action, child in graph.nodes[root].get("moves", ()) if action in best}
    start, folded = graph.graph["start"], graph.graph["folded"]
    for action in game.actions(start):
        child = game.result(start, action)
        if (game.canonical(child) if folded else child) in children:
            return game.action_name(action)
    return None


ENGINES: dict[str, Callable[[AnyGame, str | None, str, bool, Progress], Graph]] = {
    "auto": solved_graph,
    "graph": solved_graph,
}
"""The engines by name; `auto` is the best of them for the game."""
