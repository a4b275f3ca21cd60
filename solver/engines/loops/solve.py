"""Solves a packed game with loops into a packed database, stage by stage in a work folder.

Tasks find states (finding.py), label them (labels/), unfold them (unfolding.py) and encode them
(encoding.py).
"""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from solver.engines.forecast import expected_count
from solver.engines.loops.encoding import encoded
from solver.engines.loops.finding import find_stages, write_starts
from solver.engines.loops.labels.labelling import label_stages
from solver.engines.loops.symmetries import are_symmetric
from solver.engines.loops.unfolding import unfolded_stages
from solver.engines.loops.workplace import SOLVED, UNFOLDED, Steps, Workplace
from solver.engines.options import SolveOptions
from solver.engines.packed_starts import PackedStarts
from solver.engines.storage.resumable import ResumableSolve
from solver.engines.storage.steps import executor_of
from solver.engines.storage.work_folder import WorkFolder
from solver.packed import PackedGame
from solver.rules.folding import Folding
from solver.system.resources import cores


def write_loops(
    game: PackedGame, starts: PackedStarts, options: SolveOptions, unfinished: Path, work: WorkFolder
) -> None:
    """Solve `game` from `starts` and write its packed database to a new file at `unfinished`.

    Finished stages survive an interruption in `work`. Raises `UnfitRules` if no label can hold the utilities,
    `BrokenRules` if the rules fail, `TooLarge` if memory is very short, `OtherWork` and `DiskFull`.
    """
    folding = options.folding(game, 2)
    solve = ResumableSolve(folding, starts, options, work, "arrays")
    context, job = solve.context(), solve.job
    starting = 0
    if options.cluster is None:
        job = replace(job, memory=job.memory // 2, held=job.memory // 2)
    with ExitStack() as stack:
        stack.enter_context(solve.refusals())
        if not context.fold:
            firsts = solve.all_first_states(context)
            starting = len(firsts)
            job = replace(job, unfolds=are_symmetric(context.rules, firsts))
        context = replace(context, job=replace(job, threads=cores()))  # with a cluster, too
        workplace = Workplace(context)
        steps = Steps(workplace, stack.enter_context(executor_of(solve, workplace, job)))
        started = write_starts(steps, solve.first_states(context))
        count = expected_count(folding if options.fold else Folding(game, context.fold))
        expected = 0 if count is None else count.states
        stages = find_stages(steps, started, expected)
        code, labels = label_stages(steps, stages)
        unfolded = unfolded_stages(steps, code, stages) if job.unfolds else None
        solved = encoded(
            steps,
            code,
            unfolded or stages,
            max(record.remoteness for record in labels),
            sum(record.moves for record in unfolded or labels),
            UNFOLDED if job.unfolds else SOLVED,
        )
    solve.write(unfinished, solved, starting or started.states)
