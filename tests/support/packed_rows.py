"""Packed files as rows, one for each state, so that tests can change rows and reseal the file."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from hypothesis import assume, strategies as st

from solver import open_database, solve, verify_database
from solver.database.packed.block import Block, blocks_of
from solver.database.packed.counts import counts_of
from solver.database.packed.keys.key_code import KeyEncoder
from solver.database.packed.label_code import LabelCode
from solver.database.packed.reader import PackedDatabase
from solver.database.packed.writer import write_packed
from solver.errors import UnusableFile
from solver.game import ENDLESS, AnyGame
from tests.support.altered import alter


class Row(NamedTuple):
    """A state, as stored in a file."""

    ply: int
    key: int
    is_terminal: int
    label: int


def packed(game: AnyGame, folder: Path, engine: str = "arrays", **options: Any) -> Path:
    """The packed file of a game."""
    solve(game, folder / "dense.db", engine=engine, layout="packed", force=True, **options)
    return folder / "dense.db"


def problems(path: Path) -> list[str]:
    with open_database(path, errors="replace") as db:
        return verify_database(db)


def complaints(path: Path) -> list[str]:
    """The problems of a file, or why it is unusable."""
    try:
        return problems(path)
    except UnusableFile as error:
        return [str(error)]


def rows_of(path: Path) -> list[Row]:
    with open_database(path) as db:
        assert isinstance(db, PackedDatabase)
        return [
            Row(states.stage, key, int(over), label)
            for states in db.states()
            for key, over, label in zip(
                states.keys.tolist(), states.is_terminal.tolist(), states.labels.tolist(), strict=True
            )
        ]


def rewrite(path: Path, rows: Sequence[Row], code: LabelCode | None = None, **facts: object) -> None:
    """Replace the rows of a file and reseal it, so that only the rules can show what is wrong.

    Labels are in the code of the file, unless another code is given.
    """
    with open_database(path) as db:
        assert isinstance(db, PackedDatabase)
        form, about, rules = code or _stated_code(db), dict(db.about), db.rules
    blocks, counts, moves = list[Block](), list[Any](), 0
    for ply in sorted({row.ply for row in rows}):
        _, keys, over, labels = np.array(sorted(row for row in rows if row.ply == ply)).T
        movers, going = np.broadcast_to(rules.to_move(keys), keys.shape), keys[over == 0]
        moves += sum(
            np.sum(rules.legal(going, action) & (going >= 0)) for action in range(rules.action_count)
        )
        plies = np.where(over != 0, 0, form.remoteness(labels, form.counted_from(ply)))
        counts += counts_of(ply, over, movers, form.values(labels), plies)
        blocks += blocks_of(ply, keys, over != 0, labels.astype(form.dtype), KeyEncoder())
    values = [count.value for count in counts]
    about |= {
        "states": str(len(rows)),
        "terminal": str(sum(row.is_terminal for row in rows)),
        "moves": str(moves),
        "values": f"[{min(values)}, {max(values)}]",
        **form.metadata_rows,
        **{key: str(value) for key, value in facts.items()},
    }
    path.unlink()
    sealed = ("crc32", "counts_crc32", "dictionary_crc32", "sha256")
    write_packed(path, blocks, counts, {key: text for key, text in about.items() if key not in sealed})


def _stated_code(db: PackedDatabase) -> LabelCode:
    """The label code that the file states, even if it lacks labels that the counts have."""
    span, most = db.number("label_span"), max(1, *map(abs, db.value_range))
    return LabelCode(span, most, ENDLESS[db.about["endless"]], has_loops="labels" in db.about)


def claim(path: Path, game: Any) -> None:
    """Make a file claim to be of this game, a table."""
    change(path, f"update about set value = '{json.dumps(asdict(game))}' where key = 'parameters'")


def change(path: Path, *statements: str) -> None:
    """Change a file by SQL and reseal it, block by block and as a whole."""
    seal = "update blocks set crc32 = checksum(stage, is_terminal, first, states, keys, labels)"
    alter(path, *statements, seal, sealed=True)


def hold_against_other_rows(path: Path, states: int, data: st.DataObject, endless: str = "draw") -> None:
    """Assert that a file of a game of so many states is proved, and with other rows is not."""
    assert problems(path) == []
    rows = rows_of(path)
    altered = data.draw(other_rows(rows, states))
    rewrite(path, altered)
    assert (problems(path) == []) == (stored(altered, endless) == stored(rows, endless))


@st.composite
def other_rows(draw: st.DrawFn, rows: Sequence[Row], states: int) -> list[Row]:
    """The rows with one of them changed or left out, and perhaps one added, of one of `states` states."""
    chosen = draw(st.sampled_from(rows))
    labels = st.sampled_from(sorted({row.label for row in rows} | {0, 1, -1, 124, 125, -125, 126, -126}))
    keys, places = st.integers(0, states - 1), st.integers(0, 4)
    one = st.one_of(
        st.builds(lambda label: chosen._replace(label=label), labels),
        st.builds(lambda stage: chosen._replace(ply=stage), places),
        st.builds(lambda key: chosen._replace(key=key), keys),
        st.builds(lambda over: chosen._replace(is_terminal=over), st.integers(0, 1)),
        st.none(),
    )
    added = st.builds(Row, places, keys, st.integers(0, 1), labels)
    drawn = {draw(one), draw(st.one_of(st.none(), added))}
    left = sorted({row for row in rows if row != chosen} | {row for row in drawn if row})
    assume(left and len({(row.ply, row.is_terminal, row.key) for row in left}) == len(left))
    return left


def stored(rows: Sequence[Row], endless: str = "draw") -> list[Row]:
    """The rows as a file stores them: of terminal states only the value, in the counts."""
    form = LabelCode(128, 3, ENDLESS[endless])
    ends = {row: row._replace(label=form.value(row.label)) for row in rows if row.is_terminal}
    return sorted(ends.get(row, row) for row in rows)
