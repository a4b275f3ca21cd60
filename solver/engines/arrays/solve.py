"""Solves a game over arrays in memory, into a readable or a packed database."""

from collections.abc import Hashable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from solver.database.packed.label_code import code_for
from solver.engines.arrays.asking import Expansion
from solver.engines.arrays.discovery import discover
from solver.engines.arrays.numbered import NumberedGame
from solver.engines.arrays.retrograde import label
from solver.engines.arrays.rules_pool import RulesPool
from solver.engines.forecast import ARRAYS
from solver.engines.memory import (
    LOOSEST_BOUND,
    PERCENT_WHEN_FOUND,
    MemoryWatch,
    memory_budget,
    refuse_by_bound,
)
from solver.engines.options import SolveOptions
from solver.game import ENDLESS, AnyGame
from solver.system import resources


@dataclass(frozen=True)
class MemorySolve:
    """A solve in memory."""

    rules: RulesPool
    watch: MemoryWatch
    """Refuses states that do not fit into memory."""
    options: SolveOptions

    def find(
        self,
        starts: Iterable[Hashable] | None = None,
        at_most: int | None = None,
        answered: Iterable[Expansion] = (),
    ) -> NumberedGame | None:
        """The states, numbered; None if there are more than `at_most`. Raises as `discover` does.

        Play begins in the `starts`, by default the own start of the options, or the initial states. What the
        rules have `answered` for the first states is not asked again.
        """
        starts = self.options.own_start(self.rules.game) if starts is None else starts
        progress = self.options.progress
        return discover(self.rules, starts, self.watch, at_most, answered=answered, progress=progress)

    def write(self, numbered: NumberedGame, path: Path) -> None:
        """Label the states and write their database to a new file, a packed one if the options say so.

        Raises `BrokenRules`, `UnwritableFile`, and `UnfitRules` if the packed layout cannot hold the
        utilities.
        """
        endless, progress = self.options.endless, self.options.progress
        if self.options.layout != "packed":
            from solver.engines.arrays.readable_rows import write_readable_rows  # with sqlite-utils

            labels = label(numbered, endless, progress=progress)
            write_readable_rows(numbered, labels, path, self.rules, progress)
            return
        from solver.engines.arrays.packed_blocks import write_packed_blocks  # as above

        last, greatest = len(numbered.levels) - 2, max(map(abs, numbered.utilities), default=0)
        code = code_for(last, greatest, ENDLESS[endless], is_layered=numbered.is_layered)
        labels = label(numbered, endless, progress=progress)
        code = code.smallest_for(last, int(labels.remoteness.max()))
        write_packed_blocks(numbered, labels, code, path, progress)

    def solve(
        self, path: Path, starts: Iterable[Hashable] | None = None, answered: Iterable[Expansion] = ()
    ) -> None:
        """Find all states, as `find` does, and write their database, as `write` does."""
        if starts is None and self.options.start is None:
            room, fold = resources.room(self.options.memory), self.rules.fold
            game = self.rules.game
            refuse_by_bound(game, room, ARRAYS.memory_bytes, "arrays", fold=fold, looseness=LOOSEST_BOUND)
        numbered = self.find(starts, answered=answered)
        assert numbered is not None
        self.write(numbered, path)


@contextmanager
def memory_solve(game: AnyGame, options: SolveOptions) -> Iterator[MemorySolve]:
    """Yield the solve of a game in memory.

    Raises `TooLarge` if the block takes more memory than the options allow.
    """
    with memory_budget(options.memory) as budget, closing(RulesPool(game, fold=options.fold)) as rules:
        yield MemorySolve(rules, MemoryWatch("arrays", budget * PERCENT_WHEN_FOUND // 100), options)
