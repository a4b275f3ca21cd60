"""Chooses an engine for a game: the one that was asked for, or one that suits its rules and its size."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from solver.engines.forecast import LAYERS, LOOPS, Costs, Forecast, forecast, refuse_hopeless
from solver.engines.options import SolveOptions
from solver.errors import UnfitRules
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.rules.asking import bound_of
from solver.rules.failures import rules_asked
from solver.system.imports import how_to_install

if TYPE_CHECKING:
    from solver.engines.storage.work_folder import Work
    from solver.rules.arrays import Keys

MAX_STATES_FOR_GRAPH = 20_000
"""States up to which `auto` takes the graph engine, which is the definition of what is right."""

MAX_STATES_FOR_READABLE = 200_000
"""States up to which `auto` makes a readable database, for any SQLite client, where layers would do, too."""


def by_graph(game: AnyGame, options: SolveOptions, part: Path, work: Path) -> None:
    """Solve by the graph engine; see `solver.engines.graph.solve`."""
    from solver.engines.graph.solve import write_graph  # with networkx, for which others would wait

    write_graph(game, options, part)


def by_arrays(game: AnyGame, options: SolveOptions, part: Path, work: Path) -> None:
    """Solve by the arrays engine: in memory, or many states that are integers in a work folder."""
    if not isinstance(game, PackedGame) or options.layout == "readable":
        from solver.engines.arrays.solve import write_arrays  # with NumPy, for which the graph would wait

        write_arrays(game, options, part)
        return
    starts = _starts(game, options)
    if not _if_few_packed(game, starts, options, part, states_for_graph=0):
        _by_loops(game, starts, options, part, work)


def by_layers(game: AnyGame, options: SolveOptions, part: Path, path: Path) -> None:
    """Solve by the layers engine."""
    if not isinstance(game, PackedGame):
        raise UnfitRules(
            f"the layers engine needs a game whose states are integers, which {type(game).__name__} "
            "is not: use --engine arrays"
        )
    _by_layers(game, _starts(game, options), options, part, path)


def by_size(game: AnyGame, options: SolveOptions, part: Path, work: Path) -> None:
    """Solve small games by the graph, large ones by layers if these fit, and all others by arrays."""
    bound = bound_of(game) if options.start is None else None
    if bound is not None and bound <= MAX_STATES_FOR_GRAPH and options.layout != "packed":
        by_graph(game, options, part, work)
    elif not isinstance(game, PackedGame) or options.layout == "readable":
        _if_few(game, options, part)
    else:
        starts = _starts(game, options)
        if _is_of_arrays(work):
            _by_loops(game, starts, options, part, work)
        elif not _if_few_packed(game, starts, options, part):
            _by_layers_if_possible(game, starts, options, part, work)


def _starts(game: PackedGame, options: SolveOptions) -> "Keys":
    """The states in which play begins."""
    from solver.engines.starts import packed_starts  # with NumPy, for which others would wait

    return packed_starts(game, options)


def _by_loops(game: PackedGame, starts: "Keys", options: SolveOptions, part: Path, path: Path) -> None:
    """Solve by the arrays engine for many states; see `solver.engines.loops`."""
    from solver.engines.storage.work_folder import Work

    try:
        from solver.engines.loops.solve import is_exchanged, write_loops  # with compilers, as below
    except (ImportError, RuntimeError):  # no numba, or no place for what it compiles
        from solver.engines.arrays.solve import write_arrays

        options.say(f"in memory, and slowly: solving in files needs numba: {how_to_install('fast')}")
        write_arrays(game, replace(options, layout="packed"), part)
        return
    work = Work(path)
    exchange = is_exchanged(game, int(starts[0]), options)
    _announce(_expected(game, options, work, LOOPS, exchange=exchange), options)
    write_loops(game, starts, options, part, work)


def _by_layers(game: PackedGame, starts: "Keys", options: SolveOptions, part: Path, path: Path) -> None:
    """Solve by the layers engine, unless that is hopeless; see `solver.engines.layers.solve`."""
    from solver.engines.layers.solve import write_layered  # with compilers, for which others would wait
    from solver.engines.storage.work_folder import Work

    work = Work(path)
    expected = _expected(game, options, work, LAYERS)
    refuse_hopeless(expected)
    _announce(expected, options)
    write_layered(game, starts, options, part, work)


def _expected(
    game: PackedGame, options: SolveOptions, work: "Work", costs: Costs, *, exchange: bool = False
) -> Forecast | None:
    """The forecast of a solve by an engine of these costs; None if nobody tells how many states there are."""
    if options.start is not None:
        return None
    return forecast(game, work.path.parent, costs, fold=options.fold, exchange=exchange, done=work.bytes)


def _announce(expected: Forecast | None, options: SolveOptions) -> None:
    """Say what a large solve is expected to need."""
    if expected is not None and expected.states > MAX_STATES_FOR_READABLE:
        options.say(f"{expected}")


def _by_layers_if_possible(
    game: PackedGame, starts: "Keys", options: SolveOptions, part: Path, work: Path
) -> None:
    """Solve by layers, or by arrays if that is not possible: rules that tell tiers say so, or early play."""
    from solver.engines.layers.disjoint import returns_early

    with rules_asked(game, "tier"):
        has_tiers = game.tier(int(starts[0])) is not None
    if not has_tiers and not returns_early(game, starts, fold=options.fold):
        try:
            _by_layers(game, starts, options, part, work)
        except UnfitRules:
            pass
        else:
            return
    _by_loops(game, starts, options, part, work)


def _is_of_arrays(path: Path) -> bool:
    """Whether there is a work folder of the arrays engine, from which a solve resumes."""
    if not path.exists():
        return False
    from solver.engines.storage.work_folder import Work

    return (Work(path).facts("job.json") or {}).get("engine") == "arrays"


def _if_few_packed(
    game: PackedGame,
    starts: "Keys",
    options: SolveOptions,
    part: Path,
    states_for_graph: int = MAX_STATES_FOR_GRAPH,
) -> bool:
    """Solve a packed game if it has few states, as by `_if_few`; returns whether that was done."""
    from solver.engines.starts import are_more

    most = MAX_STATES_FOR_READABLE
    if are_more(game, starts, most, fold=options.fold):
        return False
    return _if_few(game, options, part, states_for_graph, most, starts.tolist())


def _if_few(
    game: AnyGame,
    options: SolveOptions,
    part: Path,
    states_for_graph: int = MAX_STATES_FOR_GRAPH,
    at_most: int | None = None,
    starts: Sequence[Hashable] | None = None,
) -> bool:
    """Solve a game of at most so many states by arrays in memory, or by the graph if they are fewer still.

    Returns whether that was done. Play begins in the `starts`, by default as `states_found` says.
    """
    from solver.engines.arrays.solve import states_found, write_found

    with states_found(game, options, at_most, starts) as (found, crew):
        if found is None:
            return False
        if len(found) > states_for_graph or options.layout == "packed":
            write_found(found, options, part, crew)
            return True
    from solver.engines.graph.reachable import graph_of
    from solver.engines.graph.solve import write_graph

    graph = graph_of(game, found.start, found.starts, found.expansions(), fold=options.fold)
    write_graph(game, options, part, graph)
    return True


ENGINES: dict[str, Callable[[AnyGame, SolveOptions, Path, Path], object]] = {
    "auto": by_size,
    "graph": by_graph,
    "arrays": by_arrays,
    "layers": by_layers,
}
"""The engines by name; `auto` chooses one that fits the game."""
