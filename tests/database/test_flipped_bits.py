"""Single flipped bits: an answer is that of the sound file, or it is refused."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver import Database, load_game, open_database, solve
from solver.database.wording import entry_as_dict
from solver.errors import UnusableFile
from solver.game import Game
from tests.support.altered import altered, flipped
from tests.support.commandline import call, refusal
from tests.support.games.explicit_graph import LOOPS
from tests.support.games.packed import Coins
from tests.support.solved import solved_file

GAMES: list[tuple[Game[Any, Any], dict[str, Any]]] = [
    (load_game("mnk", {"rows": 2, "columns": 2, "k": 2}), {}),
    (load_game("mnk", {"rows": 2, "columns": 3, "k": 2}), {"fold": True}),
    (load_game("dots-and-boxes", {"rows": 1, "columns": 2}), {}),
    (LOOPS, {"endless": "second"}),
    (load_game("mnk", {"rows": 2, "columns": 3, "k": 2}), {"layout": "packed", "engine": "arrays"}),
    (Coins(), {"layout": "packed", "engine": "arrays", "fold": True}),
]
"""Games, and how they are solved."""

SMALL = "mnk", {"rows": 2, "columns": 3, "k": 2}
"""The game whose file is read by commands."""

DIGEST = "the SHA-256 over all rows is not the one that was stored with them"

Asked = dict[str, Callable[[Database, str], object]]

ASKS: Asked = {
    "query": lambda db, text: _but_for_ply(db[text]),
    "probe": lambda db, text: db.probe(text),
    "lookup": lambda db, text: db.lookup([text]).value.tolist(),
    "start": lambda db, text: (db.start, db.starts, db.folded, db.endless, db.scored) if db[text] else None,
    "query --json": lambda db, text: entry_as_dict(db, db[text]),
}


def _but_for_ply(entry: Any) -> tuple[Any, ...]:
    """All that is known of a position; that an end has another ply is not seen from it alone."""
    own = (entry.position, entry.to_move, entry.value, entry.outcome, entry.remoteness, entry.best_move)
    return (*own, entry.is_terminal, entry.moves_by_action, None if entry.is_terminal else entry.ply)


@pytest.mark.parametrize("number", range(len(GAMES)))
@pytest.mark.parametrize("flips", [15, pytest.param(1000, marks=pytest.mark.slow)])
def test_answer_with_a_flipped_bit_is_correct_or_refused(tmp_path: Path, number: int, flips: int) -> None:
    game, options = GAMES[number]
    path, rng = tmp_path / "small.db", random.Random(number)
    solve(game, path, **{"engine": "graph", "layout": "readable", **options})
    whole = path.read_bytes()
    with open_database(path) as db:
        texts = list(db)
        truth = {(ask, text): ASKS[ask](db, text) for ask in ASKS for text in texts}
    used = [at for at, byte in enumerate(whole) if byte]
    refused = 0
    for _ in range(flips):
        path.write_bytes(flipped(whole, rng.choice(used), rng))
        for ask, text in [(ask, rng.choice(texts)) for ask in ASKS for _ in range(4)]:
            try:
                with open_database(path) as db:
                    seen = ASKS[ask](db, text)
            except UnusableFile as error:
                assert error.exit_status == 4  # noqa: PT017
                refused += 1
            else:
                assert seen == truth[ask, text], (ask, text)
    assert refused > flips // 4


READERS = [
    "stats FILE",
    "stats FILE --json",
    "report FILE -o OUT.json",
    "export FILE -o OUT.csv --best-moves",
    "export FILE -o OUT.npz --outcome win",
    "export FILE -o OUT.parquet",
    "export FILE -o -",
    "convert FILE -o OUT.db",
    "puzzles FILE --json",
    "grade FILE random --sample 5 --json",
    "grade FILE perfect --plot OUT.svg",
    "diff FILE SOUND --json",
    "diff SOUND FILE --json",
    "explore FILE -o OUT.html",
]
"""Commands that read every row."""

Finished = tuple[int, str, bytes | None]
"""Status, standard output, and the file that was written."""


def _read_by(reader: str, file: Path, sound: Path) -> Finished:
    """What a command does, after a check that a refusal is one line and leaves no file."""
    output = file.with_name("out")
    words = reader.replace("FILE", str(file)).replace("SOUND", str(sound)).replace("OUT", str(output))
    result = call(*words.split())
    written = next(file.parent.glob("out.*"), None)
    content = None if written is None else written.read_bytes()
    if written is not None:
        written.unlink()
    if result.exit_code == 4:
        assert (result.stdout, result.stderr.count("\n")) == ("", 1), (reader, result.output)
        assert content is None, reader
    return result.exit_code, result.stdout, content


@pytest.mark.parametrize("flips", [12, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("options", [{"fold": False}, {"fold": True}])
def test_full_read_with_a_flipped_bit_is_correct_or_refused(
    tmp_path: Path, reader: str, flips: int, options: dict[str, Any]
) -> None:
    sound, path, rng = solved_file(*SMALL, **options), tmp_path / "small.db", random.Random(reader)
    whole = sound.read_bytes()
    path.write_bytes(whole)
    truth = _read_by(reader, path, sound)
    assert truth[0] == 0
    used, refused = [at for at, byte in enumerate(whole) if byte], 0
    for _ in range(flips):
        path.write_bytes(flipped(whole, rng.choice(used), rng))
        actual = _read_by(reader, path, sound)
        refused += actual[0] == 4
        assert actual in (truth, (4, "", None)), reader
    assert refused > flips // 4


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "sql",
    [
        "update positions set remoteness = 7 where id = 20",
        "update moves set is_best = 1 - is_best where rowid = 20",
        "update about set value = 'perfectplay 0' where key = 'program'",
    ],
)
def test_full_read_refuses_an_altered_row(tmp_path: Path, reader: str, sql: str) -> None:
    path = altered(solved_file(*SMALL), tmp_path / "changed.db", sql)
    assert _read_by(reader, path, solved_file(*SMALL)) == (4, "", None)


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("update positions set value = 0 where id = 1", "value"),
        ("update positions set remoteness = remoteness + 1 where id = 1", "remoteness"),
        ("update positions set outcome = 'draw' where id = 1", "outcome"),
        ("update positions set best_move = 5 where id = 1", "best_move"),
        ("update positions set to_move = 'o' where id = 1", "to_move"),
        ("update positions set ply = 1 where id = 1", "ply"),
        ("update positions set is_terminal = 1 where id = 1", "is_terminal"),
        ("update positions set value = 0 where id = 2", "not follow"),
        ("update positions set position = 'o.....' where id = 2", "its moves are not those of the rules"),
        ("update moves set is_best = 1 - is_best where position_id = 1", "is_best"),
        ("update moves set outcome = 'draw' where position_id = 1", "what a move gets"),
        ("update moves set remoteness = 9 where position_id = 1", "what a move gets"),
        ("update moves set child_id = 3 where position_id = 1 and move = 0", "its moves"),
        ("delete from moves where position_id = 1 and move = 3", "its moves"),
        ("insert into moves select * from moves where position_id = 1 limit 1", "its moves"),
        ("update about set value = '[-1, 2]' where key = 'values'", "checksum of about"),
    ],
)
def test_every_way_to_read_refuses_an_inconsistent_row(tmp_path: Path, sql: str, words: str) -> None:
    path = altered(solved_file(*SMALL), tmp_path / "changed.db", sql)
    for command in ("query", "play", "stats", "plan"):
        assert words in refusal(4, command, path, input="quit\n")
    assert DIGEST in refusal(4, "explore", path, "-o", tmp_path / "out.html")
    asks: dict[str, list[Callable[[Database], object]]] = {
        words: [lambda db: db["......"], lambda db: db.probe("......"), lambda db: db.lookup(["......"])],
        DIGEST: [list, lambda db: list(db.entries()), lambda db: db.counts()],
    }
    for problem, some in asks.items():
        for ask in some:
            with pytest.raises(UnusableFile, match=problem), open_database(path) as db:
                ask(db)


@pytest.mark.parametrize("reader", READERS)
def test_full_read_with_a_capitalized_column_is_correct_or_refused(tmp_path: Path, reader: str) -> None:
    sound, path = solved_file(*SMALL), tmp_path / "small.db"
    path.write_bytes(sound.read_bytes())
    truth = _read_by(reader, path, sound)
    path.write_bytes(re.sub(rb"\bbest_move\b", b"Best_Move", sound.read_bytes()))
    assert _read_by(reader, path, sound) == truth
