"""Solves a packed game with loops into a packed database, stage by stage over a work folder."""

from pathlib import Path

from solver.engines.loops.finding import find_stages
from solver.engines.loops.labelling import label_stages
from solver.engines.loops.result import solution
from solver.engines.options import SolveOptions
from solver.engines.resumable import ResumableSolve
from solver.engines.storage.work_folder import Work
from solver.packed import PackedGame


def write_loops(
    game: PackedGame,
    starts: tuple[int, ...],
    options: SolveOptions,
    part: Path,
    work: Work,
) -> None:
    """Solve `game` from `starts` and write its packed database to a new file at `part`.

    Finished stages survive an interruption in `work`. Raises `UnfitRules` if no label can hold the utilities,
    `BrokenRules` if the rules fail, `TooLarge` if a stage does not fit into memory, `OtherWork` and
    `DiskFull`.
    """
    solve = ResumableSolve(game, starts, options, work, "arrays")
    context = solve.context()
    firsts = solve.first_states(context)
    with solve.refusals():
        stages = find_stages(context, firsts)
        code = label_stages(context, stages)
    solve.write(part, solution(context, code, stages), len(firsts))
