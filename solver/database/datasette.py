"""What Datasette shows beside the rows of a readable file: titles, descriptions and queries, its metadata.

The format: https://docs.datasette.io/en/stable/metadata.html
"""

import re
from typing import Any

from solver.database.interface import Database
from solver.database.readable.reader import ReadableDatabase
from solver.database.schema import readable_sql
from solver.errors import UsageError
from solver.rules.parameters import with_parameters

OBJECTS = re.compile(r"((?:^-- .*\n)+)create (?:table|view) (\w+)((?:.*\n)+?.*;$)", re.MULTILINE)
"""The comment before each table and view of the schema, its name, and the rest."""

COLUMNS = re.compile(r"^    (\w+) .*-- (.*)$", re.MULTILINE)
"""The columns that have a comment, and that."""

MOVES = """
select move, child.position, moves.outcome, moves.remoteness, is_best
from positions join moves on position_id = positions.id join positions as child on child.id = child_id
where positions.position = :position
order by is_best desc, moves.rowid
"""

QUERIES = {
    "best_move": (
        "The best move in a position",
        "select to_move, outcome, remoteness, best_move from positions where position = :position",
    ),
    "moves_of": ("All moves in a position, the best ones first", MOVES),
    "longest_wins": (
        "The positions from which a win takes longest",
        "select * from positions where outcome = 'win' order by remoteness desc, id limit 100",
    ),
    "worst_mistakes": (
        "The moves that lose most",
        "select * from mistakes order by value_before - value_after desc limit 100",
    ),
    "outcomes": (
        "How many positions are won, drawn and lost for the player to move, ply by ply",
        "select ply, outcome, count(*) as positions from positions group by ply, outcome order by 1, 2",
    ),
}
"""Title and SQL of the queries, by name."""


def datasette_metadata(db: Database) -> dict[str, Any]:
    """The metadata for a file that Datasette serves; raises `UsageError` for one that it cannot show."""
    if not isinstance(db, ReadableDatabase):
        raise UsageError(
            f"{db.path} is packed, which SQL cannot ask: `perfectplay convert {db.path} -o readable.db` first"
        )
    title = with_parameters(db.game_name, db.parameters)
    stand = ", each of which stands for all that are symmetric to it" if db.folded else ""
    tables: dict[str, dict[str, Any]] = {
        name: {
            "description": " ".join(comment[3:].split("\n-- ")).strip(),
            "columns": dict(COLUMNS.findall(body)),
        }
        for comment, name, body in OBJECTS.findall(readable_sql(""))
    }
    tables["positions"] |= {"label_column": "position", "facets": ["to_move", "outcome", "ply"]}
    shown = {
        "title": title,
        "description": f"The {len(db):,} positions that play can reach{stand}, with value and best move.",
        "tables": tables,
        "queries": {name: {"title": words, "sql": sql.strip()} for name, (words, sql) in QUERIES.items()},
    }
    return {"title": title, "databases": {db.path.stem: shown}}
