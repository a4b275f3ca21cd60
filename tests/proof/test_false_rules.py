"""Files of rules that contradict themselves are refused or refuted."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver import Game, Plan, open_database, solve, verify_database, verify_plan
from solver.analysis.certificates.certificate import Certificate
from solver.analysis.certificates.check import flaw_of
from solver.errors import BrokenRules, UnreadablePosition
from solver.games.mnk import MNK
from solver.rules.named import as_named
from tests.support.altered import alter
from tests.support.games.explicit_graph import ExplicitGame, Mirrored
from tests.support.games.false_symmetry import Mapped
from tests.support.games.packed import Table
from tests.support.packed_rows import rewrite, rows_of


def changed(rules: Any, **members: Any) -> Any:
    """The class of rules with other members, which is in no file."""
    return type("Changed", (rules,), members)


MERGED = Mirrored(((2,), (3,), (), ()), (0,) * 4, (0, 0, 0, 1), (0, 1), (0, 0, 2, 3))
"""Play begins in 0, or in 1, where the first player wins; the map takes 1 to 0, and nothing to 1."""

PACKED = Mapped(4, 1, (2, 3, -1, -1), (0,) * 4, (0, 0, 0, 1), (0, 1), tells=False, maps=((0, 0, 2, 3),))
"""The same, packed."""


@pytest.mark.parametrize(("game", "layout"), [(MERGED, "readable"), (PACKED, "readable"), (PACKED, "packed")])
def test_verify_reports_missing_initial_state(
    game: Any, layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BrokenRules, match="'1' differs from its image by symmetry 1"):
        solve(game, tmp_path / "lost.db", engine="arrays", layout=layout, fold=True)
    monkeypatch.setattr("solver.engines.solve.STATES_TRIED", 0)
    assert problems(game, tmp_path / "lost.db", engine="arrays", layout=layout, fold=True)
    with open_database(tmp_path / "lost.db") as db:
        assert len(db) == 2
    assert problems(game, tmp_path / "all.db", engine="arrays", layout=layout) == ""


HOLE = Mapped(
    *(5, 2, (1, 4, 0, 3, 0, 3, -1, -1, -1, -1), (0, 1, 0, 0, 0), (0, 0, 0, 1, 0), (0, 2)),
    tells=False,
    maps=((0, 1, 0, 3, 4),),
)
"""Play can return from 1 to 0; from 2 action 1 wins. The map takes 2 to 0, and nothing to 2."""


def test_verify_checks_starts_that_no_symmetry_reaches(tmp_path: Path) -> None:
    path = tmp_path / "hole.db"
    assert problems(HOLE, path, engine="arrays", layout="packed") == ""
    rows = [row._replace(label=0) if row.key == 2 else row for row in rows_of(path)]
    rewrite(path, rows, values="[0, 1]")
    fewer = "update counts set states = states - 1 where is_terminal = 0 and to_move = 0"
    alter(path, fewer, "update about set value = '4' where key in ('states', 'moves')", sealed=True)
    with open_database(path) as db:
        assert len(db) == 4
    assert "the position '2': it should have the value 1" in problems_by(HOLE, path)


class Some(Table):
    """Play goes down to 2, where action 1 wins, and `candidates` leaves it out."""

    def candidates(self, state: int) -> Sequence[int]:
        return [0]


DOWN = (-1, -1, -1, -1, 0, 1, *(child for state in range(3, 61) for child in (state - 1, -1)))

SOME = Some(61, 2, DOWN, (0,) * 61, (0, 1, *(0,) * 59), (60,), tells=False)
"""A solve asks again in the first 50 states."""


def problems(game: Any, path: Path, **options: Any) -> str:
    """What is wrong with a new file, by the same rules."""
    solve(game, path, force=True, **options)
    return problems_by(game, path)


def problems_by(game: Any, path: Path) -> str:
    """What is wrong with a file by these rules."""
    with open_database(path) as db:
        db.game = game
        return " ".join(verify_database(db))


def test_verify_reports_legal_actions_missing_from_candidates(tmp_path: Path) -> None:
    words = "the rules list the actions [0], where [0, 1] are legal"
    assert words in problems(SOME, tmp_path / "some.db", engine="layers")
    assert words in problems(SOME, tmp_path / "some.db", engine="graph", layout="readable")
    with pytest.raises(BrokenRules, match="do not answer alike each time"):
        solve(replace(SOME, starts=(2,)), tmp_path / "other.db", engine="layers")


class Alike(Table):
    """Both actions have one name."""

    def action_name(self, action: int) -> str | int:
        return "go"


class OneText(Table):
    """0 and 1 are both written 0."""

    def position(self, state: int) -> str:
        return str(state if state > 1 else 0)


TWO_MOVES: Any = (3, 2, (-1, -1, -1, -1, 0, 1), (0,) * 3, (0, 1, 0), (2,), False)
"""From 2 action 0 draws, and action 1 wins."""


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Alike(*TWO_MOVES), "give two actions in '2' one name"),
        (OneText(*TWO_MOVES), "its text '0' is read as 0, not as 1"),
    ],
    ids=str,
)
def test_verify_reports_duplicate_action_names_and_texts(game: Any, words: str, tmp_path: Path) -> None:
    assert words in problems(game, tmp_path / "a.db", engine="layers")


class Hidden(ExplicitGame):
    """2 is written as 1."""

    def position(self, state: int) -> str:
        return str(min(state, 1))


def test_verify_reports_child_with_the_text_of_another_state(tmp_path: Path) -> None:
    game = Hidden(((1,), (), ()), (0,) * 3, (0, -1, 1))
    assert problems(game, tmp_path / "a.db") == ""
    said = problems_by(replace(game, children=((2,), (), ())), tmp_path / "a.db")
    assert "a move leads to 2, the text of which, '1', is read as another state" in said


class Shown(Game[Any, int]):
    """A move leads to the only end."""

    initial, end = (0, 0), (1, 0)

    def to_move(self, state: Any) -> int:
        return 0

    def actions(self, state: Any) -> Sequence[int]:
        return [] if state[0] else [0]

    def result(self, state: Any, action: int) -> Any:
        return self.end

    def utility(self, state: Any) -> int:
        return 1


def test_verify_reports_equal_child_with_another_text(tmp_path: Path) -> None:
    assert problems(Shown(), tmp_path / "a.db") == ""
    said = problems_by(changed(Shown, end=(1, False))(), tmp_path / "a.db")
    assert "its moves should be [(0, '(1, False)')], not [(0, '(1, 0)')]" in said


@pytest.mark.parametrize(
    ("words", "members"),
    [
        ("one name", {"action_name": lambda self, action: "go"}),
        (
            "'end' stands for several states",
            {
                "position": lambda self, state: "end" if state else "0",
                "parse": lambda _, text: 2 * (text > "0"),
            },
        ),
    ],
)
def test_verify_plan_refuses_ambiguous_replies_or_positions(words: str, members: dict[str, Any]) -> None:
    """The second player wins by action 0."""
    game = changed(ExplicitGame, **members)(((1, 2), (), ()), (1, 0, 0), (0, -1, 1))
    plan = Plan(game, owner=0, root="0", goal="win", value=1, moves={}, start="0")
    with pytest.raises(BrokenRules, match=words):
        verify_plan(plan)


@pytest.mark.parametrize("engine", ["auto", "arrays", "layers"])
@pytest.mark.parametrize("start", ["-1", str(2**63)])
def test_solve_refuses_start_outside_the_packed_states(engine: str, start: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadablePosition, match=r"states are from 0 to below 2\*\*63"):
        solve(PACKED, tmp_path / "a.db", start=start, engine=engine)
    assert not [*tmp_path.glob("*.work")]


@pytest.mark.parametrize("count", ["2", 2.0, 0, -3, None])
@pytest.mark.parametrize("engine", ["auto", "arrays", "layers"])
def test_solve_refuses_invalid_action_count(count: Any, engine: str, tmp_path: Path) -> None:
    with pytest.raises(BrokenRules, match="action_count should be a number from 1 on"):
        solve(changed(Table, action_count=count)(*TWO_MOVES), tmp_path / "a.db", engine=engine)


TWICE = Mapped(
    *(7, 3, (1, 2, 3, 4, -1, -1, 5, -1, -1, 6, *(-1,) * 11), (0,) * 7, (0, 0, 0, 0, -1, 0, 1)),
    tells=False,
    maps=((0, 3, 3, 1, 6, 6, 4),),
)
"""1, 2 and 3 follow 0; the map takes both 1 and 2 to 3."""


FALLING = Mirrored(((1,), (), ()), (0,) * 3, (0, 0, 1), (0,), (2, 1, 2))
"""The map takes all states but 1 to 2."""


@pytest.mark.parametrize(
    ("game", "engine", "words"),
    [(TWICE, "layers", "a symmetry of the rules is not a symmetry"), (FALLING, "arrays", "symmetr")],
)
def test_solve_refuses_false_symmetries(game: Any, engine: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(BrokenRules, match=words):
        solve(game, tmp_path / "false.db", engine=engine, fold=True)
    assert not [*tmp_path.iterdir()]


OVER = ExplicitGame(((1,), ()), (0, 0), (-1, 1))
"""Action 0 leads to a win of the first player; if the game is over before it, the second has won."""


def test_terminal_state_with_actions_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve(OVER, tmp_path / "a.db")
    monkeypatch.setattr(ExplicitGame, "is_terminal", lambda game, state: True)
    with pytest.raises(BrokenRules, match="the rules give actions in the state 0, which is terminal"):
        solve(OVER, tmp_path / "b.db")
    said = problems_by(OVER, tmp_path / "a.db")
    assert said.startswith("the position '0': is_terminal is True where there are 1 actions")
    claim = Certificate(as_named(OVER), {}, owner=1, goal=1, endless=0, start="0", states=["0"], ranks=[0])
    with pytest.raises(BrokenRules, match="in '0' is_terminal is True"):
        flaw_of(claim, OVER)


class LessInArrays(MNK):
    """For an array of states action 0 is never legal."""

    def legal(self, state: Any, action: int) -> Any:
        legal = super().legal(state, action)
        return legal & False if action == 0 and isinstance(state, np.ndarray) else legal


def test_verify_refuses_actions_missing_for_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.proof.readable_walk.ALL_ALONE", 0)
    assert problems(MNK(2, 2, 2), tmp_path / "a.db", layout="readable") == ""
    with pytest.raises(BrokenRules, match=r"list the actions \[0, 1, 2, 3\] of the state \d+ alone, but"):
        problems_by(LessInArrays(2, 2, 2), tmp_path / "a.db")


class Leaving(MNK):
    """For an array of states the rules leave the program."""

    def legal(self, state: Any, action: int) -> Any:
        return sys.exit() if isinstance(state, np.ndarray) else super().legal(state, action)


def test_single_states_if_rules_fail_for_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.proof.readable_walk.ALL_ALONE", 0)
    solve(MNK(2, 2, 2), tmp_path / "a.db", layout="readable")
    assert "the position" not in problems_by(Leaving(2, 2, 2), tmp_path / "a.db")
    unhashable = changed(MNK, parse=lambda self, text: [MNK.parse(self, text)])
    said = problems_by(unhashable(2, 2, 2), tmp_path / "a.db")
    assert "it cannot be checked: TypeError: unhashable type" in said
