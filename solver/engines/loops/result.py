"""The blocks and counts of a solved game with loops, from the files of its stages."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from solver.database.packed.block import Block
from solver.database.packed.counts import CountRow
from solver.database.packed.label_code import LabelCode, RemotenessCode
from solver.engines.loops.stage_files import StageFiles
from solver.engines.storage.blocks import count_row, encode_part, parts_of
from solver.engines.storage.context import SolveContext
from solver.engines.storage.labelled_layer import LabelFile, LabelledLayer, LabelledRun
from solver.engines.storage.records import SizedRecord
from solver.engines.storage.resumable import Solution
from solver.rules.arrays import Labels


def solution(
    context: SolveContext,
    code: RemotenessCode,
    stages: Sequence[SizedRecord],
    remoteness: int,
    moves: int,
    files: StageFiles,
) -> Solution:
    """The solution whose stages, in `files`, were labelled in this `code`; its blocks have the smallest one.

    The `remoteness` is the greatest one, in plies, and `moves` the number of all moves.
    """
    final = code.smallest_for(len(stages) - 1, remoteness)
    counts = list[CountRow]()
    return Solution(
        code=final,
        moves=moves,
        states=sum(stage.states for stage in stages),
        parts=[_blocks(context, code, final, len(stages), files, counts)],
        counts=counts,
    )


@dataclass(frozen=True)
class _Recoded:
    """A file of labels, read in another code."""

    file: LabelFile
    code: LabelCode
    final: LabelCode

    def read(self, begin: int, end: int) -> Labels:
        """The labels with the ranks [begin, end)."""
        labels = self.file.read(begin, end)
        return self.final.of(self.code.values(labels), self.code.remoteness(labels, 0), 0)


def _blocks(
    context: SolveContext,
    code: LabelCode,
    final: LabelCode,
    stages: int,
    files: StageFiles,
    counts: list[CountRow],
) -> Iterator[Block]:
    """Yield the blocks of all stages, and add to the counts those of each."""
    for nth in range(stages):
        labels = _Recoded(files.labels_of(context, nth, code.dtype), code, final)
        rows = (
            LabelledRun(files.open_states(context, nth), labels),
            LabelledRun(files.terminal_states(context, nth), None),
        )
        layer = LabelledLayer(context.rules, final, nth, rows)
        kinds = Counter[tuple[int, int, int]]()
        for blocks, found in context.map_ordered(partial(_encoded, layer), parts_of(layer)):
            kinds.update(found)
            yield from blocks
        counts.extend(count_row(final, nth, *kind, states) for kind, states in kinds.items())


def _encoded(
    layer: LabelledLayer, part: tuple[int, int, int]
) -> tuple[list[Block], dict[tuple[int, int, int], int]]:
    """The blocks of a part of a stage, and its numbers of states by kind."""
    return encode_part(layer, *part)
