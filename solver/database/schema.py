"""The tables of a solved game's file, as SQL: how they are made, and whether a file has these alone.

A file from a stranger could have views, triggers, generated columns or virtual tables instead: then a query
would do whatever these say. So before the first one a file's schema is compared, word for word but for
comments and white space, with what SQLite makes of ours.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache, lru_cache
from pathlib import Path

FORMAT = 1
"""The version of the readable layout, SQLite's user_version."""

PACKED_FORMAT = 0x10001
"""The version of the packed layout."""

PACKED_INDEX = "create unique index blocks_by_key on blocks (ply, is_terminal, first)"
"""Made after the rows, which is faster."""

MAX_STATEMENT = 10_000
"""Characters of a statement at most: ours are much shorter."""

TOKENS = re.compile(r"--[^\n]*|('(?:[^']|'')*'|\w+|[^\w\s])")
"""The words of SQL, in a group, and comments, in none."""

Object = tuple[str, str, str]
"""The type and the name of what a schema has, and the table that it belongs to."""


def readable_sql(move_type: str) -> str:
    """What makes the tables of the readable layout; `move_type` is `integer` or `text`."""
    return (Path(__file__).parent / "readable" / "schema.sql").read_text("utf-8").replace("MOVE", move_type)


def packed_sql() -> str:
    """What makes the tables of the packed layout, all but its index."""
    return (Path(__file__).parent / "packed" / "schema.sql").read_text("utf-8")


def foreign_object(layout: int, rows: list[tuple[object, ...]]) -> str | None:
    """What is not as the layout has it, in words, in the `rows` of a schema (`rows_of`); None if all is."""
    problems: list[list[str]] = [list(_differences(expected, rows)) for expected in _schemas(layout)]
    return min(problems, key=len)[0] if all(problems) else None


def rows_of(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    """What a file has: type, name, table, and the SQL that made it; up to one more than ours have at most."""
    most = 1 + max(len(schema) for layout in (FORMAT, PACKED_FORMAT) for schema in _schemas(layout))
    sql = f"select type, name, tbl_name, sql from sqlite_schema limit {most}"
    return [tuple(row) for row in connection.execute(sql)]


@cache
def _schemas(layout: int) -> tuple[dict[Object, list[str]], ...]:
    """What the files of a layout may have: the words of the SQL of each object."""
    made = [readable_sql("integer"), readable_sql("text")]
    return tuple(map(_made_by, made if layout == FORMAT else [f"{packed_sql()};{PACKED_INDEX}"]))


def _made_by(sql: str) -> dict[Object, list[str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(sql)
        rows = connection.execute("select type, name, tbl_name, sql from sqlite_schema").fetchall()
    return {(kind, name, table): _words(text) for kind, name, table, text in rows}


def _differences(expected: dict[Object, list[str]], rows: list[tuple[object, ...]]) -> Iterator[str]:
    """The objects that differ, in words."""
    found = {row[:3]: row[3] for row in rows}
    for row, sql in found.items():
        if row not in expected:
            yield f"its {_shown(row[0])} {_shown(row[1])} is none of ours"
        elif _words(sql) != expected[row]:
            yield f"its {row[0]} {row[1]} is not the one that we make"
    yield from (
        f"it has no {kind} {name}" for kind, name, table in expected if (kind, name, table) not in found
    )


@lru_cache
def _words(sql: object) -> list[str]:
    """The words of a statement, in any case, without comments; none where SQLite made an index by itself."""
    if sql is None:
        return []
    if not isinstance(sql, str) or len(sql) > MAX_STATEMENT:
        return ["?"]
    return [word if word.startswith("'") else word.lower() for word in TOKENS.findall(sql) if word]


def _shown(name: object) -> str:
    """A name from a file, as it can be shown: short, and in quotes if it is not of letters."""
    text = name if isinstance(name, str) else repr(name)
    return text if text.isidentifier() and len(text) < 50 else repr(text[:50])
