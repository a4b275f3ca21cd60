"""Writes columns as CSV, Parquet or NumPy's .npz, batch by batch, and small games as a graph in GraphML.

In CSV and Parquet players and outcomes are words, and a missing value is empty or null. In .npz a player is 0
or 1, an outcome 1, 0 or -1 for a win, draw or loss, and a missing number is -1.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import fields
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

from solver.database.columns import MISSING, Batch, Field
from solver.database.entry import Entry, Move
from solver.database.interface import Database
from solver.errors import MissingExtra, UsageError
from solver.rules.arrays import Flags
from solver.rules.notation import write_position
from solver.system.plugins import how_to_install
from solver.system.progress import Progress, no_progress, reported

ZIP_LEVEL = 1
"""The compression level of .npz files: a higher one takes several times as long and saves a tenth."""

MAX_NODES = 20_000
"""The most positions of a graph that other tools can show."""

NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that XML does not allow, by section 2.2 of its specification."""


def write_csv(path: Path, fields: Sequence[Field], batches: Iterable[Batch]) -> None:
    """Write a line of names, then a line for each row."""
    with path.open("w", encoding="utf-8", newline="") as file:
        print_csv(file, fields, batches)


def print_csv(file: IO[str], fields: Sequence[Field], batches: Iterable[Batch]) -> None:
    """Write CSV to an open file; nothing if the first batch cannot be read."""
    lines: Any = SimpleNamespace(write=lambda line: file.write(f"{line[:-2]}\n"))
    rows, rest = csv.writer(lines, lineterminator="\r\n"), iter(batches)  # so that it quotes \r, too
    first = [*islice(rest, 1)]
    rows.writerow([field.name for field in fields])
    for batch in chain(first, rest):
        rows.writerows(zip(*map(_spelt, fields, batch, _missing(fields, batch)), strict=True))


def write_parquet(path: Path, fields: Sequence[Field], batches: Iterable[Batch]) -> None:
    """Write a row group for each batch; raises `MissingExtra` if pyarrow is not installed."""
    pa = parquet_library()
    from pyarrow import parquet

    schema = pa.schema([pa.field(field.name, _arrow_type(pa, field)) for field in fields])
    with parquet.ParquetWriter(path, schema, compression="zstd") as file:
        for batch in batches:
            columns = zip(fields, batch, _missing(fields, batch), strict=True)
            file.write_batch(pa.record_batch([_arrow(pa, *column) for column in columns], schema=schema))


def parquet_library() -> Any:
    """The module `pyarrow`; raises `MissingExtra` if it is not installed."""
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtra(f"Parquet needs pyarrow: install it with {how_to_install('parquet')}") from error
    return pyarrow


def write_npz(path: Path, fields: Sequence[Field], batches: Iterable[Batch]) -> None:
    """Write an array for each column, spooled in unnamed files beside `path` until its length is known."""
    with ExitStack() as stack:
        spools = [stack.enter_context(TemporaryFile(dir=path.parent)) for _ in fields]
        parts: list[list[tuple[np.dtype[Any], int]]] = [[] for _ in fields]
        rows = 0
        for batch in batches:
            rows += len(batch[0])
            for spool, spooled, values in zip(spools, parts, batch, strict=True):
                spooled.append((values.dtype, spool.write(values.tobytes())))
        with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=ZIP_LEVEL) as archive:
            for field, spool, spooled in zip(fields, spools, parts, strict=True):
                least = np.dtype("U1" if field.dtype == "U" else field.dtype)
                dtype = np.result_type(least, *(dtype for dtype, _ in spooled)).newbyteorder("<")
                member = ZipInfo(f"{field.name}.npy")  # without the time
                member.compress_type = ZIP_DEFLATED
                with archive.open(member, "w", force_zip64=True) as file:
                    shape = {"descr": dtype.str, "fortran_order": False, "shape": (rows,)}
                    np.lib.format.write_array_header_1_0(file, shape)
                    spool.seek(0)
                    for part, size in spooled:
                        file.write(np.frombuffer(spool.read(size), part).astype(dtype).tobytes())


def write_graphml(db: Database, path: Path, *, progress: Progress = no_progress) -> None:
    """Write the positions of `db`, one of each class if folded, and their moves to a file at `path`.

    Nodes and edges have the fields of `Entry` and `Move` as attributes; missing values are left out. Raises
    `UsageError` if there are too many, or a text has a character that XML does not allow, and `DamagedFile`.
    """
    if len(db) > MAX_NODES:
        raise UsageError(
            f"{db.path} has {len(db):,} positions, and GraphML is limited to {MAX_NODES:,}, the most "
            "that other tools show: export a table, or solve from a later --start"
        )
    import networkx as nx  # slow to import, and not needed for tables

    graph = nx.MultiDiGraph()
    for entry in reported(progress, "exporting", db.entries(), len(db)):
        graph.add_node(entry.position, **_attributes(entry))
        for move in entry.moves_by_action:
            child = write_position(db.game, db.stored_for(db.state_of(move.position)))
            graph.add_edge(entry.position, child, **_attributes(move))
    if len(graph) != len(db):
        raise db.damage(f"it has {len(db):,} positions, and moves that lead to others")
    nx.write_graphml_xml(graph, path)


def _attributes(record: Entry | Move) -> dict[str, str | int]:
    columns = {field.name: getattr(record, field.name) for field in fields(record)}
    attributes = {name: value for name, value in columns.items() if isinstance(value, str | int)}
    for value in attributes.values():
        if isinstance(value, str) and (bad := NOT_IN_XML.search(value)):
            raise UsageError(f"GraphML cannot have the character {bad[0]!r} of {value!r}: export a table")
    return attributes


WRITERS: dict[str, Callable[[Path, Sequence[Field], Iterable[Batch]], None]] = {
    ".parquet": write_parquet,
    ".csv": write_csv,
    ".npz": write_npz,
}
"""The functions that write a format, by the suffix of a file's name."""


def writer(path: Path) -> Callable[[Path, Sequence[Field], Iterable[Batch]], None]:
    """The function that writes the format of a suffix; raises `UsageError` for an unknown or unusable one."""
    if path.suffix.lower() not in WRITERS:
        raise UsageError(f"{path} should end in {', '.join(WRITERS)} or .graphml: that tells the format")
    if path.suffix.lower() == ".parquet":
        parquet_library()
    return WRITERS[path.suffix.lower()]


def _missing(fields: Sequence[Field], batch: Batch) -> Iterator[Flags | None]:
    """Yield which values each column lacks, None for none: best moves of terminal states, or numbers."""
    (over,) = (values for field, values in zip(fields, batch, strict=True) if field.name == "is_terminal")
    for field, values in zip(fields, batch, strict=True):
        yield None if not field.optional else over if field.name == "best_move" else values == MISSING


def _spelt(field: Field, values: Any, missing: Flags | None) -> list[Any]:
    cells: list[Any] = (values.astype(np.int8) if field.dtype == "?" else values).tolist()
    if field.words is not None:
        return [field.words[number] for number in cells]
    if missing is None:
        return cells
    return ["" if is_missing else cell for cell, is_missing in zip(cells, missing.tolist(), strict=True)]


def _arrow_type(pa: Any, field: Field) -> Any:
    if field.words is not None:
        return pa.dictionary(pa.int8(), pa.string())
    return {"U": pa.string(), "?": pa.bool_(), "i4": pa.int32(), "i8": pa.int64()}[field.dtype]


def _arrow(pa: Any, field: Field, values: Any, missing: Flags | None) -> Any:
    if field.words is not None:
        codes = np.searchsorted(order := sorted(field.words), values).astype(np.int8)
        return pa.DictionaryArray.from_arrays(codes, [field.words[number] for number in order])
    return pa.array(values.tolist() if field.dtype == "U" else values, mask=missing)
