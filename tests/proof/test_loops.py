"""Proofs of packed files with loops: sound ones are proved, altered ones refused."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from solver import load_game, open_database
from solver.database.packed.label_code import LabelCode
from solver.database.packed.reader import PackedDatabase
from solver.errors import DiskFull
from solver.game import ENDLESS, Symmetry
from solver.games.morris import Morris
from solver.packed import PackedGame
from solver.proof.packed import verify_packed
from solver.proof.packed.checker import Findings
from solver.proof.packed.loops import walk
from solver.proof.packed.loops.expansion import StateExpansion
from solver.proof.packed.rules import Places
from tests.proof.test_packed import relabelled, without
from tests.support.commandline import files_up_to
from tests.support.drawn import drawn
from tests.support.games.false_symmetry import Mapped
from tests.support.games.packed import Coins, MirroredTable, Table, loops, mirrored_loops, tiered
from tests.support.packed_rows import (
    Row,
    change,
    claim,
    hold_against_other_rows,
    packed,
    problems,
    rewrite,
    rows_of,
)
from tests.support.pieces import small_blocks
from tests.support.solved import solving

RULES = st.sampled_from(list(ENDLESS))


@drawn(10, 100, game=mirrored_loops(), endless=RULES)
def test_verify_accepts_folded_games_with_loops(tmp_path: Path, game: Table, endless: str) -> None:
    assert problems(packed(game, tmp_path, endless=endless, fold=True)) == []


@drawn(40, 600, game=st.one_of(loops(starts=3), tiered(), mirrored_loops()), endless=RULES, data=st.data())
def test_only_correct_rows_are_proved(tmp_path: Path, game: Table, endless: str, data: st.DataObject) -> None:
    hold_against_other_rows(packed(game, tmp_path, endless=endless), len(game.utilities), data, endless)


@drawn(20, 300, game=st.one_of(loops(), mirrored_loops()), data=st.data(), endless=RULES)
def test_only_correct_labels_proved(tmp_path: Path, game: Table, data: st.DataObject, endless: str) -> None:
    """Any labels at all of the states in which play goes on."""
    path = packed(game, tmp_path, endless=endless)
    rows = rows_of(path)
    labels = st.sampled_from([0, *range(120, 128), *range(-127, -119), 1, -1])
    changed = [row if row.is_terminal else row._replace(label=data.draw(labels)) for row in rows]
    rewrite(path, changed)
    assert (problems(path) == []) == (changed == rows)


RING = Table(5, 2, (1, 2, 0, -1, -1, -1, 4, -1, 3, -1), (0, 1, 0, 0, 1), (0, 0, 1, 0, 0), tells=False)
"""The first player goes round with the second, or ends it and wins; 3 and 4 lead to each other alone."""


def test_verify_reports_unreachable_loop(tmp_path: Path) -> None:
    path = packed(RING, tmp_path)
    rewrite(path, [*rows_of(path), Row(0, 3, 0, 0), Row(0, 4, 0, 0)])
    assert problems(path) == [f"the position '{state}': no move leads there" for state in (3, 4)]


@pytest.mark.parametrize("label", [124, -124, 1, -1])
@pytest.mark.parametrize("endless", ENDLESS)
def test_verify_reports_win_in_a_loop_without_end(tmp_path: Path, endless: str, label: int) -> None:
    """Each state as good as its child, or one of them a ply further: the remoteness cannot fall for ever."""
    game = replace(RING, starts=(3,))
    path = packed(game, tmp_path, endless=endless)
    rows = rows_of(path)
    assert [(row.key, row.label) for row in rows] == [(3, 0), (4, 0)]
    for other in (label, label - 1, label + 1):
        changed = [rows[0]._replace(label=label), rows[1]._replace(label=other)]
        rewrite(path, changed, LabelCode(128, 1, ENDLESS[endless], has_loops=True))
        assert any("it should have" in problem for problem in problems(path))


def test_verify_reports_draw_in_place_of_a_win(tmp_path: Path) -> None:
    """The first player could win at state 0, but is said to go round."""
    path = packed(RING, tmp_path)
    rows = rows_of(path)
    assert [row.label for row in rows] == [126 - 0, 126 - 1, 127]
    rewrite(path, [row if row.is_terminal else row._replace(label=0) for row in rows])
    assert "the position '0': it should have the value 1 and a remoteness of 1, not " in problems(path)[0]


LINKS = 200

CHAIN = Table(
    *(LINKS + 1, 2),
    (*(child for link in range(LINKS) for child in (link + 1, 0 if link == 1 else -1)), -1, -1),
    *((0,) * (LINKS + 1), (1,) * (LINKS + 1)),
    tells=False,
)
"""A chain, from the second link of which one may go back to the first; the end wins for the first player."""


@pytest.mark.parametrize("furthest", [124, 125, 126, 127])
def test_verify_reports_draws_beyond_the_label_range(tmp_path: Path, furthest: int) -> None:
    """A file with the shortest labels, as if whoever is too far from the end could not reach it."""
    path = packed(CHAIN, tmp_path)
    assert problems(path) == []
    short = LabelCode(128, 1, has_loops=True)
    labels = [max(0, 127 - plies) if plies <= furthest else 0 for plies in range(LINKS, -1, -1)]
    rewrite(path, [Row(0, key, int(key == LINKS), label) for key, label in enumerate(labels)], code=short)
    assert problems(path)


@pytest.mark.parametrize(
    ("lie", "complaint"),
    [
        (lambda row: row._replace(ply=2), "its stage is that of another tier"),
        (lambda row: row._replace(ply=0), "its stage is that of another tier"),
        (lambda row: None, "which is not there"),
        (lambda row: row._replace(label=row.label + 1), "it should have"),
        (lambda row: row._replace(is_terminal=1), "is_terminal should be 0, not 1"),
    ],
)
def test_altered_tier_is_reported(tmp_path: Path, lie: Callable[[Row], Row | None], complaint: str) -> None:
    path = packed(Coins(), tmp_path)
    rows = rows_of(path)
    chosen = random.Random(1).choice([row for row in rows if row.ply == 1])
    changed = [lie(row) if row == chosen else row for row in rows]
    rewrite(path, [row for row in changed if row])
    assert any(complaint in problem for problem in problems(path))


def test_verify_reports_stages_that_are_not_tiers(tmp_path: Path) -> None:
    path = packed(Coins(), tmp_path)
    rows = rows_of(path)
    rewrite(path, [row._replace(ply={1: 2, 2: 1}.get(row.ply, row.ply)) for row in rows])
    assert any("the tiers of its stages do not ascend" in problem for problem in problems(path))
    path = packed(RING, tmp_path)
    rows = rows_of(path)
    rewrite(path, [row._replace(ply=row.is_terminal) for row in rows])
    assert any("the rules tell no tiers, but there are 2 stages" in problem for problem in problems(path))


@pytest.mark.parametrize("children", [(2, 3), (2, 0, 3, 1)], ids=["layers", "loops"])
def test_verify_reports_start_not_symmetric_to_its_representative(
    tmp_path: Path, children: tuple[int, ...]
) -> None:
    """State 0 is a win and state 1 a loss, but the rules say that 0 stands for both."""
    most = len(children) // 2
    movers, utilities, maps = (0, 0, 0, 0), (0, 0, 1, -1), ((0, 0, 2, 3),)
    game = Mapped(4, most, children + (-1, -1) * most, movers, utilities, tells=False, maps=maps)
    path = packed(game, tmp_path, fold=True)
    assert problems(path) == []
    claim(path, replace(game, starts=(1,)))
    change(path, "update about set value = '1' where key = 'start'")
    assert any("what stands for it is not symmetric to it" in problem for problem in problems(path))


SMALL = {
    "checker.COMPILED_FROM": 0,
    "array_answers.COMPILED_FROM": 0,
    "loops.tasks.BLOCKS_AT_ONCE": 1,
    "loops.tasks.STATES_AT_ONCE": 10,
    "loops.tasks.CHILDREN_AT_ONCE": 50,
    "loops.tasks.STARTS_AT_ONCE": 7,
    "loops.arrays.SLICE": 8,
    "loops.walk.BLOCKS_PER_TASK": 2,
    "loops.walk.STATES_PER_TASK": 30,
    "loops.walk.STARTS_PER_TASK": 20,
    "loops.walk.MARKS_AT_ONCE": 20,
}
"""So small that small files have many parts, and are large enough for rules to be compiled."""


@pytest.mark.parametrize(("game", "start"), [(Morris("tsoro-yematatu"), "x/xo./o.."), (Coins(), None)])
def test_verify_reports_altered_rows_in_files_of_many_parts(
    game: PackedGame, start: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_blocks(monkeypatch)
    for name, number in SMALL.items():
        monkeypatch.setattr(f"solver.proof.packed.{name}", number)
    monkeypatch.setattr("solver.rules.arrays.STATE_BITS", 12)  # of a state and its place, to be sorted as one
    path = packed(game, tmp_path, start=start)
    assert problems(path) == []
    rows, rng = rows_of(path), random.Random(5)
    for changed in (without(rows, rng), relabelled(rows, rng)):
        rewrite(path, changed)
        assert problems(path)


@pytest.fixture
def expanded(monkeypatch: pytest.MonkeyPatch) -> Counter[bool]:
    """The number of states expanded, by whether that is done class by class."""
    number, add = Counter[bool](), StateExpansion.add

    def counted(self: StateExpansion, places: Places) -> Findings:
        number[self._rules.by_class] += len(places)
        return add(self, places)

    monkeypatch.setattr(StateExpansion, "add", counted)
    return number


def test_verify_expands_one_state_per_class(tmp_path: Path, expanded: Counter[bool]) -> None:
    quixo = load_game("quixo", {"rows": 2, "columns": 3, "k": 3})
    path = packed(quixo, tmp_path)
    with solving(quixo, engine="arrays", fold=True) as db:
        classes = db.about["states"], db.about["terminal"]
    assert problems(path) == []
    assert expanded == {True: int(classes[0]) - int(classes[1])}


@pytest.mark.parametrize("states", [lambda state: state ^ 1, lambda state: state ^ 8, lambda state: 1 // 0])
def test_verify_ignores_false_symmetries_of_unfolded_files(
    tmp_path: Path, expanded: Counter[bool], monkeypatch: pytest.MonkeyPatch, states: Callable[[Any], Any]
) -> None:
    with open_database(packed(Coins(), tmp_path)) as db:
        assert isinstance(db, PackedDatabase)
        monkeypatch.setattr(type(db.rules), "symmetries", lambda _: [Symmetry(states, lambda action: action)])
        assert verify_packed(db) == []
        assert expanded[False] == len(db) - int(db.about["terminal"])


def test_verify_expands_one_start_per_class(tmp_path: Path, expanded: Counter[bool]) -> None:
    game = MirroredTable(4, 1, (1, 0, 3, 2), (0, 1, 0, 1), (0, 0, 0, 0), starts=(0, 2), tells=False)
    assert problems(packed(game, tmp_path)) == []
    assert expanded == {True: 2}


def test_all_states_are_expanded_for_asymmetric_starts(tmp_path: Path, expanded: Counter[bool]) -> None:
    path = packed(Coins(), tmp_path, start="2")
    assert problems(path) == []
    assert list(expanded) == [False]


def test_verify_raises_disk_full(tmp_path: Path) -> None:
    words = "a proof of 3 states takes 30 bytes in .*: make room there, or let TMPDIR name another folder"
    path = packed(RING, tmp_path)
    with open_database(path) as db, files_up_to(20), pytest.raises(DiskFull, match=words):
        verify_packed(db)


LINE = Table(1, 1, (1, 2, -1), (0, 1, 0), (0, 0, 1))


@pytest.mark.parametrize(
    ("game", "tables", "complaint"),
    [
        (RING, {"movers": (0, 2, 0, 0, 0)}, "the rules fail: ValueError: to_move should be 0 or 1, not 2"),
        (RING, {"children": (1, 2)}, "the rules of Table fail in"),
        (RING, {"utilities": ()}, "index 2 is out of bounds"),
        (LINE, {"movers": (0, 2, 0)}, "the rules fail: ValueError: to_move should be 0 or 1, not 2"),
        (LINE, {"movers": (0,)}, "the rules of Table fail in to_move"),
        (LINE, {"children": (1, 2)}, "the rules of Table fail in result"),
        (LINE, {"utilities": ()}, "index 2 is out of bounds"),
    ],
)
def test_verify_reports_failing_rules(
    tmp_path: Path, game: Table, tables: dict[str, Any], complaint: str
) -> None:
    path = packed(game, tmp_path)
    claim(path, replace(game, **tables))
    actual = problems(path)
    assert any(complaint in problem for problem in actual), actual


@given(st.lists(st.lists(st.integers(0, 9))), st.integers(1, 5))
def test_portions_split_places_into_equal_parts(parts: list[list[int]], size: int) -> None:
    places = [place for part in parts for place in part]
    portions = [part.tolist() for part in walk._portions((np.array(part, np.intp) for part in parts), size)]
    assert portions == [places[begin : begin + size] for begin in range(0, len(places), size)]
