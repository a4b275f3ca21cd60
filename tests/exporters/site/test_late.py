"""The late plies that a site leaves out, and the search that answers for them."""

import json
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from exporters.site import late
from solver import Database, open_database
from solver.database.columns import Selection
from solver.packed import PackedGame
from tests.support.commandline import call
from tests.support.games.packed import HighStakes
from tests.support.sites import answer_of, answers, assert_answered, made_site, random_boards
from tests.support.solved import solved_file, solving

PACKED = {"engine": "auto", "layout": "packed"}

FILES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "readable": ("connect", {"rows": 3, "columns": 4, "k": 3}, {}),
    "packed": ("connect", {"rows": 4, "columns": 3}, PACKED),
    "folded": ("connect", {"rows": 4, "columns": 3, "k": 3}, {"fold": True, **PACKED}),
    "own start": ("connect", {"rows": 3, "columns": 4, "k": 3}, {"start": "..../x.../o..."}),
    "first wins": ("connect", {"rows": 3, "columns": 3, "k": 3}, {"endless": "first"}),
    "mnk": ("mnk", {"rows": 3, "columns": 3, "k": 3}, {}),
}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sites of small games omit plies."""
    monkeypatch.setattr(late, "MIN_STATES", 50)
    monkeypatch.setattr(late, "MAX_NODES", 300)


Made = tuple[Path, Path, dict[str, Any]]
"""A file, its site, and what that says of itself."""


Sites = Callable[[str], Made]


def made(kind: str, folder: Path) -> Made:
    game, parameters, options = FILES[kind]
    path = solved_file(game, parameters, **options)
    return path, folder / "site", made_site(path, folder / "site")


@pytest.fixture(scope="module")
def site_of(tmp_path_factory: pytest.TempPathFactory) -> Sites:
    """Makes the site of each kind once, to be read only."""
    return cache(lambda kind: made(kind, tmp_path_factory.mktemp("site")))


def stored(folder: Path) -> set[int]:
    """The states in the blocks of a site whose labels have a byte each."""
    seen = set[int]()
    for file in sorted((folder / "blocks").iterdir()):
        content = iter(zlib.decompress(file.read_bytes(), -15))
        while (count := number(content)) is not None:
            state = 0
            for _ in range(count):
                state += number(content) or 0
                seen.add(state)
            for _ in range(count):
                next(content)
    return seen


def number(content: Iterator[int]) -> int | None:
    """The number in LEB128 that begins here; None at the end."""
    value = shift = 0
    for byte in content:
        value |= (byte & 127) << shift
        if byte < 128:
            return value
        shift += 7
    return None


def states_of(db: Database, plies: range) -> set[int]:
    """The open states of plies in a file."""
    columns = db.columns(("state", "is_terminal"), Selection(plies))
    return {key for keys, over in columns for key in keys[~over].tolist()}


def packed(db: Database) -> PackedGame:
    """The rules of a file whose states are integers."""
    assert isinstance(db.game, PackedGame)
    return db.game


@pytest.mark.parametrize("kind", [kind for kind in FILES if kind != "own start"])
def test_late_plies_are_left_out_of_blocks(kind: str, site_of: Sites) -> None:
    path, folder, about = site_of(kind)
    ply = about["late"]["ply"]
    with open_database(path) as db:
        maps = [symmetry.state for symmetry in db.game.symmetries()]
        early = states_of(db, range(ply))
        assert stored(folder) == {min(state, *(image(state) for image in maps)) for state in early}
        assert states_of(db, range(ply, 99))


def test_positions_are_answered_and_unreachable_boards_refused(site_of: Sites) -> None:
    asked, expected = dict[Path, list[str]](), dict[str, list[Any]]()
    for kind in FILES:
        path, folder, about = site_of(kind)
        assert "late" in about
        with open_database(path) as db:
            asked[folder] = [*random_boards(db, Random(kind), 50), *Random(kind).sample([*db], 80)]
            expected[kind] = [answer_of(db, text) for text in asked[folder]]
        assert len({str(item) for item in expected[kind]}) > 3
    for kind, texts, actual in zip(FILES, asked.values(), answers(asked), strict=True):
        for text, answer, wanted in zip(texts, actual, expected[kind], strict=True):
            assert answer == wanted or (isinstance(wanted, str) and isinstance(answer, str)), (kind, text)


def test_search_in_page_visits_the_counted_nodes(site_of: Sites) -> None:
    asked, counted = dict[Path, list[str]](), list[list[int]]()
    for kind in FILES:
        path, folder, about = site_of(kind)
        with open_database(path) as db:
            states = sorted(states_of(db, range(about["late"]["ply"], 99)))
            texts = [db.game.position(state) for state in Random(kind).sample(states, min(30, len(states)))]
            search = late.Search(packed(db), db.endless_value, about["late"]["utilities"])
            asked[folder], states = texts, [db.state_of(text) for text in texts]
            counted.append([*map(search.nodes_of, states)])
    assert answers(asked, then="() => site.game.late.nodes") == counted


def test_late_plies_need_at_most_the_allowed_nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample is all states here; with less room for the search fewer plies are left out."""
    monkeypatch.setattr(late, "SAMPLE", 10**6)
    before = 0
    for most in (120, 40, 12):
        monkeypatch.setattr(late, "MAX_NODES", most)
        (tmp_path / str(most)).mkdir()
        path, _, about = made("first wins", tmp_path / str(most))
        with open_database(path) as db:
            search = late.Search(packed(db), 1, (-1, 1))
            needed = [max(map(search.nodes_of, states_of(db, range(ply, ply + 1)))) for ply in range(8)]
        ply = about["late"]["ply"]
        assert max(needed[ply - 1 :]) <= most < needed[ply - 2]
        assert ply > before
        before = ply


def test_verify_refuses_site_with_altered_late_ply(tmp_path: Path) -> None:
    _, folder, about = made("first wins", tmp_path)
    assert call("verify", folder).exit_code == 0
    about["late"]["ply"] += 1
    (folder / "site.json").write_text(json.dumps(about, ensure_ascii=False, separators=(",", ":")))
    result = call("verify", folder)
    assert (result.exit_code, "site.json is not the file that follows" in result.stdout) == (1, True)


def test_number_of_late_plies_is_limited_by_recursion_depth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(late, "MAX_PLIES", 2)
    path, _, about = made("first wins", tmp_path)
    ply = about["late"]["ply"]
    with open_database(path) as db:
        assert [bool(states_of(db, range(ply + more, 99))) for more in (1, 2)] == [True, False]


def test_few_states_are_not_left_out_of_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late, "MIN_STATES", 20_000)
    assert "late" not in made("first wins", tmp_path)[2]


def test_positions_of_unsafe_javascript_scores_are_answered(tmp_path: Path) -> None:
    with solving(HighStakes(3, 3, 3), layout="readable") as db:
        assert "late" not in assert_answered(db, tmp_path / "site", Random(0).sample([*db], 50))
