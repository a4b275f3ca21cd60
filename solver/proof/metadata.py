"""Proves the metadata that files of both layouts share: rows of the table `about`.

Counts and starts are proved with the states of the file. `program`, the writer of the file, cannot be proved,
and the fingerprints `rules` and `play` are checked when the rules are loaded.

The code is separate from `solver.database.metadata` on purpose: what wrote the table must not check it.
"""

import json
from collections.abc import Iterator, Mapping, Set

from solver.database import Database
from solver.database.header import crc32_of
from solver.errors import SolverError
from solver.game import ENDLESS
from solver.rules.loading import game_name, game_parameters
from solver.rules.notation import read_position, write_position
from solver.system.plugins import entries

COMMON_KEYS = frozenset(("format", "program", "play"))
"""Rows of `about` that both layouts have and no reader needs."""

SEALS = ("crc32", "sha256")
"""Rows of `about` that its CRC-32 does not cover."""


def problems_of_metadata(db: Database, keys: Set[str]) -> Iterator[str]:
    """Yield the problems of the metadata; `keys` are the layout's own rows, which are proved elsewhere."""
    expected = {"format": f"perfectplay {db.tuples('pragma user_version')[0][0]}"}
    if "crc32" in db.about:
        expected["crc32"] = str(crc32_of(sorted((k, v) for k, v in db.about.items() if k not in SEALS)))
    if json.dumps(db.parameters) != json.dumps(game_parameters(db.game)):
        expected["parameters"] = json.dumps(game_parameters(db.game))
    if db.game_name in entries("games") or ":" not in db.game_name:
        expected["game"] = game_name(db.game)
    yield from wrong_rows(db, expected)
    for key in sorted(db.about.keys() - COMMON_KEYS - keys):
        yield f"about has an unknown row {key!r}"
    if db.about["endless"] not in ENDLESS:
        yield f"about says endless = {db.about['endless']!r}, but endless play goes to {', '.join(ENDLESS)}"
    try:
        start = write_position(db.game, read_position(db.game, db.start))
    except SolverError as error:
        yield f"about says start = {db.start!r}: {error}"
    else:
        if start != db.start:
            yield f"about says start = {db.start!r}, but it should be written {start!r}"


def wrong_rows(db: Database, expected: Mapping[str, str]) -> Iterator[str]:
    """Yield the rows of the metadata that are not as expected."""
    for key, text in expected.items():
        if db.about.get(key) != text:
            yield f"about says {key} = {db.about.get(key)}, but it should be {text}"
