"""One solved game as one file: readable or packed, with the same answers."""

from pathlib import Path
from pkgutil import resolve_name

from solver.database.header import layout_of
from solver.database.interface import Database
from solver.database.schema import FORMAT, FORMAT_WITHOUT_VIEWS, PACKED_FORMAT, PACKED_FORMAT_OF_PLANES

__all__ = ["Database", "open_database"]

READERS = {
    FORMAT_WITHOUT_VIEWS: "solver.database.readable.reader:ReadableDatabase",
    FORMAT: "solver.database.readable.reader:ReadableDatabase",
    PACKED_FORMAT: "solver.database.packed.reader:PackedDatabase",
    PACKED_FORMAT_OF_PLANES: "solver.database.packed.reader:PlanesDatabase",
}
"""The class that reads each layout, by its number; imported when a file of that layout is opened."""


def open_database(path: str | Path, *, errors: str = "strict") -> Database:
    """The solved game in the file at `path`, for reading, until `close` or the end of a `with` block.

    `errors` says how damaged text is decoded, as in `open`.
    Raises `MissingFile`, `ForeignFile`, `DamagedFile`, `UnfinishedFile`, `BusyFile`, or another OSError.
    """
    layout: type[Database] = resolve_name(READERS[layout_of(Path(path))])
    return layout(path, errors=errors)
