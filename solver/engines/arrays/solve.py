"""Solves a game over arrays in memory, into a readable or a packed database."""

from collections.abc import Hashable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from solver.database.packed.label_code import code_for
from solver.engines.arrays.asking import Expansion
from solver.engines.arrays.crew import Crew
from solver.engines.arrays.discovery import discover
from solver.engines.arrays.numbered import NumberedGame
from solver.engines.arrays.retrograde import label
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

BYTES_PER_STATE = 200
"""Bytes of memory for each state at least, its object included; see tests/benchmarks."""


@contextmanager
def asked(game: AnyGame, options: SolveOptions) -> Iterator[tuple[Crew, MemoryWatch]]:
    """Yield who asks the rules of a game, and what refuses states that do not fit into memory.

    Raises `TooLarge` if the block takes more memory than the options allow.
    """
    with memory_budget(options.memory) as budget, closing(Crew(game, fold=options.fold)) as crew:
        yield crew, MemoryWatch("arrays", budget * PERCENT_WHEN_FOUND // 100)


@contextmanager
def states_found(
    game: AnyGame, options: SolveOptions, at_most: int | None = None
) -> Iterator[tuple[NumberedGame | None, Crew]]:
    """Yield the states of a game, None if there are more than `at_most`, and who was asked for them.

    Raises `BrokenRules`, `UnreadablePosition`, and `TooLarge` if the block takes more memory than the options
    allow.
    """
    with asked(game, options) as (crew, watch):
        starts, fold, progress = options.own_start(game), options.fold, options.progress
        yield discover(game, starts, crew, watch, at_most, fold=fold, progress=progress), crew


def write_arrays(
    game: AnyGame,
    options: SolveOptions,
    crew: Crew,
    watch: MemoryWatch,
    part: Path,
    *,
    starts: Iterable[Hashable] | None = None,
    answered: Iterable[Expansion] = (),
) -> None:
    """Find the states of `game` and write its database to a new file; raises as `discover` and `write_found`.

    Play begins in the `starts`, by default the own start of the options, or the initial states. What the
    rules have `answered` for the first states is not asked again.
    """
    if starts is None and (starts := options.own_start(game)) is None:
        room, fold = resources.room(options.memory), options.fold
        refuse_by_bound(game, room, BYTES_PER_STATE, "arrays", fold=fold, looseness=LOOSEST_BOUND)
    progress = options.progress
    found = discover(game, starts, crew, watch, answered=answered, fold=options.fold, progress=progress)
    assert found is not None
    write_found(found, crew, options, part)


def write_found(found: NumberedGame, crew: Crew, options: SolveOptions, part: Path) -> None:
    """Label the states and write their database to a new file at `part`, a packed one if the options say so.

    Raises `BrokenRules`, `UnwritableFile`, and `UnfitRules` if the packed layout cannot hold the utilities.
    """
    progress = options.progress
    if options.layout != "packed":
        from solver.engines.arrays.readable_rows import write_readable_rows  # with sqlite-utils

        write_readable_rows(found, label(found, options.endless, progress=progress), part, crew, progress)
        return
    from solver.engines.arrays.packed_blocks import write_packed_blocks  # as above

    last, greatest = len(found.levels) - 2, max(map(abs, found.utilities), default=0)
    code = code_for(last, greatest, ENDLESS[options.endless], is_layered=found.is_layered)
    labels = label(found, options.endless, progress=progress)
    code = code.smallest_for(last, int(labels.remoteness.max()))
    write_packed_blocks(found, labels, code, part, progress)
