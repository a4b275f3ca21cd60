"""Solves a game by arrays in memory, into a readable or a packed database."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.database.metadata import Metadata
from solver.database.packed.block import Block, blocks_of
from solver.database.packed.counts import CountRow, counts_of
from solver.database.packed.keys.dictionary import dictionary_of
from solver.database.packed.keys.key_code import KeyEncoder
from solver.database.packed.label_code import LabelCode, smallest_label_code
from solver.database.packed.writer import by_tier, write_packed
from solver.database.schema import PACKED_FORMAT
from solver.engines.arrays.discovery import Discovery
from solver.engines.arrays.numbered import GameLabels, NumberedGame, label, metadata
from solver.engines.arrays.rules_pool import RulesPool
from solver.engines.forecast import ARRAYS
from solver.engines.memory import (
    LOOSEST_BOUND,
    PERCENT_FOR_STATES,
    MemoryWatch,
    memory_budget,
    refuse_by_bound,
)
from solver.engines.options import SolveOptions
from solver.errors import BrokenRules, shown
from solver.game import ENDLESS, AnyGame
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys
from solver.rules.notation import is_state
from solver.system import resources
from solver.system.progress import Progress, reported
from solver.system.words import number_of

Stage: TypeAlias = tuple[Keys, Flags, Keys, Keys, Keys]
"""States in ascending order, with is_terminal, mover, value and remoteness."""


def write_packed_stages(
    path: Path,
    stages: Callable[[], Iterable[Stage]],
    code: LabelCode,
    facts: Metadata,
    task: str,
    progress: Progress,
) -> None:
    """Write all `stages`, which are computed twice, to a new packed file; raises `UnwritableFile`."""
    series = {
        (stage, over): keys[is_terminal == over]
        for stage, (keys, is_terminal, *_) in enumerate(stages())
        for over in (0, 1)
    }
    sizes = {place: len(keys) for place, keys in series.items()}
    dictionary = dictionary_of(sizes, lambda stage, over, begin, end: series[stage, over][begin:end])
    series.clear()
    counts, encoder = list[CountRow](), KeyEncoder(dictionary)

    def blocks() -> Iterator[Block]:
        for stage, (keys, is_terminal, movers, values, remoteness) in enumerate(stages()):
            counts.extend(counts_of(stage, is_terminal, movers, values, remoteness))
            yield from blocks_of(stage, keys, is_terminal, code.encode(values, remoteness, stage), encoder)

    written = reported(progress, task, blocks(), facts.states, lambda block: block.states)
    write_packed(path, written, counts, facts.rows() | code.metadata_rows, dictionary, facts.states)


def _stages(game: NumberedGame, labels: GameLabels, keys: Keys) -> Iterator[Stage]:
    """Yield the states of each ply, or of each tier, with their labels; `keys` are all states."""
    is_terminal = np.diff(game.offsets) == 0
    orders: Iterator[NDArray[np.intp]]
    if game.is_layered:
        orders = (begin + np.argsort(keys[begin:end]) for begin, end in pairwise(game.stage_bounds))
    else:
        assert isinstance(game.game, PackedGame)
        orders = by_tier(game.game, keys)
    for order in orders:
        movers, plies = game.movers[order].astype(np.int64), labels.remoteness[order].astype(np.int64)
        yield keys[order], is_terminal[order], movers, labels.values[order], plies


def _keys(game: NumberedGame) -> Keys:
    for state in game.states:
        if not is_state(state):
            raise BrokenRules(
                f"the states of {type(game.game).__name__} should be from 0 to below 2**63, "
                f"not {shown(state)}"
            )
    return np.array(game.states, np.int64)


@dataclass(frozen=True)
class MemorySolve:
    """A solve in memory."""

    rules: RulesPool
    watch: MemoryWatch
    options: SolveOptions

    def discovery(self, starts: Iterable[Hashable] | None = None) -> Discovery:
        """The search for states from `starts`: by default the start of the options, or the initial states."""
        starts = self.options.own_start(self.rules.game) if starts is None else starts
        return Discovery(self.rules, starts, self.watch, self.options.progress)

    def write(self, numbered: NumberedGame, path: Path) -> None:
        """Label the states and write their database to a new file, a packed one if the options say so.

        Raises `BrokenRules`, `UnwritableFile`, and `UnfitRules` if the packed layout cannot hold the
        utilities.
        """
        endless, progress = self.options.endless, self.options.progress
        if self.options.layout != "packed":
            from solver.engines.arrays.readable_rows import write_readable_rows  # imports sqlite-utils

            labels = label(numbered, endless, progress=progress)
            write_readable_rows(numbered, labels, path, self.rules, progress)
            return
        last, greatest = len(numbered.stage_bounds) - 2, max(map(abs, numbered.utilities), default=0)
        has_loops, endless_value = not numbered.is_layered, ENDLESS[endless]
        code = smallest_label_code(0 if has_loops else last, greatest, endless_value, has_loops=has_loops)
        labels = label(numbered, endless, progress=progress)
        code = code.smallest_for(last, int(labels.remoteness.max()))
        stages = partial(_stages, numbered, labels, _keys(numbered))
        facts = metadata(numbered, labels, PACKED_FORMAT)
        write_packed_stages(path, stages, code, facts, "writing the file", progress)

    def solve(self, path: Path, discovery: Discovery | None = None) -> None:
        """Find all states, continuing a `discovery` if one is given, and write them as `write` does."""
        if discovery is None and self.options.start is None:
            room, fold = resources.room(self.options.memory), self.rules.fold
            game = self.rules.game
            refuse_by_bound(game, room, ARRAYS.memory_bytes, "arrays", fold=fold, looseness=LOOSEST_BOUND)
        numbered = (discovery or self.discovery()).run()
        assert numbered is not None
        self.write(numbered, path)


@contextmanager
def memory_solve(game: AnyGame, options: SolveOptions) -> Iterator[MemorySolve]:
    """Yield a solve in memory; raises `TooLarge` if the block takes more than the options allow."""
    cluster = None if isinstance(game, PackedGame) else options.cluster
    pool = closing(RulesPool(game, fold=options.fold, cluster=cluster))
    with memory_budget(options.memory) as budget, pool as rules:
        if cluster is not None:
            options.say(f"{number_of(rules.workers, 'worker is', 'workers are')} asked the rules")
        yield MemorySolve(rules, MemoryWatch("arrays", budget * PERCENT_FOR_STATES // 100), options)
