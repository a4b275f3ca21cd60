"""Chooses an engine for a game: the requested one, or one that suits the rules and the size of the game."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.engines.arrays.discovery import Discovery
from solver.engines.arrays.numbered import NumberedGame
from solver.engines.arrays.solve import MemorySolve, memory_solve
from solver.engines.forecast import (
    ARRAYS,
    COUNTED_HERE,
    GRAPH,
    LAYERS,
    LOOPS,
    Costs,
    Count,
    Forecast,
    expected_count,
    fits,
    forecast,
    refuse_hopeless,
)
from solver.engines.memory import memory_budget
from solver.engines.options import Choice, SolveOptions, missing_numba
from solver.engines.states import PackedStarts
from solver.errors import UnfitRules
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.rules.asking import bound_of, symmetries_of
from solver.rules.failures import rules_asked
from solver.system.words import in_digits, number_of

if TYPE_CHECKING:
    from solver.engines.storage.work_folder import WorkFolder

MAX_STATES_FOR_GRAPH = 20_000
"""The most states for which `auto` takes the graph engine, the reference for all others."""

MAX_STATES_FOR_READABLE = 200_000
"""The most states for which `auto` makes a readable database, for any SQLite client, not a packed one."""

OVER = f"over {MAX_STATES_FOR_GRAPH:,}"
"""The reason against the graph engine for a large game."""

AS_ASKED = "as asked"
"""The reason for an engine that the user named."""


@contextmanager
def chosen(game: AnyGame, options: SolveOptions, engine: str, work_folder: Path) -> Iterator[Choice]:
    """Yield the choice of `engine` or, for `auto`, of one that suits the game.

    Unless the rules give a small bound, some states are found to choose one, and the engine continues from
    these. Raises errors of the rules, and `MissingExtra` if the engine needs numba and it is missing.
    """
    if options.fold:
        symmetries_of(game)  # raises for what are no symmetries, before `canonical` fails by them
    with ExitStack() as opened:
        yield ENGINES[engine](_Chooser(game, options, work_folder, opened))


@dataclass(frozen=True)
class _Chooser:
    """The game, and the resources that are opened to choose an engine for it."""

    game: AnyGame
    options: SolveOptions
    work_folder: Path
    opened: ExitStack

    @cached_property
    def memory(self) -> MemorySolve:
        """The solve in memory, which finds the first states."""
        return self.opened.enter_context(memory_solve(self.game, self.options))

    def _may_be_packed(self) -> bool:
        """Whether engines in files may solve it: with a cluster, the file is made readable afterwards."""
        return self.options.layout != "readable" or self.options.cluster is not None

    def graph(self, why: str = AS_ASKED, numbered: NumberedGame | None = None) -> Choice:
        """The graph engine, which asks the rules state by state, unless the states are `numbered`."""
        states, begun = None, dict[str, Any]()
        if numbered is None:
            self.opened.enter_context(memory_budget(self.options.memory))
        else:
            states, moves = len(numbered), numbered.successors()
            firsts = [numbered.start, *numbered.states[: numbered.starts]]
            begun = {"starts": firsts, "ask": lambda _: next(moves)}

        def write(path: Path) -> None:
            from solver.engines.graph_solve import write_graph  # imports networkx, which is slow

            write_graph(self.game, self.options, path, **begun)

        return Choice("graph", why, self._needs(GRAPH, states), write)

    def arrays(self) -> Choice:
        """The arrays engine: in memory, or in a work folder for many packed states."""
        if not isinstance(self.game, PackedGame) or not self._may_be_packed():
            return self._in_memory(AS_ASKED)
        starts = self._starts(self.game)
        discovery = self.memory.discovery(starts)
        if (numbered := discovery.run(MAX_STATES_FOR_READABLE)) is not None:
            return self._in_memory(AS_ASKED, discovery, len(numbered))
        del discovery
        return self._by_loops(starts, AS_ASKED)

    def layers(self) -> Choice:
        if not isinstance(self.game, PackedGame):
            name = type(self.game).__name__
            raise UnfitRules(f"the states of {name} are no integers, as layers need: use --engine arrays")
        if (missing := missing_numba()) is not None:
            raise missing
        return self._by_layers(self._starts(self.game), AS_ASKED)

    def automatic(self) -> Choice:
        """The graph engine for small games, layers for large ones that fit, arrays for all others."""
        game, layout, memory = self.game, self.options.layout, self.options.memory
        bound = bound_of(game) if self.options.start is None else None
        is_small = bound is not None and bound <= MAX_STATES_FOR_GRAPH and layout != "packed"
        if is_small and self.options.cluster is None and fits(MAX_STATES_FOR_GRAPH, GRAPH, memory):
            return self.graph(f"not {OVER} states")
        if isinstance(game, PackedGame) and self._may_be_packed() and not is_small:
            return self._of_packed(game)
        if bound is not None and not is_small:
            return self._in_memory(f"at most {in_digits(bound)} states, {OVER}")
        discovery = self.memory.discovery()
        if (numbered := discovery.run(MAX_STATES_FOR_GRAPH)) is not None:
            return self._of_small(discovery, numbered)
        return self._in_memory(f"this game has more than {MAX_STATES_FOR_GRAPH:,} states", discovery)

    def _starts(self, game: PackedGame) -> PackedStarts:
        return PackedStarts(game, self.options, shutil.disk_usage(self.work_folder.parent).free)

    def _of_packed(self, game: PackedGame) -> Choice:
        """The engine for packed rules: the states are counted in arrays, in a tenth of a graph's time."""
        starts = self._starts(game)
        if self.work_folder.exists():
            from solver.engines.storage.records import JobRecord
            from solver.engines.storage.work_folder import WorkFolder

            job = JobRecord.read(WorkFolder(self.work_folder))
            if job is not None and job.engine == "arrays":
                return self._by_loops(starts, "it has unfinished work")
        discovery = self.memory.discovery(starts)
        if (numbered := discovery.run(MAX_STATES_FOR_READABLE)) is not None:
            return self._of_small(discovery, numbered)
        if discovery.is_deep and self.options.cluster is None:
            return self._in_memory("few states at each ply", discovery, layout="packed")
        is_layered = discovery.is_layered
        del discovery  # frees its states
        return self._of_large(starts, is_layered)

    def _of_small(self, discovery: Discovery, numbered: NumberedGame) -> Choice:
        """The graph engine if a graph of the `numbered` states fits into memory; otherwise arrays."""
        states = len(numbered)
        if self.options.layout == "packed":
            why = "packed"
        elif states > MAX_STATES_FOR_GRAPH:
            why = OVER
        elif not fits(states, GRAPH, self.options.memory):
            why = "with too little memory for a graph"
        else:
            return self.graph(f"not {OVER} states", numbered)
        return self._in_memory(f"{number_of(states, 'state')}, {why}", discovery, states)

    def _of_large(self, starts: PackedStarts, is_layered: bool) -> Choice:
        """The layers engine; arrays if rules define tiers or early play is not layered."""
        over = f"over {MAX_STATES_FOR_READABLE:,} states"
        if missing_numba():
            return self._by_loops(starts, over)
        with rules_asked(starts.game, "tier"):
            has_tiers = starts.game.tier(int(starts.firsts[0])) is not None
        arrays = self._by_loops(starts, f"{over}, {'tier by tier' if has_tiers else 'with loops'}")
        if has_tiers or not is_layered:
            return arrays
        return self._by_layers(starts, f"{over}, ply by ply", arrays)

    def _in_memory(
        self, why: str, discovery: Discovery | None = None, states: int | None = None, layout: str = ""
    ) -> Choice:
        """The arrays engine in memory, which continues a search, if any; `layout` replaces the option."""
        solve = replace(
            self.memory, options=replace(self.options, layout=layout or self.options.layout)
        ).solve
        return Choice("arrays", why, self._needs(ARRAYS, states), partial(solve, discovery=discovery))

    def _by_loops(self, starts: PackedStarts, why: str) -> Choice:
        """The arrays engine in files, see `solver.engines.loops`; without numba, in memory."""
        if (missing := missing_numba()) is not None:
            if self.options.cluster is not None:
                raise missing
            slow = f"in memory, and slowly: {missing}"
            choice = self._in_memory(f"{why}, {slow}", layout="packed")

            def write_slowly(path: Path) -> None:
                self.options.say(slow)
                choice.write(path)

            return replace(choice, write=write_slowly)
        from solver.engines.loops.solve import write_loops  # imports compilers

        needs = self._needs(LOOPS, degree=2)

        def write(path: Path) -> None:
            write_loops(starts, path, self._begun(needs))

        return Choice("arrays", f"{why}, in files", needs, write, in_files=True)

    def _by_layers(self, starts: PackedStarts, why: str, otherwise: Choice | None = None) -> Choice:
        """The layers engine, see `solver.engines.layers`; it raises `TooLarge` for a hopeless solve."""
        from solver.engines.layers.solve import write_layered  # imports compilers

        needs = self._needs(LAYERS)

        def write(path: Path) -> None:
            refuse_hopeless(needs)
            write_layered(starts, path, self._begun(needs))

        return Choice("layers", why, needs, write, otherwise, in_files=True)

    def _needs(self, costs: Costs, states: int | None = None, *, degree: int = 1) -> Forecast | None:
        """The forecast of a solve, by the number of states if known, or else by the count for this degree."""
        count = None if states is None else Count(states, COUNTED_HERE)
        if count is None and self.options.start is None:
            count = expected_count(self.options.folding(self.game, degree))
        return forecast(count, self.work_folder, costs, self.options.memory, fold=self.options.fold)

    def _begun(self, needs: Forecast | None) -> "WorkFolder":
        """The work folder, after showing the user the forecast of a large solve."""
        from solver.engines.storage.work_folder import WorkFolder

        self.opened.close()
        if needs is not None and needs.states > MAX_STATES_FOR_READABLE:
            self.options.say(f"{needs}")
        return WorkFolder(self.work_folder)


ENGINES: dict[str, Callable[[_Chooser], Choice]] = {
    "auto": _Chooser.automatic,
    "graph": _Chooser.graph,
    "arrays": _Chooser.arrays,
    "layers": _Chooser.layers,
}
"""The engines by name; `auto` chooses one that fits the game."""
