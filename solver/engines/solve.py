"""From the rules to the finished database: by the graph, or layer by layer."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING

from solver.database import open_database
from solver.database.packed.label_code import smallest_label_code
from solver.engines.conversion import LAYOUTS, convert
from solver.engines.forecast import forecast, refuse_hopeless
from solver.errors import BrokenRules, UnfitRules, UsageError, shown
from solver.game import ENDLESS, AnyGame
from solver.packed import STATE_BITS, PackedGame
from solver.rules.asking import bound_of
from solver.rules.failures import rules_asked
from solver.rules.loading import note_rules, refuse_unfit
from solver.rules.notation import read_position
from solver.system.files import atomic_target
from solver.system.progress import Progress, no_progress
from solver.system.resources import bounded

if TYPE_CHECKING:
    from solver.engines.graph.reachable import Graph

READABLE = 200_000
"""Up to so many states `auto` takes the graph, whose database any SQLite client can read."""


UNPACKABLE, ANY_GAME = "the packed layout cannot hold", "use --layout readable"


def _say_nothing(sentence: str) -> None:
    """Say nothing."""


@dataclass(frozen=True)
class Task:
    """What is to be solved, and how."""

    game: AnyGame
    start: str | None = None
    """The position in which play begins; None for the initial states of the rules."""
    endless: str = "draw"
    """Who gets play that never ends."""
    layout: str = "auto"
    """The layout of the database, by name; `auto` for what the engine writes."""
    fold: bool = False
    """Whether one state stands for all that are symmetric to it."""
    memory: int | None = None
    """How many bytes this process may hold; None for what the machine has, less a margin."""
    force: bool = False
    """Whether what is in the way is thrown away."""
    progress: Progress = no_progress
    say: Callable[[str], object] = _say_nothing
    """Called with what the user should know beforehand."""


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
    """Plies to the end from the start under best play; None where play need not end."""
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
    layout: str = "auto",
    memory: int | None = None,
    force: bool = False,
    progress: Progress = no_progress,
    say: Callable[[str], object] = _say_nothing,
) -> Summary:
    """Solve `game` from `start` (a position; default: the initial states) into a new database at `path`.

    Play that never ends is a `draw`, or won by the player whom `endless` says: `first` or `second`. With
    `fold` the file has one state of each class of symmetric states, and answers for all of them. The `layout`
    is `readable` or `packed`, or what the engine writes. `memory` is
    how many bytes the process may hold; what it will need is told to `say` beforehand. What the layers engine
    has finished is kept in the folder `<path>.work` until the database is there; the same call goes on with
    it.

    Raises `UnreadablePosition`, `TooLarge`, `UnfitRules`, `BrokenRules`, `DiskFull`, `OtherWork`,
    `TargetExists`, `TargetBusy` or `MissingFile` (no such folder); then nothing was written at `path`, and
    with `force` an older file there is still there.
    """
    began = time.perf_counter()
    if endless not in ENDLESS:
        raise UsageError(f"endless play cannot go to {endless!r}; it can go to {', '.join(ENDLESS)}")
    if layout not in ("auto", *LAYOUTS):
        raise UsageError(f"there is no layout {layout!r}; there are auto, {', '.join(LAYOUTS)}")
    if engine not in ENGINES:
        raise UsageError(f"there is no engine {engine!r}; there are {', '.join(ENGINES)}")
    if layout == "packed" and not isinstance(game, PackedGame):
        raise UsageError(f"{UNPACKABLE} {type(game).__name__}, whose states are no integers: {ANY_GAME}")
    refuse_unfit(game)
    note_rules(game)
    task = Task(game, start, endless, layout, fold, memory, force, progress, say)
    work = Path(f"{Path(path)}.work")
    with atomic_target(Path(path), force=force, progress=progress) as part:
        ENGINES[engine](task, part, work)
        if layout != "auto":
            _lay_out(part, layout, progress)
        summary = _summary(game, part, began)
    if work.exists():
        from solver.engines.layers.storage.work_folder import Work  # with NumPy

        Work(work).remove()
    return summary


def solved_graph(
    game: AnyGame,
    start: str | None = None,
    endless: str = "draw",
    fold: bool = False,
    progress: Progress = no_progress,
    budget: int | None = None,
    layout: str = "auto",
) -> "Graph":
    """The labelled graph of every state, or class of states, that play from `start` can reach.

    Raises as `explore` does, which `budget` is for, and before it is labelled `UsageError` or
    `UnfitRules` where the `layout` cannot hold it.
    """
    from solver.engines.graph.reachable import explore  # with networkx, for which the layers would wait
    from solver.engines.graph.retrograde import label

    starts = None if start is None else [read_position(game, start)]
    graph = explore(game, starts, fold=fold, budget=budget, progress=progress)
    if layout == "packed":
        _refuse_unpackable(game, graph, endless)
    label(graph, endless, progress=progress)
    return graph


def _refuse_unpackable(game: AnyGame, graph: "Graph", endless: str) -> None:
    """Raise an error where the packed layout cannot hold the states of a graph, or their labels."""
    from solver.engines.graph.reachable import is_layered

    if not is_layered(graph):
        raise UsageError(
            f"{UNPACKABLE} {type(game).__name__}, where ways of different length lead to the same state: "
            f"{ANY_GAME}"
        )
    last = max(depth for _, depth in graph.nodes.data("depth"))
    utilities = (abs(utility) for _, utility in graph.nodes.data("utility") if utility is not None)
    smallest_label_code(last, max(utilities, default=0), ENDLESS[endless])


def _by_graph(task: Task, part: Path, work: Path) -> None:
    """Write the readable database of a game that was solved as a graph."""
    from solver.engines.graph.reachable import graph_budget
    from solver.engines.graph.rows import build  # with sqlite-utils

    with graph_budget(task.memory) as budget:
        graph = solved_graph(
            task.game, task.start, task.endless, task.fold, task.progress, budget, task.layout
        )
        build(task.game, graph, part, progress=task.progress)


def _by_layers(task: Task, part: Path, path: Path, *, more_than: int = 0) -> bool:
    """Write the packed database of a game that was solved by layers; see `solver.engines.layers.solve`."""
    if not isinstance(task.game, PackedGame):
        raise UnfitRules(
            f"the layers engine needs a game whose states are integers, which {type(task.game).__name__} "
            "is not: use --engine graph"
        )
    from solver.engines.layers import solve as layered  # with compilers, for which the graph would wait
    from solver.engines.layers.storage.work_folder import Work

    work = Work(path)
    if task.start is None:
        expected = forecast(task.game, path.parent, fold=task.fold, done=work.bytes)
        refuse_hopeless(expected)
        if expected is not None and expected.states > READABLE:
            task.say(f"{expected}")
    if task.start is None:
        starts = _packed_starts(task.game, task.memory)
    else:
        starts = (read_position(task.game, task.start),)
    its = layered.LayeredSolve(
        task.game, starts, task.endless, task.fold, task.memory, task.force, task.progress
    )
    return layered.write_layered(its, part, work, more_than=more_than)


def _packed_starts(game: PackedGame, memory: int | None) -> tuple[int, ...]:
    """The initial states, which are to fit into `memory`."""
    with rules_asked(game, "initial_states"), bounded(memory):
        starts = tuple(map(index, game.initial_states()))
    if not starts or not all(0 <= state < 2**STATE_BITS for state in starts):
        raise BrokenRules(
            f"the rules of {type(game).__name__} should give initial states from 0 to below 2**{STATE_BITS}, "
            f"not {shown(starts)}"
        )
    return starts


def _by_the_best(task: Task, part: Path, work: Path) -> None:
    """By layers where there are many states, if play is in layers; else by the graph."""
    bound = bound_of(task.game)
    if isinstance(task.game, PackedGame) and (bound is None or bound > READABLE):
        try:
            if _by_layers(task, part, work, more_than=READABLE):
                return
        except UnfitRules:
            pass
    _by_graph(task, part, work)


def _lay_out(part: Path, layout: str, progress: Progress) -> None:
    """Give a database another layout, unless it has that one already."""
    other = part.with_name(f"{part.name}.{layout}")
    with open_database(part) as db:
        if isinstance(db, LAYOUTS[layout]):
            return
        convert(db, other, layout, progress=progress)
    other.replace(part)


def _summary(game: AnyGame, path: Path, began: float) -> Summary:
    with open_database(path) as db:
        root = db[db.start]
        return Summary(
            states=len(db),
            terminal=int(db.about["terminal"]),
            value=root.value,
            remoteness=root.remoteness,
            to_move=game.players.index(root.to_move),
            best_move=root.best_move,
            folded=db.folded,
            scored=db.scored,
            seconds=time.perf_counter() - began,
        )


ENGINES: dict[str, Callable[[Task, Path, Path], object]] = {
    "auto": _by_the_best,
    "graph": _by_graph,
    "layers": _by_layers,
}
"""The engines by name; `auto` is the best of them for the game."""
