"""Packed files of games with loops give the answers of readable ones, and damage is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

from solver import load_game, open_database, solve
from solver.errors import DamagedFile
from tests.database.packed.test_database import everything
from tests.support.commandline import said_of
from tests.support.games.packed import Coins, Table
from tests.support.packed_rows import change

GAMES: list[tuple[Any, dict[str, Any]]] = [
    (load_game("ponghauki"), {}),
    (Coins(), {"endless": "second"}),
    (Coins(), {"fold": True}),
]

ENDGAMES: list[tuple[Any, dict[str, Any]]] = [
    (load_game("tictactoe"), {"start": "xo..x...."}),
    (load_game("tictactoe"), {"start": "xo..x....", "endless": "first", "fold": True}),
    (load_game("tictactoe"), {"start": "xo..x....", "endless": "second"}),
]
"""Games in layers."""

LAYOUTS = ("readable", "packed")


@pytest.fixture(scope="module", params=GAMES, ids=str)
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A game in the readable layout and in the packed one."""
    game, options = request.param
    folder = tmp_path_factory.mktemp("both")
    for layout in LAYOUTS:
        solve(game, folder / layout, layout=layout, **options)
    return [folder / layout for layout in LAYOUTS]


@pytest.mark.parametrize("both", [*ENDGAMES, *GAMES], ids=str, indirect=True)
@pytest.mark.parametrize(
    "command",
    [
        "query FILE",
        "query FILE 'xxx...... o'",
        "query FILE nonsense",
        "stats FILE",
        "plan FILE xo..x.... --for x",
        "plan FILE --goal win",
        "plan FILE --for first --goal draw --format json",
        "plan FILE --for second --goal draw --format json",
        "plan FILE --for second --goal draw --smallest --format nested-json",
        "grade FILE perfect depth-limited(depth=1) --json",
        "match FILE perfect random --games 4 --seed 1 --json",
        "play FILE",
    ],
)
def test_commands_print_the_same_for_both_layouts(command: str, both: list[Path]) -> None:
    said = [said_of(command, path, "hint\nwhy\n1\nhint\nundo\n5\nquit\n") for path in both]
    assert said[0] == said[1]
    assert said[0][0] in ((2, 3) if "xxx" in command else (0, 1, 2))
    assert said[0][1]


def test_export_by_ply_is_refused(both: list[Path], tmp_path: Path) -> None:
    for path in both:
        status, said = said_of(f"export FILE -o {tmp_path}/never.csv --ply 0", path)
        assert (status, said) == (2, "Error: positions of FILE have no single ply: omit --ply\n")
    assert not list(tmp_path.iterdir())


def test_exports_and_pages_are_equal_for_both_layouts(both: list[Path], tmp_path: Path) -> None:
    said = [said_of("export FILE -o - --positions --best-moves", path) for path in both]
    assert sorted(said[0][1].splitlines()) == sorted(said[1][1].splitlines())
    for path in both:
        assert said_of(f"explore FILE -o {tmp_path}/{path.name}.html", path)[0] == 0
    assert len({page.read_bytes() for page in tmp_path.iterdir()}) == 1
    assert said_of(f"diff FILE {both[0]}", both[1])[0] == said_of(f"diff FILE {both[1]}", both[0])[0] == 0


@pytest.mark.parametrize(("remoteness", "span"), [(125, "128"), (126, "256")])
def test_largest_remoteness_is_distinct_from_endless_play(tmp_path: Path, remoteness: int, span: str) -> None:
    size = remoteness + 2  # a chain to an end that the first player wins, and who may go there or stay
    children = (*(child for item in range(1, size - 1) for child in (item, -1)), -1, -1, 0, size - 1)
    table = Table(size, 2, children, (1,) * size, (1,) * size, (size - 1,), tells=False)
    for layout in LAYOUTS:
        solve(table, tmp_path / layout, layout=layout)
    with open_database(tmp_path / "packed") as packed, open_database(tmp_path / "readable") as plain:
        assert packed.about["label_span"] == span
        assert packed["0"].remoteness == remoteness
        assert packed[str(size - 1)].best_move == 1
        assert dict(packed) == dict(plain)
        assert packed.lookup([str(size - 1)]).best_moves(0) == packed.probe(str(size - 1)).best_moves == (1,)


@pytest.fixture
def coins(tmp_path: Path) -> Path:
    path = tmp_path / "coins.db"
    solve(Coins(), path, layout="packed")
    return path


def labels(*numbers: int) -> str:
    """Labels of a block as SQL has them."""
    return f"x'{zstandard.compress(np.array(numbers, '<i2').tobytes()).hex()}'"


SHIFTED = "update {} set stage = stage + (stage > 1)"


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["update about set value = 'ends' where key = 'labels'"], "labels: 'ends'"),
        (["delete from about where key = 'labels'"], "ends after|leads to|no value"),
        (["update about set value = '256' where key = 'label_span'"], "label_span: 256"),
        (["update about set value = '96' where key = 'label_span'"], "label_span: 96"),
        ([SHIFTED.format("blocks"), SHIFTED.format("counts")], "stages do not follow each other"),
        ([SHIFTED.format("blocks")], "is not of stage|has 0 blocks"),
        ([SHIFTED.format("counts")], "stages do not follow each other"),
        (["update blocks set stage = 4 - stage"], "is not of stage|has 0 blocks"),
        (["update blocks set labels = (select labels from blocks where id = 2) where id = 1"], "hold"),
        ([f"update blocks set labels = {labels(*[128 * 9] * 4)} where id = 1"], "no value or no remoteness"),
        ([f"update blocks set labels = {labels(*[128] * 4)} where id = 1"], "no value or no remoteness"),
        ([f"update blocks set labels = {labels(*[127] * 4)} where id = 1"], "no value or no remoteness"),
        ([f"update blocks set labels = {labels(*[-32768] * 4)} where id = 1"], "no value or no remoteness"),
        (["update counts set remoteness = 200 where remoteness = 1"], "label_span: 128"),
    ],
)
def test_inconsistency_is_refused(coins: Path, tmp_path: Path, statements: list[str], words: str) -> None:
    change(coins, *statements)
    with pytest.raises(DamagedFile, match=words):
        everything(coins)
    for command in ("query FILE", "stats FILE", f"convert FILE -o {tmp_path}/other.db"):
        status, said = said_of(command, coins)
        assert (status, said.count("\n")) == (4, 1), (command, said)
