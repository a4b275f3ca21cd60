"""Solves a packed game with loops into a packed database, stage by stage in a work folder.

Tasks find states (finding.py), label them (labels/), and unfold them (unfolding.py). When all stages are
labelled, tasks encode the blocks of the database.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path

import numpy as np

from solver.database.packed.label_code import LabelCode
from solver.engines.forecast import expected_count
from solver.engines.loops.finding import find_stages, write_starts
from solver.engines.loops.labels.labelling import label_stages
from solver.engines.loops.symmetries import are_symmetric
from solver.engines.loops.unfolding import unfolded_stages
from solver.engines.loops.workplace import SOLVED, UNFOLDED, Workplace
from solver.engines.states import PackedStarts
from solver.engines.storage.blocks import count_row, encoding_tasks, keep_dictionary, read_blocks
from solver.engines.storage.labelled_layer import LabelledLayer, StageFiles
from solver.engines.storage.records import ReachedStage
from solver.engines.storage.resumable import ResumableSolve, Solution
from solver.engines.storage.steps import cluster_for
from solver.engines.storage.work_folder import WorkFolder
from solver.rules.arrays import Labels
from solver.rules.folding import Folding
from solver.system.resources import cores


def write_loops(starts: PackedStarts, unfinished: Path, work: WorkFolder) -> None:
    """Solve a game from its `starts` and write its packed database to a new file at `unfinished`.

    Finished stages survive an interruption in `work`. Raises `UnfitRules` if no label can hold the utilities,
    `BrokenRules` if the rules fail, `TooLarge` if memory is very short, `OtherWork` and `DiskFull`.
    """
    game, options = starts.game, starts.options
    folding = options.folding(game, 2)
    solve = ResumableSolve(folding, starts, work, "arrays")
    context, job = solve.context(), solve.job
    starting = 0
    if options.cluster is None:
        job = replace(job, memory=job.memory // 2, held=job.memory // 2)
    with solve.refusals():
        if not context.fold:
            firsts = solve.all_first_states(context)
            starting = len(firsts)
            job = replace(job, unfolds=are_symmetric(context.rules, firsts))
        context = replace(context, job=replace(job, threads=cores()))  # with a cluster, too
        workplace = Workplace(context)
        with cluster_for(solve, workplace, job):
            started = write_starts(workplace, solve.first_states(context))
            count = expected_count(folding if options.fold else Folding(game, context.fold))
            stages = find_stages(workplace, started, count.states if count else None)
            solved = solution(workplace, stages)
    solve.write(unfinished, solved, starting or started.states)


def _recoded(code: LabelCode, final: LabelCode, labels: Labels) -> Labels:
    """The same labels in another code."""
    if labels.itemsize > 2:
        return final.encode(code.values(labels), code.remoteness(labels, 0), 0)
    return _all_recoded(code, final).take(labels.view(f"u{labels.itemsize}"))


@lru_cache(1)
def _all_recoded(code: LabelCode, final: LabelCode) -> Labels:
    """A table of all labels of a short code in another one, by their bits: ten times as fast."""
    labels: Labels = np.arange(1 << 8 * code.dtype.itemsize).astype(code.dtype)
    return final.encode(code.values(labels), code.remoteness(labels, 0), 0)


def _layer(
    code: LabelCode, final: LabelCode, files: StageFiles, stage: int, workplace: Workplace
) -> LabelledLayer:
    """A stage that was labelled in `code`, with its labels in the code `final`."""
    rows = files.rows(workplace.context, stage, code, partial(_recoded, code, final))
    return LabelledLayer(workplace.context.rules, final, stage, rows)


def solution(workplace: Workplace, stages: Sequence[ReachedStage]) -> Solution:
    """Label all stages in the work folder, unfold them if one state of each class is solved, and encode them.

    The blocks have the smallest code. Raises `UnfitRules`, `BrokenRules` and `DiskFull`.
    """
    context, work = workplace.context, workplace.context.work
    code, labels = label_stages(workplace, stages)
    final = code.smallest_for(len(stages) - 1, max(record.remoteness for record in labels))
    unfolded = unfolded_stages(workplace, code, stages) if context.job.unfolds else None
    files, solved = (UNFOLDED, unfolded) if unfolded else (SOLVED, stages)
    states = sum(stage.states for stage in solved)
    keep_dictionary(work, solved, partial(files.states, context))
    stages_and_tasks = [
        (stage, task)
        for stage in range(len(stages))
        for task in encoding_tasks(workplace, partial(_layer, code, final, files, stage))
    ]
    tasks, kinds = [task for _, task in stages_and_tasks], Counter[tuple[int, int, int, int]]()
    answers = workplace.run("encoding", tasks, context.counted("encoding", states, None))
    for (stage, _), answer in zip(stages_and_tasks, answers, strict=True):
        kinds.update({(stage, *kind): count for *kind, count in answer["counts"]})
    shards = (work.shard(stage, "blocks", task.nth) for stage, task in stages_and_tasks)
    return Solution(
        code=final,
        moves=sum(record.moves for record in unfolded or labels),
        parts=[chain.from_iterable(map(read_blocks, shards))],
        counts=[count_row(final, *kind, count) for kind, count in sorted(kinds.items())],
    )
