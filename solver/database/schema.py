"""The schemas of both layouts, as SQL, and the comparison of a file's schema with them.

A stranger's file could have other views, triggers, generated columns or virtual tables, and a query would run
their SQL. So before the first query the file's schema is compared with what SQLite stores for ours, token for
token, without comments and white space.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache, lru_cache
from pathlib import Path

FORMAT = 2
"""The number of the readable layout, SQLite's user_version."""

FORMAT_WITHOUT_VIEWS = 1
"""The number of its first form, which is read but no longer written."""

PACKED_FORMAT = 0x10002
"""The number of the packed layout."""

PACKED_FORMAT_OF_PLANES = 0x10001
"""The number of its first form, which is read but no longer written: gaps in planes, no dictionary."""

PACKED_FORMATS = PACKED_FORMAT_OF_PLANES, PACKED_FORMAT

LEFT_OUT = {FORMAT_WITHOUT_VIEWS: "type = 'view'", PACKED_FORMAT_OF_PLANES: "name = 'dictionary'"}
"""The SQL condition for objects that an earlier form of a layout does not have."""

MAX_STATEMENT = 10_000
"""The most characters of a statement that is compared; ours are much shorter."""

TOKENS = re.compile(r"--[^\n]*|('(?:[^']|'')*'|\w+|[^\w\s])")
"""A token of SQL, in a group, or a comment, outside of it."""

Object = tuple[str, str, str]
"""The type and the name of an object of a schema, and the table that it belongs to."""


def readable_sql(move_type: str) -> str:
    """The SQL of the readable layout; `move_type` is `integer` or `text`."""
    return (Path(__file__).parent / "readable" / "schema.sql").read_text("utf-8").replace("MOVE", move_type)


def packed_sql(stage: str = "stage") -> str:
    """The SQL of the packed layout; the first form calls a `stage` a ply."""
    sql = (Path(__file__).parent / "packed" / "schema.sql").read_text("utf-8")
    return re.sub(r"\bstage\b", stage, sql)


def foreign_object(layout: int, connection: sqlite3.Connection) -> str | None:
    """The first difference of the schema of a file from that of the layout, in words; None if equal."""
    most = 1 + max(len(schema) for layout in (FORMAT, PACKED_FORMAT) for schema in _schemas(layout))
    rows = connection.execute(f"select type, name, tbl_name, sql from sqlite_schema limit {most}").fetchall()
    problems: list[list[str]] = [list(_differences(expected, rows)) for expected in _schemas(layout)]
    return min(problems, key=len)[0] if all(problems) else None


@cache
def _schemas(layout: int) -> tuple[dict[Object, list[str]], ...]:
    """The schemas that files of a layout may have: the tokens of the SQL of each object."""
    scripts, schemas = [readable_sql("integer"), readable_sql("text")], []
    if layout in PACKED_FORMATS:
        scripts = [packed_sql("stage" if layout == PACKED_FORMAT else "ply")]
    for script in scripts:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.executescript(script)
            query = (
                f"select type, name, tbl_name, sql from sqlite_schema where not ({LEFT_OUT.get(layout, 0)})"
            )
            schemas.append({row[:3]: _tokens(row[3]) for row in connection.execute(query)})
    return tuple(schemas)


def _differences(expected: dict[Object, list[str]], rows: list[tuple[object, ...]]) -> Iterator[str]:
    stored = {row[:3]: row[3] for row in rows}
    for row, sql in stored.items():
        if row not in expected:
            yield f"its {_shown(row[0])} {_shown(row[1])} is not part of the schema"
        elif _tokens(sql) != expected[row]:
            yield f"its {row[0]} {row[1]} is not that of the schema"
    yield from (f"it has no {row[0]} {row[1]}" for row in expected if row not in stored)


@lru_cache
def _tokens(sql: object) -> list[str]:
    """The tokens of a statement, in lower case; empty for an index that SQLite created by itself."""
    if sql is None:
        return []
    if not isinstance(sql, str) or len(sql) > MAX_STATEMENT:
        return ["?"]
    return [word if word.startswith("'") else word.lower() for word in TOKENS.findall(sql) if word]


def _shown(name: object) -> str:
    """A name from a file, cut for a message, and in quotes unless it is an identifier."""
    text = name if isinstance(name, str) else repr(name)
    return text if text.isidentifier() and len(text) < 50 else repr(text[:50])
