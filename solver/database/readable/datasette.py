"""Datasette's metadata of a readable file: titles, descriptions and queries that it shows beside the rows.

The format: https://docs.datasette.io/en/stable/metadata.html
"""

import re
from pathlib import Path
from typing import Any

from solver.database.interface import Database
from solver.database.schema import readable_sql
from solver.errors import UsageError
from solver.rules.parameters import with_parameters
from solver.system.words import number_of

OBJECTS = re.compile(r"((?:^-- .*\n)+)create (?:table|view) (\w+)((?:.*\n)+?.*;$)", re.MULTILINE)
"""The comment before each table and view of the schema, its name, and the rest."""

COLUMNS = re.compile(r"^    (\w+) .*-- (.*)$", re.MULTILINE)
"""The columns that have a comment, and the comment."""

QUERIES = re.compile(r"^-- (\w+): (.*)\n((?:.*\n)*?.*);$", re.MULTILINE)
"""The name of each query, its title and its SQL."""


def datasette_metadata(db: Database) -> dict[str, Any]:
    """The metadata for a file that Datasette serves; raises `UsageError` for one that it cannot show."""
    if db.layout != "readable":
        raise UsageError(
            f"{db.path} is packed, which SQL cannot ask: `perfectplay convert {db.path} -o readable.db` first"
        )
    queries = Path(__file__).with_name("queries.sql").read_text("utf-8")
    count = number_of(len(db), "position")
    title = with_parameters(db.game_name, db.parameters)
    stand = ", each of which stands for all that are symmetric to it" if db.folded else ""
    tables: dict[str, dict[str, Any]] = {
        name: {"description": comment.replace("-- ", "").replace("\n", " ").strip()}
        | {"columns": dict(COLUMNS.findall(body))}
        for comment, name, body in OBJECTS.findall(readable_sql(""))
    }
    tables["positions"] |= {"label_column": "position", "facets": ["to_move", "outcome", "ply"]}
    shown = {
        "title": title,
        "description": f"The {count} that play can reach{stand}, with value and best move.",
        "tables": tables,
        "queries": {name: {"title": words, "sql": sql} for name, words, sql in QUERIES.findall(queries)},
    }
    return {"title": title, "databases": {db.path.stem: shown}}
