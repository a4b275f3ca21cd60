"""Writes a small solved game as a graph in GraphML, for other tools: positions are nodes, moves are edges."""

import re
from pathlib import Path
from typing import Any

import networkx as nx

from solver.database.interface import Database
from solver.errors import UsageError
from solver.rules.notation import write_position
from solver.system.progress import Progress, no_progress, reported

MAX_NODES = 20_000
"""Positions of a graph that other tools can still show."""

NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that no XML file can have, by section 2.2 of its specification."""


def write_graphml(db: Database, path: Path, *, progress: Progress = no_progress) -> None:
    """Write the positions of `db`, in a folded file one of each class, and their moves to a file at `path`.

    Nodes and edges have the fields of `Entry` and `Move` as attributes; what is missing is left out. Raises
    `UsageError` if there are too many, or a text has a character that XML cannot have, and `DamagedFile`.
    """
    if len(db) > MAX_NODES:
        raise UsageError(
            f"{db.path} has {len(db):,} positions, and a graph at most {MAX_NODES:,}, as other tools show no "
            "larger ones: export a table, or solve from a later --start"
        )
    graph = nx.MultiDiGraph()
    for entry in reported(progress, "exporting", db.entries(), len(db)):
        graph.add_node(entry.position, **_attributes(entry))
        for move in entry.moves_by_action:
            child = write_position(db.game, db.stored_for(db.state_of(move.position)))
            graph.add_edge(entry.position, child, **_attributes(move))
    if len(graph) != len(db):
        raise db.damage(f"it has {len(db):,} positions, and moves that lead to others")
    nx.write_graphml_xml(graph, path)


def _attributes(of: object) -> dict[str, Any]:
    return {name: _fit(value) for name, value in vars(of).items() if isinstance(value, str | int)}


def _fit(value: Any) -> Any:
    """The value; raises `UsageError` if XML cannot have it."""
    if isinstance(value, str) and (bad := NOT_IN_XML.search(value)):
        raise UsageError(f"GraphML cannot have the character {bad[0]!r} of {value!r}: export a table")
    return value
