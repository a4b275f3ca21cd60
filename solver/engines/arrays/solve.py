"""Solves a game over arrays in memory, into a readable or a packed database."""

from collections.abc import Hashable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from solver.database.packed.label_code import code_for
from solver.engines.arrays.crew import Crew
from solver.engines.arrays.discovery import discover
from solver.engines.arrays.numbered import NumberedGame
from solver.engines.arrays.packed_blocks import write_packed_blocks
from solver.engines.arrays.readable_rows import write_readable_rows
from solver.engines.arrays.retrograde import label
from solver.engines.memory import LOOSEST_BOUND, MemoryWatch, memory_budget, refuse_by_bound
from solver.engines.options import SolveOptions
from solver.game import ENDLESS, AnyGame
from solver.rules.notation import read_position

BYTES_PER_STATE = 200
"""Bytes of memory for each state at least, its object included; see tests/benchmarks."""

PERCENT_WHEN_FOUND = 75
"""Percentage of the memory that states may take with what is counted ahead: tables grow by leaps."""


def write_arrays(game: AnyGame, options: SolveOptions, part: Path) -> None:
    """Solve `game` and write its database to a new file; raises as `states_found` and `write_found`."""
    with states_found(game, options) as (found, crew):
        assert found is not None
        write_found(found, options, part, crew)


@contextmanager
def states_found(
    game: AnyGame,
    options: SolveOptions,
    at_most: int | None = None,
    starts: Sequence[Hashable] | None = None,
) -> Iterator[tuple[NumberedGame | None, Crew]]:
    """Yield the states of a game, None if there are more than `at_most`, and who was asked for them.

    Play begins in the `starts`, by default the own start of the options, or the initial states.
    Raises `BrokenRules`, `UnreadablePosition`, and `TooLarge` if the block takes more memory than the options
    allow.
    """
    if starts is None and options.start is not None:
        starts = [read_position(game, options.start)]
    with memory_budget(options.memory) as budget, closing(Crew(game, fold=options.fold)) as crew:
        if starts is None and at_most is None:
            refuse_by_bound(
                game, budget, BYTES_PER_STATE, "arrays", fold=options.fold, looseness=LOOSEST_BOUND
            )
        watch = MemoryWatch("arrays", budget * PERCENT_WHEN_FOUND // 100)
        yield discover(game, starts, crew, watch, at_most, fold=options.fold, progress=options.progress), crew


def write_found(found: NumberedGame, options: SolveOptions, part: Path, crew: Crew) -> None:
    """Label the states and write their database to a new file at `part`, a packed one if the options say so.

    Raises `BrokenRules`, `UnwritableFile`, and `UnfitRules` if the packed layout cannot hold the utilities.
    """
    progress = options.progress
    if options.layout != "packed":
        write_readable_rows(found, label(found, options.endless, progress=progress), part, crew, progress)
        return
    last, greatest = len(found.levels) - 2, max(map(abs, found.utilities), default=0)
    code = code_for(last, greatest, ENDLESS[options.endless], is_layered=found.is_layered)
    labels = label(found, options.endless, progress=progress)
    code = code.smallest_for(last, int(labels.remoteness.max()))
    write_packed_blocks(found, labels, code, part, progress)
