"""Solves a packed game with loops into a packed database, stage by stage over a work folder."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from solver.engines.forecast import expected_count
from solver.engines.loops.finding import find_stages
from solver.engines.loops.labelling import label_stages
from solver.engines.loops.result import solution
from solver.engines.loops.stage_files import SOLVED, UNFOLDED
from solver.engines.loops.symmetries import are_symmetric, prove_symmetries, try_symmetries
from solver.engines.loops.unfolding import unfolded_stages
from solver.engines.options import SolveOptions
from solver.engines.storage.resumable import ResumableSolve
from solver.engines.storage.work_folder import WorkFolder
from solver.packed import PackedGame
from solver.rules.arrays import Keys
from solver.rules.failures import rules_asked


def write_loops(game: PackedGame, starts: Keys, options: SolveOptions, part: Path, work: WorkFolder) -> None:
    """Solve `game` from `starts` and write its packed database to a new file at `part`.

    Finished stages survive an interruption in `work`. Raises `UnfitRules` if no label can hold the utilities,
    `BrokenRules` if the rules fail, `TooLarge` if a stage does not fit into memory, `OtherWork` and
    `DiskFull`.
    """
    solve = ResumableSolve(
        game, starts, options, work, "arrays", exchange=is_exchanged(game, int(starts[0]), options)
    )
    context = solve.context()
    firsts, files, test = solve.first_states(context), SOLVED, try_symmetries
    starting = len(firsts)
    with solve.refusals():
        if not context.fold and are_symmetric(context.rules, firsts):
            context, files, test = replace(context, fold=True), UNFOLDED, partial(prove_symmetries, game)
            firsts = solve.first_states(context)
        count = expected_count(game, fold=context.fold, exchange=solve.exchange)
        stages = find_stages(context, firsts, test, 0 if count is None else count.states)
        code, labels = label_stages(context, stages)
        unfolded = unfolded_stages(context, code, stages) if files == UNFOLDED else None
    moves, remoteness = (
        sum(each.moves for each in unfolded or labels),
        max(each.remoteness for each in labels),
    )
    solve.write(part, solution(context, code, unfolded or stages, remoteness, moves, files), starting)


def is_exchanged(game: PackedGame, start: int, options: SolveOptions) -> bool:
    """Whether positions with exchanged players are solved as one, as nothing favours one of the players."""
    with rules_asked(game, "exchanged", start):
        is_told = game.exchanged(start) is not None
    return options.fold and options.endless == "draw" and is_told
