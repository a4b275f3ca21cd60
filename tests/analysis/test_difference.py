"""Differences of two files, in every form, against a comparison of all positions by brute force."""

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import assume, strategies as st

from solver import Database, open_database
from solver.analysis.difference import Difference, Kind, difference
from solver.errors import BrokenRules, NothingInCommon, UnknownPosition
from solver.game import AnyGame, Game
from solver.games.quixo import Quixo
from tests.support.commandline import call, refusal
from tests.support.drawn import drawn
from tests.support.exchanged_files import exchanged_file
from tests.support.games.explicit_graph import explicit_games, mirrored
from tests.support.games.packed import (
    Beside,
    Coins,
    Ladder,
    MirroredTable,
    Table,
    TurnedTable,
    loops,
    mirrored_loops,
    mirrored_tables,
    tables,
    tiered,
)
from tests.support.pages import text_of
from tests.support.published import by_number, expected
from tests.support.solved import solved, solved_file, solving


def by_hand(a: Database, b: Database) -> Difference:
    """The difference, position by position, of files neither of which is folded; all positions are named."""
    ones, others = ({entry.position: entry for entry in db.entries()} for db in (a, b))
    common: Counter[Kind] = Counter()
    changed: dict[bool, list[tuple[int | None, str]]] = {True: [], False: []}
    for text, entry in ones.items():
        if text in others:
            values = (entry.value, others[text].value)
            as_soon = entry.remoteness == others[text].remoteness
            common[Kind(entry.ply, values, as_soon)] += 1
            if values[0] != values[1] or not as_soon:
                changed[values[0] != values[1]].append((entry.ply, text))
    alone = [
        [(entry.ply, text) for text, entry in here.items() if text not in there]
        for here, there in ((ones, others), (others, ones))
    ]
    only_a, only_b = (Counter(ply for ply, _ in item) for item in alone)
    first_a, first_b, value, remoteness = (
        [text for _, text in sorted(item, key=lambda row: (row[0] is None, row[0] or 0))]
        for item in (*alone, changed[True], changed[False])
    )
    return Difference(common, (only_a, only_b), value, remoteness, (first_a, first_b))


def test_misere_difference_adds_up_to_published_counts() -> None:
    normal, misere = expected("tictactoe"), expected("tictactoe misere=true")
    with solved("tictactoe") as a, solved("tictactoe", {"misere": True}) as b:
        actual = difference(a, b)
    values = [Counter[int](), Counter[int]()]
    outcomes = Counter[str]()
    for kind, number in actual.common.items():
        assert kind.ply is not None
        for side in (0, 1):
            values[side][kind.values[side]] += number
        gain = kind.values[1] * (-1 if kind.ply % 2 else 1)
        outcomes[{1: "win", 0: "draw", -1: "loss"}[gain]] += number
    assert values[0] == by_number(normal["values"])
    assert outcomes == misere["outcomes"]
    assert [actual.at(ply).common.total() for ply in actual.plies] == normal["per_ply"]
    assert actual.only == (Counter(), Counter())
    assert actual.count("value") == actual.count("outcome") == 4082


@drawn(20, 60, data=st.data())
def test_difference_of_explicit_games_equals_brute_force(data: st.DataObject) -> None:
    game = data.draw(explicit_games())
    size = len(game.utilities)
    worth = st.lists(st.integers(-3, 3), min_size=size, max_size=size)
    moves = st.lists(st.lists(st.integers(0, size - 1), max_size=3).map(tuple), min_size=size, max_size=size)
    other = replace(game, utilities=tuple(data.draw(worth)), children=tuple(data.draw(moves)))
    _compare(game, other, {}, {})


@drawn(10, 30, data=st.data())
def test_difference_of_packed_files_equals_brute_force(data: st.DataObject) -> None:
    game = data.draw(st.one_of(tables(), loops(starts=3), tiered()))
    size = len(game.utilities)
    worth = st.lists(st.integers(-3, 3), min_size=size, max_size=size)
    tells = game.tells and data.draw(st.booleans())
    other = replace(game, utilities=tuple(data.draw(worth)), starts=(0,), tells=tells)
    layouts = st.sampled_from([{"layout": "packed"}, {"layout": "readable"}])
    _compare(game, other, data.draw(layouts), data.draw(layouts))


def _compare(game: AnyGame, other: AnyGame, here: dict[str, Any], there: dict[str, Any]) -> None:
    """Hold the difference of two games, and of each from itself, against what is found by hand."""
    with solving(game, **here) as a, solving(other, **there) as b:
        expected = by_hand(a, b)
        if not expected.common:
            with pytest.raises(NothingInCommon):
                difference(a, b)
            return
        assert difference(a, b, limit=100) == expected
        assert difference(a, b).same == (not expected.other_value and expected.same)
        for db in (a, b):
            itself = difference(db, db, limit=100)
            assert itself.same
            assert itself.common.total() == len(db)
            assert not [*itself.other_value, *itself.other_remoteness, *itself.first_only[0]]


TWO_LAYOUTS = st.tuples(*[st.sampled_from(["readable", "packed"])] * 2)


@drawn(8, 60, game=st.one_of(mirrored_tables(), mirrored_loops()), layouts=TWO_LAYOUTS)
def test_folded_file_from_mirrored_starts_is_equal(game: MirroredTable, layouts: tuple[str, str]) -> None:
    images = tuple(game.symmetries()[0].state(state) for state in game.starts)
    with (
        solving(game, layout=layouts[0]) as plain,
        solving(game, layout=layouts[1], fold=True) as folded,
        solving(replace(game, starts=images), layout=layouts[1], fold=True) as other,
    ):
        for a, b, whole in ((plain, folded, plain), (folded, plain, plain), (folded, other, folded)):
            actual = difference(a, b)
            assert (actual.same, actual.common.total()) == (True, len(whole))


def test_symmetries_with_boolean_arithmetic_are_applied() -> None:
    game = Beside((1,))
    with solving(game, layout="packed") as plain, solving(game, layout="packed", fold=True) as folded:
        assert difference(plain, folded).same


@drawn(10, 30, game=mirrored())
def test_folded_file_is_compared_position_by_position(game: AnyGame) -> None:
    try:
        with solving(game) as a, solving(game, fold=True) as b:
            pairs = [(entry, b[text]) for text, entry in a.items()]
            actual, back = difference(a, b), difference(b, a)
    except BrokenRules:
        assume(False)  # the symmetry is false
    assert actual.common == Counter(
        Kind(one.ply, (one.value, other.value), one.remoteness == other.remoteness) for one, other in pairs
    )
    assert back.common == Counter(
        Kind(one.ply, (other.value, one.value), one.remoteness == other.remoteness) for one, other in pairs
    )


@dataclass(frozen=True)
class Renumbered(Table):
    """A table that writes all places but the first as numbers that are greater by `more`."""

    more: int = 0

    def position(self, state: int) -> str:
        return str(state + self.more * (state > 0))

    def parse(self, text: str) -> int:
        return int(text) - self.more * (int(text) > 0)


def test_packed_positions_are_matched_by_text() -> None:
    game = Renumbered(3, 1, (1, 2, 0), (0, 1, 0), (0, 0, 0), tells=False)
    with solving(game, layout="packed") as a, solving(replace(game, more=1), layout="packed") as b:
        assert difference(a, b, limit=10) == by_hand(a, b)


@pytest.mark.parametrize("layout", ["readable", "packed"])
@pytest.mark.parametrize(("masks", "changed"), [((1, 2, 3), 2), ((1,), 4)])
def test_every_position_of_a_class_is_compared(layout: str, masks: tuple[int, ...], changed: int) -> None:
    children = (4, 5, 6, 7, -1, -1, -1, -1)
    game = TurnedTable(4, 1, children, (0,) * 8, (0,) * 8, starts=(0, 1, 2, 3), masks=masks)
    other = replace(game, utilities=(0, 1) * 4, masks=(2,))
    with solving(game, layout=layout, fold=True) as a, solving(other, layout=layout, fold=True) as b:
        for actual, number in ((difference(a, b, 10), changed), (difference(b, a, 10), 2)):
            assert actual.count("value") == len(actual.other_value) == number
            assert actual.only == (Counter(), Counter())
            assert all((a[text].value, b[text].value) == (0, 1) for text in actual.other_value)


class OtherQuixo(Quixo):
    """The same rules by another name, so that all images of a position are compared."""


def test_values_of_exchanged_players_are_negated(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    one, other = Quixo(2, 2, 2), OtherQuixo(2, 2, 2)
    paths = exchanged_file(one, tmp_path), exchanged_file(other, tmp_path / "other")
    with open_database(paths[0]) as a, open_database(paths[1]) as b:
        a.game, b.game = one, other
        assert difference(a, b).same


def test_wrong_tier_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with solving(Coins(), layout="packed") as db:
        monkeypatch.setattr(type(db.game), "tier", lambda game, state: state >> 3)
        with pytest.raises(BrokenRules, match="correct `tier`"):
            difference(db, db)


@dataclass(frozen=True)
class Beyond(Game[int, int]):
    """Count from 0 to 2, then go to `last`, which may be no packed state."""

    last: int = 0
    initial = 0

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> tuple[int, ...]:
        return () if state == self.last else (0,)

    def result(self, state: int, action: int) -> int:
        return state + 1 if state < 2 else self.last

    def utility(self, state: int) -> int:
        return 1


@pytest.mark.parametrize("last", [-1, 2**63, 10**30])
def test_integer_that_is_no_packed_state_is_only_in_one_file(last: int) -> None:
    with solving(Beyond(last)) as a, solving(Ladder(3), layout="packed") as b:
        for one, other in ((a, b), (b, a)):
            assert difference(one, other, limit=10) == by_hand(one, other)


def _line(size: int) -> TurnedTable:
    """A table of so many places, from each of which play goes on to the next one."""
    return TurnedTable(1, 1, (*range(1, size), -1), (0,) * size, (1,) * size)


@pytest.mark.parametrize("layout", ["readable", "packed"])
@pytest.mark.parametrize("fold", [False, True])
def test_position_on_which_the_other_rules_fail_is_only_in_one_file(layout: str, fold: bool) -> None:
    with (
        solving(_line(6), layout=layout) as a,
        solving(_line(4), layout=layout) as b,
        solving(_line(4), layout=layout, fold=fold) as folded,
    ):
        assert difference(a, folded, limit=10) == by_hand(a, b)
        assert difference(folded, a, limit=10) == by_hand(b, a)
        with pytest.raises(UnknownPosition):
            folded["5"]


@pytest.mark.parametrize("layout", ["readable", "packed"])
def test_failing_canonical_is_refused(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with solving(_line(4), layout=layout, fold=True) as db:
        monkeypatch.setattr(type(db.game), "canonical", lambda game, state: ()[state])
        for asked in (lambda: db["1"], lambda: db.present(["5", "1"])):
            with pytest.raises(BrokenRules, match="fail in canonical"):
                asked()


def test_games_with_nothing_in_common_are_refused() -> None:
    two, three = {"rows": 2, "columns": 3, "k": 2}, {"rows": 3, "columns": 2, "k": 2}
    late = [solved_file("tictactoe", start=start) for start in ("xoxoxo...", "oxoxox...")]
    for files, words in (
        ((solved_file("tictactoe"), solved_file("ponghauki")), "do not write positions alike"),
        ((solved_file("mnk", two), solved_file("mnk", three)), "not played on the same board"),
        (late, "no position"),
    ):
        assert words in refusal(2, "diff", *files)


def _diff(*options: str, **misere: bool) -> Result:
    return call("diff", solved_file("tictactoe"), solved_file("tictactoe", misere), *options)


def test_exit_status_says_whether_files_differ() -> None:
    same, other = _diff(), _diff("--limit", "0", misere=True)
    assert (same.exit_code, other.exit_code) == (0, 1)
    assert "0 in value, 0 only in remoteness" in same.stdout
    assert "---+---+---" not in other.stdout


def test_json_has_the_documented_keys() -> None:
    printed = _diff("--limit", "2", "--json", misere=True).stdout
    documented = set(re.findall(r"`(\w+)`", text_of("docs/diff.md")))
    assert set(re.findall(r'"(\w+)": ', printed)) - {"misere", "wild"} <= documented
    assert [len(item) for item in json.loads(printed)["first"].values()] == [2, 2, 0, 0]


def test_positions_only_in_a_folded_file_are_counted_as_classes() -> None:
    with solved("tictactoe", start="xo.......") as plain, solved("tictactoe", fold=True) as folded:
        game = plain.game
        common = {game.canonical(game.parse(entry.position)) for entry in plain.entries()}
        words = call("diff", plain.path, folded.path).stdout
        assert re.search(r"^in both +654$", words, re.MULTILINE)
        number = len(folded) - len(common)
        assert re.search(f"^only in B +{number} classes of symmetric positions: ", words, re.MULTILINE)
