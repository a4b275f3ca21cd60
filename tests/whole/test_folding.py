"""Folded files: one state for each symmetry class, and answers and proofs for all of them."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from solver import Database, Entry, make_plan, open_database, solve, verify_database, verify_plan
from solver.errors import BrokenRules, UnknownPosition
from solver.game import ENDLESS
from solver.games.mnk import MNK
from solver.rules.asking import representative
from tests.support.commandline import call
from tests.support.drawn import drawn
from tests.support.games.explicit_graph import Mirrored, is_symmetric, mirrored
from tests.support.games.misbehaving import failing
from tests.support.games.packed import Pairs
from tests.support.published import published
from tests.support.sites import made_site
from tests.support.solved import solved, solving


@pytest.fixture(scope="module")
def folded() -> Iterator[Database]:
    with solved("tictactoe", fold=True) as db:
        yield db


def labels(entry: Entry) -> tuple[Any, ...]:
    """All that is known of a position, the order of its moves included."""
    return (*(getattr(entry, name) for name in Entry.__dataclass_fields__), entry.moves)


def test_class_counts_match_published_counts(folded: Database) -> None:
    known = published()["tictactoe"]
    assert len(folded) == known["classes"] == 765
    counts = folded.tuples("select count(*) from positions group by ply order by ply")
    assert [count for (count,) in counts] == known["classes_per_ply"]


@pytest.mark.parametrize("owner", ["x", "o"])
def test_plans_of_folded_and_whole_files_are_equal(tictactoe: Database, folded: Database, owner: str) -> None:
    plan = make_plan(folded, owner=owner)
    assert plan == make_plan(tictactoe, owner=owner)
    assert verify_plan(plan).unused == 0


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("stats", ["states        765 classes of symmetric states, 138 of them terminal"]),
        ("verify", ["All 765 classes of symmetric positions of tictactoe"]),
        ("grade", ["states      627 classes of symmetric states\n"]),
        ("grade --sample 1", ["states      1 class of symmetric states\n"]),
        (
            "report",
            [
                "All 627 classes of symmetric positions in which",
                "| ply | classes | x wins | draw | o wins |",
                "| ply | classes evaluated | moves |",
                "where all classes count alike",
                "The game is over in 138 classes: ",
            ],
        ),
    ],
)
def test_words_about_folded_files_count_classes(folded: Database, command: str, words: list[str]) -> None:
    name, *options = command.split()
    text = call(name, folded.path, *["random"] * (name == "grade"), *options).stdout
    assert [part for part in words if part not in text] == []


def test_report_on_folded_and_whole_file_says_what_it_counts(tictactoe: Database, folded: Database) -> None:
    text = call("report", folded.path, tictactoe.path).stdout
    assert "In both files: 5,478 positions. " in text
    assert "Only in A: 0 classes of symmetric positions, only in B: 0 positions." in text
    assert "where all classes and positions count alike" in text
    twice = call("report", folded.path, folded.path).stdout
    assert "\nIn both files: 765 classes of symmetric positions. " in twice


@pytest.mark.parametrize(("fold", "starts"), [(False, "3 starts"), (True, "2 classes of starts")])
def test_folded_file_counts_classes_of_starts(tmp_path: Path, fold: bool, starts: str) -> None:
    with solving(Pairs((0, 1, 6)), fold=fold) as db:
        cannot = f"play from any of its {starts} cannot reach it"
        with pytest.raises(UnknownPosition, match=cannot):
            db["2"]
        made_site(db.path, tmp_path / "site")
        words = ["node", str(tmp_path / "site" / "query.mjs"), "2"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert cannot in json.loads(done.stdout)["error"]["message"]
        assert f"this is the first of {starts}\n" in call("stats", db.path).stdout
        report = call("report", db.path).stdout
        assert f"from the first of {starts};" in report
        assert f"this is the first of {starts}" in report


@drawn(50, 150, game=mirrored(), endless=st.sampled_from(list(ENDLESS)))
def test_folded_file_is_verified_only_if_it_is_correct(tmp_path: Path, game: Mirrored, endless: str) -> None:
    solve(game, tmp_path / "whole.db", endless=endless, force=True)
    try:
        solve(game, tmp_path / "folded.db", endless=endless, fold=True, force=True)
    except BrokenRules:
        assert not is_symmetric(game)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.engines.solve.STATES_TRIED", 0)
        solve(game, tmp_path / "folded.db", endless=endless, fold=True, force=True)
    with open_database(tmp_path / "whole.db") as whole, open_database(tmp_path / "folded.db") as folded:
        if verify_database(folded):
            assert not is_symmetric(game)
            return
        for entry in whole.entries():
            assert labels(replace(folded[entry.position], ply=entry.ply)) == labels(entry)


def test_canonical_state_of_another_class_is_refused() -> None:
    game = type("Careless", (MNK,), {"canonical": lambda self, state: min(state, 3)})(2, 2, 2)
    with pytest.raises(BrokenRules, match="none of their symmetries"):
        representative(game, game.parse("x..o"))


@pytest.mark.parametrize("rule", ["canonical", "symmetries"])
def test_failing_symmetries_are_reported(tmp_path: Path, rule: str) -> None:
    game = type("Broken", (MNK,), {rule: failing})(2, 2, 2)
    with pytest.raises(BrokenRules, match="division by zero"):
        solve(game, tmp_path / "game.db", fold=True)
    assert list(tmp_path.iterdir()) == []
