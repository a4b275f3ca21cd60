"""Packed files as rows, one a state, so that any can be changed and the file sealed as if it were right."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from solver import open_database, solve, verify_database
from solver.database.header import crc32_of
from solver.database.packed.block import Block, checksum
from solver.database.packed.counts import COUNTS, counts_of
from solver.database.packed.keys.key_code import KeyEncoder
from solver.database.packed.label_code import LabelCode
from solver.database.packed.reader import PackedDatabase
from solver.database.packed.writer import blocks_of, digest, write_packed
from solver.game import ENDLESS, AnyGame


class Row(NamedTuple):
    """A state as a file has it."""

    ply: int
    key: int
    is_terminal: int
    label: int


def packed(game: AnyGame, folder: Path, **options: Any) -> Path:
    """The packed file of a game, solved as a graph."""
    solve(game, folder / "dense.db", engine="graph", layout="packed", force=True, **options)
    return folder / "dense.db"


def problems(path: Path) -> list[str]:
    with open_database(path, errors="replace") as db:
        return verify_database(db)


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


def rewrite(path: Path, rows: Sequence[Row], code: LabelCode | None = None, **told: object) -> None:
    """Write other rows into the file, sealed as if they were right: only the rules can tell.

    Their labels are in the code of the file, unless another is given.
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
        **{key: str(value) for key, value in told.items()},
    }
    path.unlink()
    sealed = ("crc32", "counts_crc32", "dictionary_crc32", "sha256")
    write_packed(path, blocks, counts, {key: text for key, text in about.items() if key not in sealed})


def _stated_code(db: PackedDatabase) -> LabelCode:
    """The code that the file states, whether its counts are in it or not."""
    span, most, endless_value = (
        db.number("label_span"),
        max(map(abs, db.value_range)),
        ENDLESS[db.about["endless"]],
    )
    return LabelCode(span, max(1, most), endless_value, has_loops="labels" in db.about)


def change(path: Path, *statements: str) -> None:
    """Change a file by SQL and seal it again, block by block and as a whole."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.create_function("sealed", 6, checksum)
        for statement in statements:
            connection.execute(statement)
        connection.execute(
            "update blocks set crc32 = sealed(stage, is_terminal, first, states, keys, labels)"
        )
        about = dict(connection.execute("select key, value from about"))
        about["counts_crc32"] = str(crc32_of(connection.execute(COUNTS)))
        told = sorted((key, text) for key, text in about.items() if key not in ("crc32", "sha256"))
        about["crc32"] = str(crc32_of(told))
        connection.executemany("update about set value = ? where key = ?", [(v, k) for k, v in about.items()])
        connection.execute("update about set value = ? where key = 'sha256'", (digest(connection),))
