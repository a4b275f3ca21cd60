"""Solves a game by layers into a packed database, resuming from a work folder if there is one."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from solver.database.packed.block import Block
from solver.database.packed.label_code import smallest_label_code
from solver.engines.forecast import known_count
from solver.engines.layers.backward import label_layers
from solver.engines.layers.forward import find_layers
from solver.engines.layers.opened import Layers
from solver.engines.states import PackedStarts
from solver.engines.storage.blocks import count_row, keep_dictionary, read_blocks
from solver.engines.storage.records import FoundLayer, SolvedLayer
from solver.engines.storage.resumable import ResumableSolve, Solution
from solver.engines.storage.steps import cluster_for
from solver.engines.storage.work_folder import WorkFolder
from solver.errors import DamagedWork


def write_layered(starts: PackedStarts, unfinished: Path, work: WorkFolder) -> None:
    """Solve a game from its `starts` and write its packed database to a new file at `unfinished`.

    Finished layers survive an interruption in `work`. Raises `UnfitRules` if a state is reached at two plies
    or no label can hold the utilities, `BrokenRules` if the rules fail, `TooLarge`, `OtherWork` and
    `DiskFull`.
    """
    folding = starts.options.folding(starts.game)
    solve = ResumableSolve(folding, starts, work, "layers")
    opened = Layers(solve.context())
    with solve.refusals(), cluster_for(solve, opened, solve.job):
        firsts = solve.all_first_states(opened.context)
        count = known_count(folding) if starts.options.start is None else None
        labelled = solution(opened, find_layers(opened, firsts, count.states if count else None))
    solve.write(unfinished, labelled, len(firsts))


def solution(opened: Layers, layers: Sequence[FoundLayer]) -> Solution:
    """Label all layers in the work folder; raises `UnfitRules`, `BrokenRules` and `DiskFull`."""
    context, work = opened.context, opened.context.work
    code = smallest_label_code(len(layers) - 1, max(layer.margin for layer in layers), context.endless_value)
    keep_dictionary(work, layers, opened.states)
    label_layers(opened, code, layers)
    solved = [SolvedLayer.finished(work, ply) for ply in range(len(layers))]
    shards = [work.shards(ply, "blocks", layer.blocks) for ply, layer in enumerate(solved)]
    return Solution(
        code=code,
        moves=sum(layer.moves for layer in solved),
        parts=_given_up(work, chain.from_iterable(shards)),
        counts=[count_row(code, ply, *kind) for ply, layer in enumerate(solved) for kind in layer.counts],
    )


def _given_up(work: WorkFolder, shards: Iterable[Path]) -> Iterator[Iterator[Block]]:
    """Yield the blocks of each shard that is not in the database yet; then delete the shard."""
    may_be_missing = work.database.exists()
    for path in shards:
        if path.exists():
            may_be_missing = False
            yield read_blocks(path)
            path.unlink()
        elif not may_be_missing:
            raise DamagedWork(f"{work.path} has lost {path.name}: remove the folder")
