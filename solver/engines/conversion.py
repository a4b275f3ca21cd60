"""Conversion of a database to the other layout, with the rows that a solve into that layout would write."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from solver.database import Database, open_database
from solver.database.columns import MISSING, Batch, joined
from solver.database.metadata import Metadata
from solver.database.packed.label_code import smallest_label_code
from solver.database.packed.reader import PackedDatabase
from solver.database.packed.writer import by_tier
from solver.database.schema import PACKED_FORMAT
from solver.engines.arrays.numbered import GameLabels, NumberedGame
from solver.engines.arrays.solve import Stage, memory_solve, write_packed_stages
from solver.engines.forecast import ARRAYS
from solver.engines.options import SolveOptions
from solver.errors import TooLarge, UsageError
from solver.packed import PackedGame
from solver.rules.arrays import batch_answers, distinct, fold
from solver.rules.folding import Folding
from solver.system import resources
from solver.system.progress import Progress, no_progress
from solver.system.words import number_of

LAYOUTS = ("readable", "packed")

STATES_PER_LOOKUP = 1 << 18
"""The number of states whose labels are looked up at a time."""


def convert(db: Database, path: Path, layout: str, *, progress: Progress = no_progress) -> None:
    """Write the game of `db` in `layout` to a new file, preferably one that `solver.system.files` names.

    Raises `UsageError` if the layout cannot hold the game or `db` has it already, `TooLarge` if there is too
    little memory for a readable database, and what writing raises.
    """
    if layout == db.layout:
        raise UsageError(f"{db.path} has the {layout} layout already")
    if db.packed is None:
        _to_packed(db, path, progress)
    else:
        _to_readable(db.packed, path, progress)


def lay_out(path: Path, layout: str, progress: Progress) -> None:
    """Convert the file at `path` to `layout`, unless it has it already; raises as `convert` does."""
    converted = path.with_name(f"{path.name}.{layout}")
    with open_database(path) as db:
        if db.layout == layout:
            return
        convert(db, converted, layout, progress=progress)
    converted.replace(path)


def other_layout(db: Database) -> str:
    """The name of the layout that a database does not have."""
    return next(layout for layout in LAYOUTS if layout != db.layout)


def _to_readable(db: PackedDatabase, path: Path, progress: Progress) -> None:
    from solver.engines.arrays.readable_rows import write_readable_rows  # imports sqlite-utils, which is slow

    most = len(db) * (1 + db.folding.is_signed)
    needed, there = most * ARRAYS.memory_bytes, resources.available()
    if needed > there:
        raise TooLarge(
            f"{db.path} has {number_of(len(db), 'state')}; to write them in the readable layout takes about "
            f"{needed // len(db)} bytes of memory for each, and there are {there / 1e9:.1f} GB"
        )
    start = db.start if db.has_own_start else None
    options = SolveOptions(start, db.endless, fold=db.folded, progress=progress)
    with memory_solve(db.rules, options) as memory:
        if (numbered := memory.discovery().run(most)) is None:
            raise db.damage(f"it has {number_of(len(db), 'position')}, play leads to more")
        write_readable_rows(numbered, _labels(db, numbered, progress), path, memory.rules, progress)


def _labels(db: PackedDatabase, numbered: NumberedGame, progress: Progress) -> GameLabels:
    """The labels of the states in `db`; raises `DamagedFile` if the number of states differs."""
    states = len(numbered)
    if db.folding.is_signed:
        states = len(distinct(fold(db.folding, np.array(numbered.states)).states))
    if states != len(db):
        raise db.damage(f"it has {number_of(len(db), 'position')}, play leads to {states:,}")
    labels = GameLabels(db.endless, np.empty(len(numbered), np.int64), np.empty(len(numbered), np.int32))
    for begin in range(0, len(numbered), STATES_PER_LOOKUP):
        part = slice(begin, begin + STATES_PER_LOOKUP)
        answers = db.lookup(np.array(numbered.states[part], np.int64), best=False)
        labels.values[part], labels.remoteness[part] = answers.value, answers.remoteness
        progress("converting", min(begin + STATES_PER_LOOKUP, len(numbered)), len(numbered))
    return labels


def _to_packed(db: Database, path: Path, progress: Progress) -> None:
    game = db.game
    if not isinstance(game, PackedGame):
        raise UsageError(f"{db.path} cannot be packed: states of {db.game_name} are no integers")
    kinds = db.counts()
    plies = sorted({kind.ply for kind in kinds}, key=lambda ply: (ply is None, ply or 0))
    is_layered = plies != [None]
    if is_layered and plies != list(range(max(1, len(plies)))):
        raise db.damage("its plies do not follow each other")
    last = len(plies) - 1 if is_layered else max(kind.remoteness or 0 for kind in kinds)
    greatest = max(map(abs, db.value_range))
    code = smallest_label_code(last, greatest, db.endless_value, has_loops=not is_layered)
    facts = Metadata(
        folding=Folding(game, db.folding_degree),
        layout=PACKED_FORMAT,
        start=db.state_of(db.start),
        starts=db.starts,
        endless=db.endless,
        values=db.value_range,
        states=len(db),
        terminal=db.number("terminal"),
        moves=db.moves,
    )
    names = ("state", "is_terminal", "value", "remoteness", "ply")
    columns = joined(db.columns(names), names)
    if (columns[0] < 0).any():
        raise db.damage("the text of one of its positions is no state")
    stages = partial(_stages, columns, game, plies)
    write_packed_stages(path, stages, code, facts, "converting", progress)


def _stages(positions: Batch, game: PackedGame, plies: Iterable[int | None]) -> Iterator[Stage]:
    """Yield the states of each ply, or else of each tier, ascending, with the columns of a `Stage`."""
    *columns, ply_of = positions
    for ply in plies:
        places = np.flatnonzero(ply_of == (MISSING if ply is None else ply))
        keys = columns[0][places]
        for order in by_tier(game, keys) if ply is None else [np.argsort(keys)]:
            state, over, values, remoteness = (column[places[order]] for column in columns)
            yield state, over, batch_answers(game, "to_move", state), values, remoteness
