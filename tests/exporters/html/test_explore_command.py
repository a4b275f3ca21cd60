import json
from functools import partial
from pathlib import Path

import pytest

from exporters.html import database_page
from tests.exporters.support.page_reader import data_of
from tests.support.commandline import call, refusal, silent
from tests.support.games.explicit_graph import Mirrored
from tests.support.games.packed import Ladder
from tests.support.solved import solved, solved_file, solving

run = partial(call, "explore")


SMALL = ("mnk", {"rows": 2, "columns": 2, "k": 2})


def test_explore_writes_one_page_over_an_older_file(tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    file.write_text("older")
    result = run(solved_file(*SMALL), "-o", file)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{file}: every position of 2 in a row on 2 x 2, 0.1 MB\n"
    with solved(*SMALL) as db:
        assert file.read_text("utf-8") == silent(run(db.path, "-o", "-")).stdout == database_page.render(db)
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("fold", [False, True])
def test_page_includes_all_starts_even_symmetric_ones(fold: bool, tmp_path: Path) -> None:
    game = Mirrored(((1,), (), (3,), ()), (0, 1, 0, 1), (0, 1, 0, 1), (0, 2), (2, 3, 0, 1))
    with solving(game, fold=fold) as db:
        assert "4 positions." in database_page.render(db)
        assert [row[0] for row in data_of(database_page.live(db, "rows"))["positions"]] == ["0", "2"]
        said = run(db.path, "-o", tmp_path / "page.html", "--json").stdout
    assert json.loads(said)["positions"] == 4


@pytest.mark.parametrize(
    "words", ["explore FILE -o OUT", "plan FILE -o OUT", "annotate FILE --moves 0 -o OUT"]
)
def test_page_with_unsafe_javascript_integers_is_refused(words: str, tmp_path: Path) -> None:
    with solving(Ladder(3, 1 << 53)) as db:
        named = {"FILE": db.path, "OUT": tmp_path / "page.html"}
        assert "over 9,007,199,254,740,991" in refusal(2, *(named.get(word, word) for word in words.split()))
    assert not [*tmp_path.iterdir()]
