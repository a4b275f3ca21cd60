"""Solves a game over arrays in memory, into a readable or a packed database."""

from contextlib import closing
from pathlib import Path

from solver.engines.arrays.crew import Crew
from solver.engines.arrays.discovery import discover
from solver.engines.arrays.numbered import NumberedGame
from solver.engines.arrays.packed_blocks import write_packed_blocks
from solver.engines.arrays.readable_rows import write_readable_rows
from solver.engines.arrays.retrograde import label
from solver.engines.memory import MemoryWatch, memory_budget
from solver.engines.options import SolveOptions
from solver.engines.solved_file import label_code
from solver.game import AnyGame
from solver.rules.notation import read_position


def write_arrays(game: AnyGame, options: SolveOptions, part: Path) -> None:
    """Solve `game` and write its database to a new file at `part`, a packed one if the options say so.

    Raises `BrokenRules`, `UnreadablePosition`, `UnwritableFile`, `TooLarge` if that takes more memory than
    the options allow, and `UsageError` or `UnfitRules` if the packed layout cannot hold the game.
    """
    progress = options.progress
    starts = None if options.start is None else [read_position(game, options.start)]
    with memory_budget(options.memory) as budget, closing(Crew(game, fold=options.fold)) as crew:
        watch = MemoryWatch("arrays", budget)
        found = discover(game, starts, crew, watch, fold=options.fold, progress=progress)
        if options.layout != "packed":
            labels = label(found, options.endless, progress=progress)
            write_readable_rows(found, labels, part, crew, progress)
            return
        code = label_code(
            game, len(found.levels) - 2, _greatest(found), options.endless, is_layered=found.is_layered
        )
        labels = label(found, options.endless, progress=progress)
        write_packed_blocks(found, labels, code, part, progress)


def _greatest(found: NumberedGame) -> int:
    """The greatest utility, signs aside."""
    return max(map(abs, found.utilities), default=0)
