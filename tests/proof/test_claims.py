"""Every claim of `about` and of the schema is proved; `verify` refuses each false one."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from solver import open_database
from solver.database.schema import readable_sql
from tests.support.altered import altered
from tests.support.packed_rows import complaints
from tests.support.solved import solved_file

LIES = {
    "format": "perfectplay 3",
    "game": "tictactoe",
    "play": "0" * 64,
    "parameters": '{"rows": 2, "columns": 3, "k": 2, "misere": true, "wild": false}',
    "start": "....../",
    "starts": "2",
    "endless": "never",
    "folded": "perhaps",
    "values": "[-1, 2]",
    "states": "130",
    "terminal": "1",
    "moves": "2",
    "labels": "plies",
    "label_bytes": "2",
    "label_span": "256",
    "dictionary_crc32": "1",
    "more": "than is known",
}
"""Something else for each key of `about`, but for seals, and `program` and `rules`, which nothing can prove.

The code that only shows, which `rules` covers, too, leaves no trace in the file.
"""

LIES_OF_LOOPS = {"parameters": '{"variant": "achi"}', "start": "./.../... x", "folded": "true"}
"""Lies that are others where play can return."""

UNPROVED = {"program", "rules"}


@pytest.fixture(scope="module")
def sounds() -> Mapping[str, Path]:
    """A file that is all right, by its kind."""
    small, morris = ("mnk", {"rows": 2, "columns": 3, "k": 2}), ("morris", {"variant": "tsoro-yematatu"})
    return {
        **{layout: solved_file(*small, layout=layout) for layout in ("readable", "packed")},
        "loops": solved_file(*morris, layout="packed", start="x/oxo/x.."),
        "loops from the beginning": solved_file(*morris, layout="packed"),
    }


COMPLAINTS = {
    "format": "about says format = perfectplay 3, but it should be perfectplay ",
    "game": "tictactoe has no parameter 'rows'",
    "play": "was made by other rules",
    "start": "about says start = '....../', but it should be written '......'",
    "endless": "about says endless = 'never', but endless play goes to draw, first, second",
    "states": "about says states = 130, but it should be 129",
    "terminal": "about says terminal = 1, but it should be 72",
    "moves": "about says moves = 2, but it should be 212",
    "more": "about has an unknown row 'more'",
}
"""What is said of a lie, whatever the layout."""

COMPLAINTS_BY_KIND = {
    "readable": {
        "parameters": "the position 'o.oxxx': value should be -1, not 1",
        "starts": "about says starts = 2, but the rules have 1 initial states",
        "folded": "about says folded = 'perhaps', but it should be true or false",
        "values": "about says values = [-1, 2], but it should be [-1, 1]",
    },
    "packed": {
        "parameters": "the position 'o.ox.x' at ply 4: it should have the value -1 and a remoteness of 1",
        "starts": "about says starts = 2, but 1 position is at ply 0",
        "folded": "is damaged (folded: 'perhaps')",
        "values": "about says label_bytes = 1, but with values = [-1, 2] and its plies it should be 2",
        "label_bytes": "about says label_bytes = 2, but with values = [-1, 1] and its plies it should be 1",
        "label_span": "about says label_span = 256, but with values = [-1, 1] and its plies it should be 128",
        "dictionary_crc32": "is damaged (the checksum of its dictionary does not match)",
    },
    "loops": {
        "game": "was made by other rules",
        "parameters": "cannot read",
        "start": "about says start = './.../... x', but it should be written './.../...'",
        "starts": "about says starts = 2, but play begins in 1 position",
        "folded": "it is not canonical",
        "values": "about says label_bytes = 1, but with values = [-1, 2] and its plies it should be 2",
        "states": "about says states = 130, but it should be 57",
        "terminal": "about says terminal = 1, but it should be ",
        "moves": "about says moves = 2, but it should be ",
        "labels": "about says labels = plies, but ",
        "label_bytes": "about says label_bytes = 2, but ",
        "label_span": "about says label_bytes = 1, but ",
        "dictionary_crc32": "is damaged (the checksum of its dictionary does not match)",
    },
}
"""What is said besides, or instead, of a readable file, of a packed one, and of a packed one with loops."""


LIES_BY_KIND = [(kind, key) for kind in COMPLAINTS_BY_KIND for key in COMPLAINTS | COMPLAINTS_BY_KIND[kind]]


@pytest.mark.parametrize(("kind", "key"), LIES_BY_KIND)
def test_altered_about_is_reported(sounds: Mapping[str, Path], tmp_path: Path, kind: str, key: str) -> None:
    lies = LIES | (LIES_OF_LOOPS if kind == "loops" else {})
    lie = f"insert or replace into about values ('{key}', '{lies[key]}')"
    file = "loops from the beginning" if kind == "loops" and key in ("start", "starts") else kind
    actual = complaints(altered(sounds[file], tmp_path / "l.db", lie, sealed=True))
    complaint = (COMPLAINTS | COMPLAINTS_BY_KIND[kind])[key]
    assert any(complaint in problem for problem in actual), actual


DAMAGED = "is damaged (the checksum of about does not match)"
OTHER_DIGEST = "the SHA-256 over all rows is not the one that was stored"

SEALS = {
    "readable": {"crc32": "about says crc32 = ", "sha256": OTHER_DIGEST},
    "packed": {"crc32": DAMAGED, "counts_crc32": DAMAGED, "sha256": OTHER_DIGEST},
}
"""What is said of a wrong seal, by layout."""


@pytest.mark.parametrize(("layout", "key"), [(layout, key) for layout, its in SEALS.items() for key in its])
def test_wrong_checksum_is_found(sounds: Mapping[str, Path], tmp_path: Path, layout: str, key: str) -> None:
    lie = f"update about set value = value || '0' where key = '{key}'"
    actual = complaints(altered(sounds[layout], tmp_path / "l.db", lie))
    assert any(SEALS[layout][key] in problem for problem in actual), actual


@pytest.mark.parametrize("kind", COMPLAINTS_BY_KIND)
def test_every_key_of_about_has_an_expected_problem(sounds: Mapping[str, Path], kind: str) -> None:
    seals = SEALS["readable" if kind == "readable" else "packed"]
    with open_database(sounds[kind]) as db:
        assert {*db.about, "more"} - UNPROVED == {*COMPLAINTS, *COMPLAINTS_BY_KIND[kind], *seals}


@pytest.mark.parametrize("kind", COMPLAINTS_BY_KIND)
def test_verify_ignores_the_writing_program(sounds: Mapping[str, Path], tmp_path: Path, kind: str) -> None:
    lie = "update about set value = 'perfectplay 0' where key = 'program'"
    assert complaints(altered(sounds[kind], tmp_path / "l.db", lie, sealed=True)) == []


ROWS: dict[str, list[str]] = {
    "numbered breadth first": [
        "update positions set id = id + 1000 where id in (4, 5)",
        "update positions set id = 1009 - id where id in (1004, 1005)",
        "update moves set position_id = 9 - position_id where position_id in (4, 5)",
        "update moves set child_id = 9 - child_id where child_id in (4, 5)",
        "'......': breadth first its child is not row 5, but one before",
    ],
    "plies since a start": ["update positions set ply = ply + 1", "the ply of a start should be 0, not 1"],
    "null where ways of different length": [
        "update positions set ply = null",
        "the ply of a start should be 0, not None",
    ],
    "minimax value": ["update positions set value = 0 where id = 7", "'.....x': value should be 1, not 0"],
    "`outcome` is for the player to move": [
        "update positions set outcome = 'draw' where id = 7",
        "'.....x': outcome should be 'loss', not 'draw'",
    ],
    "plies to the end": [
        "update positions set remoteness = remoteness + 2 where id = 7",
        "'.....x': remoteness should be 2, not 4",
    ],
    "the first of the best": [
        "update positions set best_move = "
        "(select max(move) from moves where position_id = 1 and is_best) where id = 1",
        "'......': best_move should be 0, not 5",
    ],
    "null where the game is over": [
        "update positions set best_move = 1 where is_terminal",
        "best_move should be None, not 1",
    ],
    "order of the game's actions": [
        "update moves set rowid = -rowid where rowid in (1, 2)",
        "update moves set rowid = 3 + rowid where rowid in (-1, -2)",
        "'......': its moves should be [(0, 'x.....'), (1, '.x....'), ",
    ],
    "`remoteness` is counted from": [
        "update moves set remoteness = remoteness - 1 where position_id = 1",
        "'......': move remoteness of the move 5 should be 3, not 2",
    ],
    "`outcome` is for the player who makes": [
        "update moves set outcome = 'draw' where position_id = 1",
        "'......': move outcome of the move 5 should be 'win', not 'draw'",
    ],
}
"""What the readable schema says, how it is made untrue, and last a complaint about that."""


@pytest.mark.parametrize("claim", ROWS)
def test_rows_must_follow_the_schema(sounds: Mapping[str, Path], tmp_path: Path, claim: str) -> None:
    *statements, complaint = ROWS[claim]
    assert claim in re.sub(r"\s+(--\s)?\s*", " ", readable_sql("integer")).lower().replace("-- ", "")
    actual = complaints(altered(sounds["readable"], tmp_path / "l.db", *statements, sealed=True))
    assert any(complaint in problem for problem in actual), actual
