"""Solves a game into a database: chooses an engine, and puts the finished file in place."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from operator import index
from pathlib import Path

from solver.database import open_database
from solver.engines.conversion import LAYOUTS, convert
from solver.engines.forecast import forecast, refuse_hopeless
from solver.engines.options import SolveOptions, say_nothing
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

MAX_STATES_FOR_GRAPH = 200_000
"""States up to which `auto` takes the graph engine, whose readable database suits any SQLite client."""


@dataclass(frozen=True)
class Summary:
    """The result of a solve."""

    states: int
    """Reachable states, or symmetry classes of them, terminal ones included."""
    terminal: int
    """Terminal states."""
    value: int
    """The minimax value of the start, for the first player."""
    remoteness: int | None
    """Plies from the start to the end under best play; None if play need not end."""
    to_move: int
    """The player to move in the start."""
    best_move: str | int | None
    """The first best move in the start, by name; None if the start is terminal."""
    folded: bool
    """Whether symmetric states were solved, and counted, as one."""
    scored: bool
    """Whether some utility is other than -1, 0 and 1, so that the margin of a win matters."""
    seconds: float
    """Wall-clock time."""


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
    say: Callable[[str], object] = say_nothing,
) -> Summary:
    """Solve `game` from `start` (a position; default: the initial states) into a new database at `path`.

    Endless play is a `draw`, or won by the player whom `endless` names: `first` or `second`. With `fold` the
    file has the canonical state of each class of symmetric states, and answers for all of them. The `layout`
    is `readable`, `packed`, or `auto` for the one that the engine writes. `memory` is the number of bytes
    that the process may hold; `say` is called beforehand with what a large solve will need. The layers engine
    keeps finished layers in the folder `<path>.work`, from which the same call resumes, until the database is
    there.

    Raises `UsageError`, `UnreadablePosition`, `TooLarge`, `UnfitRules`, `BrokenRules`, `DiskFull`,
    `OtherWork`, `TargetExists`, `TargetBusy` or `MissingFile` (no such folder). Then nothing was written at
    `path`, and with `force` an older file there has survived.
    """
    began = time.perf_counter()
    if endless not in ENDLESS:
        raise UsageError(f"endless play cannot go to {endless!r}; it can go to {', '.join(ENDLESS)}")
    if layout not in ("auto", *LAYOUTS):
        raise UsageError(f"there is no layout {layout!r}; there are auto, {', '.join(LAYOUTS)}")
    if engine not in ENGINES:
        raise UsageError(f"there is no engine {engine!r}; there are {', '.join(ENGINES)}")
    if layout == "packed" and not isinstance(game, PackedGame):
        raise UsageError(
            f"the packed layout cannot hold {type(game).__name__}, whose states are no integers: "
            "use --layout readable"
        )
    refuse_unfit(game)
    note_rules(game)
    options = SolveOptions(start, endless, layout, fold, memory, force, progress, say)
    work = Path(f"{Path(path)}.work")
    with atomic_target(Path(path), force=force, progress=progress) as part:
        ENGINES[engine](game, options, part, work)
        if layout != "auto":
            _lay_out(part, layout, progress)
        summary = _summary(game, part, began)
    if work.exists():
        from solver.engines.layers.storage.work_folder import Work  # with NumPy

        Work(work).remove()
    return summary


def _by_graph(game: AnyGame, options: SolveOptions, part: Path, work: Path) -> None:
    """Solve by the graph engine; see `solver.engines.graph.solve`."""
    from solver.engines.graph.solve import write_graph  # with networkx, for which the layers would wait

    write_graph(game, options, part)


def _by_arrays(game: AnyGame, options: SolveOptions, part: Path, work: Path) -> None:
    """Solve by the arrays engine; see `solver.engines.arrays.solve`."""
    from solver.engines.arrays.solve import write_arrays

    write_arrays(game, options, part)


def _by_layers(game: AnyGame, options: SolveOptions, part: Path, path: Path, *, more_than: int = 0) -> bool:
    """Solve by the layers engine, unless there are at most `more_than` states; see `write_layered`."""
    if not isinstance(game, PackedGame):
        raise UnfitRules(
            f"the layers engine needs a game whose states are integers, which {type(game).__name__} "
            "is not: use --engine graph"
        )
    from solver.engines.layers.solve import write_layered  # with compilers, for which the graph would wait
    from solver.engines.layers.storage.work_folder import Work

    work = Work(path)
    if options.start is None:
        expected = forecast(game, path.parent, fold=options.fold, done=work.bytes)
        refuse_hopeless(expected)
        if expected is not None and expected.states > MAX_STATES_FOR_GRAPH:
            options.say(f"{expected}")
        starts = _packed_starts(game, options.memory)
    else:
        starts = (read_position(game, options.start),)
    return write_layered(game, starts, options, part, work, more_than=more_than)


def _packed_starts(game: PackedGame, memory: int | None) -> tuple[int, ...]:
    """The initial states, computed within `memory` bytes; raises `BrokenRules` if one is no packed state."""
    with rules_asked(game, "initial_states"), bounded(memory):
        starts = tuple(map(index, game.initial_states()))
    if not starts or not all(0 <= state < 2**STATE_BITS for state in starts):
        raise BrokenRules(
            f"the rules of {type(game).__name__} should give initial states from 0 to below 2**{STATE_BITS}, "
            f"not {shown(starts)}"
        )
    return starts


def _by_size(game: AnyGame, options: SolveOptions, part: Path, work: Path) -> None:
    """Solve by layers if there are many states and each has a single ply, otherwise by the graph."""
    bound = bound_of(game)
    if isinstance(game, PackedGame) and (bound is None or bound > MAX_STATES_FOR_GRAPH):
        try:
            if _by_layers(game, options, part, work, more_than=MAX_STATES_FOR_GRAPH):
                return
        except UnfitRules:
            pass
    _by_graph(game, options, part, work)


def _lay_out(part: Path, layout: str, progress: Progress) -> None:
    """Convert a database in place to a layout, unless it has that one already."""
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


ENGINES: dict[str, Callable[[AnyGame, SolveOptions, Path, Path], object]] = {
    "auto": _by_size,
    "graph": _by_graph,
    "arrays": _by_arrays,
    "layers": _by_layers,
}
"""The engines by name; `auto` chooses one that fits the game."""
