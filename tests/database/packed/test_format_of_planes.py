"""Packed files of format 65537, the one before, are read as those of today."""

import lzma
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard
from hypothesis import strategies as st

from solver import open_database, solve, verify_database
from solver.engines.conversion import convert
from solver.errors import DamagedFile
from tests.support.altered import alter
from tests.support.commandline import call, succeeded
from tests.support.drawn import drawn
from tests.support.format_of_planes import write_format_of_planes
from tests.support.games.random_tables import FORMS, random_table
from tests.support.pieces import small_blocks
from tests.support.solved import solved_file

WRITTEN_BEFORE: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "tictactoe": ("tictactoe", {}, {}),
    "tsoro-yematatu-folded": ("morris", {"variant": "tsoro-yematatu"}, {"fold": True}),
}
"""The files that the release before wrote, and how it was asked for them."""


def opened(name: str, path: Path) -> Path:
    """A file that the release before wrote, as this one."""
    path.write_bytes(lzma.decompress((Path(__file__).parent / "before" / f"{name}.db.xz").read_bytes()))
    return path


@pytest.fixture(params=list(WRITTEN_BEFORE))
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """A file that the release before wrote, and that of today."""
    game, parameters, options = WRITTEN_BEFORE[request.param]
    today = solved_file(game, parameters, layout="packed", **options)
    return opened(request.param, tmp_path / "before.db"), today


def test_file_of_the_previous_release_is_read_and_verified(pair: tuple[Path, Path]) -> None:
    with open_database(pair[0]) as before, open_database(pair[1]) as today:
        assert list(before.entries()) == list(today.entries())
        texts = list(today)
        assert [before[text] for text in texts[::7]] == [today[text] for text in texts[::7]]
        assert (before.lookup(texts).best == today.lookup(texts).best).all()
        assert verify_database(before) == []
        assert before.digest() == before.about["sha256"]


def test_format_of_planes_equals_the_previous_release(pair: tuple[Path, Path], tmp_path: Path) -> None:
    again = write_format_of_planes(pair[1], tmp_path / "again.db")
    assert contents(again) == contents(pair[0])


def contents(path: Path) -> tuple[list[Any], ...]:
    """The rows of a file, without seals and the program; versions of zstd may compress in other ways."""
    unzip = zstandard.ZstdDecompressor().decompress
    with closing(sqlite3.connect(path)) as file:
        file.create_function("unzip", 1, lambda data: None if data is None else unzip(data))
        blocks = "select id, ply, is_terminal, first, states, unzip(keys), unzip(labels) from blocks"
        about = "select * from about where key not in ('program', 'crc32', 'sha256') order by key"
        return tuple(file.execute(sql).fetchall() for sql in (blocks, "select * from counts", about))


@drawn(3, 40, seed=st.integers(0, 10**6))
@pytest.mark.parametrize("form", FORMS)
def test_random_games_are_read_equally(
    tmp_path_factory: pytest.TempPathFactory, form: str, seed: int
) -> None:
    folder, rng = tmp_path_factory.mktemp("random"), np.random.default_rng(seed)
    fold, endless = bool(rng.integers(2)), str(rng.choice(["draw", "first", "second"]))
    with pytest.MonkeyPatch.context() as patch:
        small_blocks(patch)
        solve(random_table(seed, form), folder / "today.db", layout="packed", fold=fold, endless=endless)
        write_format_of_planes(folder / "today.db", folder / "before.db")
        with open_database(folder / "before.db") as before, open_database(folder / "today.db") as today:
            assert list(before.entries()) == list(today.entries())
            states = np.concatenate([some for (some,) in today.columns(["state"])])
            answers = before.lookup(states), today.lookup(states)
            for column in ("value", "remoteness", "best"):
                assert (getattr(answers[0], column) == getattr(answers[1], column)).all()
            assert verify_database(before) == verify_database(today) == []
            for db, name in ((before, "b"), (today, "t")):
                convert(db, folder / name, "readable")
        assert (folder / "b").read_bytes() == (folder / "t").read_bytes()


def test_solve_rewrites_the_file_in_the_current_format(tmp_path: Path) -> None:
    path = opened("tictactoe", tmp_path / "game.db")
    succeeded(call("solve", "tictactoe", "-o", path, "--layout", "packed", "--force"))
    with open_database(path) as db:
        assert db.tuples("pragma user_version")[0][0] == 65_538


@pytest.mark.parametrize(
    "change",
    [
        "create table dictionary (id integer primary key, data blob not null) strict",
        "alter table blocks rename column ply to stage",
        "pragma user_version = 65538",
    ],
)
def test_mixture_of_both_formats_is_refused(tmp_path: Path, change: str) -> None:
    path = alter(opened("tictactoe", tmp_path / "half.db"), change)
    with pytest.raises(DamagedFile, match=r"its table|it has no table"):
        open_database(path)
