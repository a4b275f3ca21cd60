"""Chooses an engine for a game: the one that was asked for, or one that suits its rules and its size."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.engines.arrays.crew import Crew, SharedAnswers
from solver.engines.arrays.discovery import discover
from solver.engines.arrays.numbered import NumberedGame
from solver.engines.arrays.solve import asked, write_arrays, write_found
from solver.engines.forecast import LAYERS, LOOPS, Costs, forecast, refuse_hopeless
from solver.engines.memory import MemoryWatch
from solver.engines.options import SolveOptions
from solver.engines.starts import packed_starts
from solver.engines.successors import starts_of
from solver.errors import TooLarge, UnfitRules
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.rules.arrays import Keys
from solver.rules.asking import bound_of
from solver.rules.failures import rules_asked
from solver.system.imports import how_to_install

if TYPE_CHECKING:
    from solver.engines.storage.work_folder import Work

MAX_STATES_FOR_GRAPH = 20_000
"""States up to which `auto` takes the graph engine, which is the definition of what is right."""

MAX_STATES_FOR_READABLE = 200_000
"""States up to which `auto` makes a readable database, for any SQLite client, where layers would do, too."""

OVER = f"over {MAX_STATES_FOR_GRAPH:,}"
"""Why a game is none for the graph engine."""

AS_ASKED = "as asked"
"""Why an engine is taken that the user named."""


@dataclass(frozen=True)
class Choice:
    """The engine that is to solve a game, and why: `graph: 135 states, not over 20,000`."""

    engine: str
    """One of `ENGINES`."""
    why: str
    write: Callable[[Path], object] = field(repr=False, compare=False)
    """Solves the game into a new file, from the states that were found to choose the engine."""
    otherwise: "Choice | None" = field(default=None, repr=False, compare=False)
    """What solves it if the rules turn out not to be fit for the engine."""

    def __str__(self) -> str:
        """The choice in words."""
        return f"{self.engine}: {self.why}"

    def solve(self, part: Path) -> "Choice":
        """Solve the game into a new file at `part`; returns this choice, or the one that did so instead."""
        try:
            self.write(part)
        except UnfitRules:
            if self.otherwise is None:
                raise
            return self.otherwise.solve(part)
        return self


@contextmanager
def chosen(game: AnyGame, options: SolveOptions, engine: str, work: Path) -> Iterator[Choice]:
    """Yield what solves the game, with `engine` or, if that is `auto`, with one that fits.

    To choose one, up to `MAX_STATES_FOR_GRAPH` states are explored, and of packed games up to
    `MAX_STATES_FOR_READABLE` are counted; the engine goes on from these. Raises what the rules do wrong.
    """
    with ExitStack() as opened:
        yield ENGINES[engine](_Chooser(game, options, work, opened))


@dataclass(frozen=True)
class _Chooser:
    """The game, and what is opened to choose an engine for it."""

    game: AnyGame
    options: SolveOptions
    work: Path
    opened: ExitStack

    @cached_property
    def asked(self) -> tuple[Crew, MemoryWatch]:
        """Who asks the rules, and what limits the memory of that, for engines that work in memory."""
        return self.opened.enter_context(asked(self.game, self.options))

    def graph(self) -> Choice:
        """The graph engine, which asks the rules for one state after the other."""
        from solver.engines.graph.solve import solve_graph  # with networkx, for which others would wait

        return Choice("graph", AS_ASKED, partial(solve_graph, self.game, self.options))

    def arrays(self) -> Choice:
        """The arrays engine: in memory, or many states that are integers in a work folder."""
        if not isinstance(self.game, PackedGame) or self.options.layout == "readable":
            return self._in_memory(AS_ASKED)
        starts = packed_starts(self.game, self.options)
        if (found := self._few(self.game, starts)) is not None:
            return self._of_found(found, AS_ASKED)
        return self._by_loops(self.game, starts, AS_ASKED)

    def layers(self) -> Choice:
        """The layers engine."""
        if not isinstance(self.game, PackedGame):
            raise UnfitRules(
                f"the layers engine needs a game whose states are integers, which {type(self.game).__name__} "
                "is not: use --engine arrays"
            )
        return self._by_layers(self.game, packed_starts(self.game, self.options), AS_ASKED)

    def auto(self) -> Choice:
        """The graph engine for small games, layers for large ones that fit, arrays for all others."""
        game, layout = self.game, self.options.layout
        bound = bound_of(game) if self.options.start is None else None
        is_small = bound is not None and bound <= MAX_STATES_FOR_GRAPH and layout != "packed"
        if isinstance(game, PackedGame) and layout != "readable" and not is_small:
            return self._by_count(game)
        if bound is not None and not is_small:
            return self._in_memory(f"at most {bound:,} states, {OVER}")
        crew, watch = self.asked
        starts = iter(self.options.own_start(game) or starts_of(game, watch, self.options.progress))
        firsts, answers = list(islice(starts, MAX_STATES_FOR_GRAPH + 1)), SharedAnswers(crew)
        arrays = self._in_memory(OVER, starts=chain(firsts, starts), answered=answers.expansions())
        return arrays if len(firsts) > MAX_STATES_FOR_GRAPH else self._by_graph(firsts, arrays, answers)

    def _by_count(self, game: PackedGame) -> Choice:
        """The engine for packed rules: arrays count the states, which takes a tenth of what a graph takes."""
        starts = packed_starts(game, self.options)
        if _is_of_arrays(self.work):
            return self._by_loops(game, starts, "it has unfinished work")
        found = self._few(game, starts)
        if found is None:
            return self._large(game, starts)
        is_packed = self.options.layout == "packed"
        arrays = self._of_found(found, f"{len(found):,} states, {'packed' if is_packed else OVER}")
        if is_packed or len(found) > MAX_STATES_FOR_GRAPH:
            return arrays
        return self._by_graph(starts.tolist(), arrays, SharedAnswers(self.asked[0]))

    def _by_graph(self, starts: Iterable[Hashable], otherwise: Choice, answers: SharedAnswers) -> Choice:
        """The graph engine for a game that a networkx graph can hold; the other choice for larger ones."""
        from solver.engines.graph.solve import explored, write_graph  # as above

        try:
            graph = explored(self.game, self.options, starts, MAX_STATES_FOR_GRAPH, answers.successors)
        except TooLarge as error:
            return replace(otherwise, why=str(error).partition(":")[0])
        write = partial(write_graph, graph, self.options)
        return Choice("graph", f"{len(graph):,} states, not {OVER}", write)

    def _few(self, game: PackedGame, starts: Keys) -> NumberedGame | None:
        """The states of a packed game; None if there are more than `MAX_STATES_FOR_READABLE`."""
        most, fold, progress = MAX_STATES_FOR_READABLE, self.options.fold, self.options.progress
        return discover(game, map(int, starts), *self.asked, most, fold=fold, progress=progress)

    def _of_found(self, found: NumberedGame, why: str) -> Choice:
        """The arrays engine in memory, for states that are found."""
        return Choice("arrays", why, partial(write_found, found, self.asked[0], self.options))

    def _in_memory(self, why: str, **begun: Any) -> Choice:
        """The arrays engine in memory, which finds the states, or goes on from those where a search ended."""
        write = partial(write_arrays, self.game, self.options, *self.asked, **begun)
        return Choice("arrays", why, write)

    def _large(self, game: PackedGame, starts: Keys) -> Choice:
        """Layers, or arrays if that is not possible: rules that tell tiers say so, or early play."""
        from solver.engines.layers.disjoint import returns_early

        over = f"over {MAX_STATES_FOR_READABLE:,} states"
        with rules_asked(game, "tier"):
            has_tiers = game.tier(int(starts[0])) is not None
        how = "tier by tier" if has_tiers else "to which play can return"
        arrays = self._by_loops(game, starts, f"{over}, {how}")
        if has_tiers or returns_early(game, starts, fold=self.options.fold):
            return arrays
        return self._by_layers(game, starts, f"{over}, ply by ply", arrays)

    def _by_loops(self, game: PackedGame, starts: Keys, why: str) -> Choice:
        """The arrays engine in files; see `solver.engines.loops`."""

        def write(part: Path) -> None:
            try:
                from solver.engines.loops.solve import is_exchanged, write_loops  # with compilers
            except (ImportError, RuntimeError):  # no numba, or no place for what it compiles
                self.options.say(
                    f"in memory, and slowly: solving in files needs numba: {how_to_install('fast')}"
                )
                write_arrays(game, replace(self.options, layout="packed"), *self.asked, part)
                return
            exchange = is_exchanged(game, int(starts[0]), self.options)
            work = self._announced(LOOPS, exchange=exchange)
            write_loops(game, starts, self.options, part, work)

        return Choice("arrays", f"{why}, in files", write)

    def _by_layers(self, game: PackedGame, starts: Keys, why: str, otherwise: Choice | None = None) -> Choice:
        """The layers engine, unless that is hopeless; see `solver.engines.layers`."""

        def write(part: Path) -> None:
            from solver.engines.layers.solve import write_layered  # with compilers, as above

            write_layered(game, starts, self.options, part, self._announced(LAYERS))

        return Choice("layers", why, write, otherwise)

    def _announced(self, costs: Costs, *, exchange: bool = False) -> "Work":
        """The work folder, when the user has read what a large solve is expected to need.

        Raises `TooLarge` if a solve by layers is hopeless.
        """
        from solver.engines.storage.work_folder import Work

        self.opened.close()
        work, options = Work(self.work), self.options
        if options.start is None:
            expected = forecast(
                self.game, work.path.parent, costs, fold=options.fold, exchange=exchange, done=work.bytes
            )
            if costs is LAYERS:
                refuse_hopeless(expected)
            if expected is not None and expected.states > MAX_STATES_FOR_READABLE:
                options.say(f"{expected}")
        return work


def _is_of_arrays(path: Path) -> bool:
    """Whether there is a work folder of the arrays engine, from which a solve resumes."""
    if not path.exists():
        return False
    from solver.engines.storage.work_folder import Work

    return (Work(path).facts("job.json") or {}).get("engine") == "arrays"


ENGINES: dict[str, Callable[[_Chooser], Choice]] = {
    "auto": _Chooser.auto,
    "graph": _Chooser.graph,
    "arrays": _Chooser.arrays,
    "layers": _Chooser.layers,
}
"""The engines by name; `auto` chooses one that fits the game."""
