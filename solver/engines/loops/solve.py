"""Solves a packed game with loops into a packed database, stage by stage over a work folder.

Its blocks and counts come from the files of the stages.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from solver.database.packed.block import Block
from solver.database.packed.counts import CountRow
from solver.database.packed.keys.key_code import KeyEncoder
from solver.database.packed.label_code import LabelCode
from solver.engines.forecast import expected_count
from solver.engines.loops.finding import find_stages, write_starts
from solver.engines.loops.labelling import label_stages
from solver.engines.loops.stage_files import SOLVED, UNFOLDED, StageFiles
from solver.engines.loops.symmetries import are_symmetric, unfolded_stages
from solver.engines.loops.tasks import finding as tasks_finding, labelling as tasks_labelling
from solver.engines.loops.tasks.workplace import Steps, TaskOpening, Workplace
from solver.engines.options import SolveOptions
from solver.engines.packed_starts import PackedStarts
from solver.engines.storage.context import SolveContext
from solver.engines.storage.key_file import KeyFile
from solver.engines.storage.labelled_layer import (
    LabelFile,
    LabelledLayer,
    LabelledRun,
    count_row,
    dictionary_of_stages,
    encode_part,
    parts_of,
)
from solver.engines.storage.records import SizedRecord
from solver.engines.storage.resumable import ResumableSolve, Solution
from solver.engines.storage.steps import executor_of
from solver.engines.storage.work_folder import WorkFolder
from solver.packed import PackedGame
from solver.rules.arrays import Labels
from solver.rules.folding import Folding
from solver.system.resources import cores


def solution(
    context: SolveContext,
    code: LabelCode,
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

    def states(nth: int, is_terminal: int) -> KeyFile:
        return (files.terminal_states if is_terminal else files.open_states)(context, nth)

    dictionary = dictionary_of_stages(stages, states)
    return Solution(
        code=final,
        moves=moves,
        states=sum(stage.states for stage in stages),
        parts=[_blocks(context, code, final, len(stages), files, counts, dictionary)],
        dictionary=dictionary,
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
        return self.final.encode(self.code.values(labels), self.code.remoteness(labels, 0), 0)


def _blocks(
    context: SolveContext,
    code: LabelCode,
    final: LabelCode,
    stages: int,
    files: StageFiles,
    counts: list[CountRow],
    dictionary: bytes,
) -> Iterator[Block]:
    encoder = KeyEncoder(dictionary)
    for nth in range(stages):
        labels = _Recoded(files.labels_of(context, nth, code.dtype), code, final)
        rows = (
            LabelledRun(files.open_states(context, nth), labels),
            LabelledRun(files.terminal_states(context, nth), None),
        )
        layer = LabelledLayer(context.rules, final, nth, rows)
        kinds = Counter[tuple[int, int, int]]()
        for blocks, sizes in context.map_ordered(partial(_encoded, encoder, layer), parts_of(layer)):
            kinds.update(sizes)
            yield from blocks
        counts.extend(count_row(final, nth, *kind, states) for kind, states in kinds.items())


def _encoded(
    encoder: KeyEncoder, layer: LabelledLayer, part: tuple[int, int, int]
) -> tuple[list[Block], dict[tuple[int, int, int], int]]:
    return encode_part(encoder, layer, *part)


def write_loops(
    game: PackedGame, starts: PackedStarts, options: SolveOptions, part: Path, work: WorkFolder
) -> None:
    """Solve `game` from `starts` and write its packed database to a new file at `part`.

    Finished stages survive an interruption in `work`. Raises `UnfitRules` if no label can hold the utilities,
    `BrokenRules` if the rules fail, `TooLarge` if memory is very short, `OtherWork` and `DiskFull`.
    """
    folding = options.folding(game, 2)
    solve = ResumableSolve(folding, starts, options, work, "arrays")
    context = solve.context()
    context = replace(context, job=replace(context.job, threads=cores()))  # also beside a cluster
    starting, unfolds = 0, False
    with solve.refusals():
        if not context.fold:
            firsts = solve.all_first_states(context)
            starting, unfolds = len(firsts), are_symmetric(context.rules, firsts)
        workplace = Workplace.of(context, unfolds=unfolds)
        context = workplace.context
        found = write_starts(context, solve.first_states(context))
        count = expected_count(folding if options.fold else Folding(game, context.fold))
        expected = 0 if count is None else count.states
        if options.cluster is None:
            stages = find_stages(context, found.tiers, workplace.test_symmetries, expected)
            code, labels = label_stages(context, stages)
        else:
            opening = TaskOpening(solve.job, unfolds)
            with executor_of(solve, workplace, Workplace.__module__, opening) as executor:
                steps = Steps(workplace, executor)
                stages = tasks_finding.find_stages(steps, found.tiers, expected)
                code, labels = tasks_labelling.label_stages(steps, stages)
        unfolded = unfolded_stages(context, code, stages) if unfolds else None
    moves, remoteness = (
        sum(each.moves for each in unfolded or labels),
        max(each.remoteness for each in labels),
    )
    solved = solution(context, code, unfolded or stages, remoteness, moves, UNFOLDED if unfolds else SOLVED)
    solve.write(part, solved, starting or found.states)
