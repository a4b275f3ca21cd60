"""Chooses an engine for a game: the one that was asked for, or one that suits its rules and its size."""

from collections.abc import Callable
from operator import index
from pathlib import Path

from solver.engines.forecast import forecast, refuse_hopeless
from solver.engines.options import SolveOptions
from solver.errors import BrokenRules, UnfitRules, shown
from solver.game import AnyGame
from solver.packed import STATE_BITS, PackedGame
from solver.rules.asking import bound_of
from solver.rules.failures import rules_asked
from solver.rules.notation import read_position
from solver.system.resources import bounded

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
    from solver.engines.arrays.solve import write_arrays  # with NumPy, for which the graph would wait

    if not isinstance(game, PackedGame) or options.layout == "readable":
        write_arrays(game, options, part)
    elif not _if_few(game, options, part, MAX_STATES_FOR_READABLE, states_for_graph=0):
        by_loops(game, options, part, work)


def by_loops(game: PackedGame, options: SolveOptions, part: Path, path: Path) -> None:
    """Solve by the arrays engine for many states; see `solver.engines.loops`."""
    from solver.engines.loops.solve import write_loops  # with compilers, for which others would wait
    from solver.engines.storage.work_folder import Work

    write_loops(game, _starts(game, options), options, part, Work(path))


def by_layers(game: AnyGame, options: SolveOptions, part: Path, path: Path) -> None:
    """Solve by the layers engine; see `solver.engines.layers.solve`."""
    if not isinstance(game, PackedGame):
        raise UnfitRules(
            f"the layers engine needs a game whose states are integers, which {type(game).__name__} "
            "is not: use --engine arrays"
        )
    from solver.engines.layers.solve import write_layered  # with compilers, for which others would wait
    from solver.engines.storage.work_folder import Work

    work = Work(path)
    if options.start is None:
        expected = forecast(game, path.parent, fold=options.fold, done=work.bytes)
        refuse_hopeless(expected)
        if expected is not None and expected.states > MAX_STATES_FOR_READABLE:
            options.say(f"{expected}")
    write_layered(game, _starts(game, options), options, part, work)


def by_size(game: AnyGame, options: SolveOptions, part: Path, work: Path) -> None:
    """Solve small games by the graph, large ones by layers if these fit, and all others by arrays."""
    bound = bound_of(game) if options.start is None else None
    if bound is not None and bound <= MAX_STATES_FOR_GRAPH and options.layout != "packed":
        by_graph(game, options, part, work)
    elif not isinstance(game, PackedGame) or options.layout == "readable":
        _if_few(game, options, part, None)
    elif _is_of_arrays(work):
        by_loops(game, options, part, work)
    elif not _if_few(game, options, part, MAX_STATES_FOR_READABLE):
        _by_layers_if_possible(game, options, part, work)


def _by_layers_if_possible(game: PackedGame, options: SolveOptions, part: Path, work: Path) -> None:
    """Solve by layers, or by arrays if that is not possible; rules that tell tiers say so."""
    with rules_asked(game, "tier"):
        has_tiers = game.tier(next(iter(game.initial_states()))) is not None
    if not has_tiers:
        try:
            by_layers(game, options, part, work)
        except UnfitRules:
            pass
        else:
            return
    by_loops(game, options, part, work)


def _is_of_arrays(path: Path) -> bool:
    """Whether there is a work folder of the arrays engine, from which a solve resumes."""
    if not path.exists():
        return False
    from solver.engines.storage.work_folder import Work

    return (Work(path).facts("job.json") or {}).get("engine") == "arrays"


def _if_few(
    game: AnyGame,
    options: SolveOptions,
    part: Path,
    at_most: int | None,
    states_for_graph: int = MAX_STATES_FOR_GRAPH,
) -> bool:
    """Solve a game of at most so many states by arrays in memory, or by the graph if they are fewer still.

    Returns whether that was done.
    """
    from solver.engines.arrays.solve import states_found, write_found

    with states_found(game, options, at_most) as (found, crew):
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


def _starts(game: PackedGame, options: SolveOptions) -> tuple[int, ...]:
    """The states in which play begins: the own start of the options, or the initial states."""
    if options.start is not None:
        return (read_position(game, options.start),)
    return _packed_starts(game, options.memory)


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


ENGINES: dict[str, Callable[[AnyGame, SolveOptions, Path, Path], object]] = {
    "auto": by_size,
    "graph": by_graph,
    "arrays": by_arrays,
    "layers": by_layers,
}
"""The engines by name; `auto` chooses one that fits the game."""
