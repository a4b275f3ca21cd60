"""Files of rules that contradict themselves: they are refused, or proved wrong."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from solver import Game, Symmetry, open_database, solve, verify_database
from solver.errors import BrokenRules, UnreadablePosition
from solver.packed import Packed, PackedGame


class Lost(Game[int, int]):
    """Play begins in 6, or in 70, where the first player wins; the map takes 70 to 6, and nothing to 70."""

    initial = 6

    def initial_states(self) -> Sequence[int]:
        return [6, 70]

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> Sequence[int]:
        return [] if state < 2 else [0]

    def result(self, state: int, action: int) -> int:
        return int(state == 70)

    def utility(self, state: int) -> int:
        return state

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        return [Symmetry(lambda state: 6 if state == 70 else state, lambda action: action)]


class PackedLost(PackedGame):
    """The same, packed."""

    action_count = 1
    initial = 6

    def initial_states(self) -> Sequence[int]:
        return [6, 70]

    def to_move(self, state: Packed) -> Packed:
        return state & 0

    def is_terminal(self, state: Packed) -> Any:
        return state < 2

    def legal(self, state: Packed, action: int) -> Any:
        return state > 1

    def result(self, state: Packed, action: int) -> Packed:
        return (state == 70) * 1

    def utility(self, state: Packed) -> Packed:
        return state

    def symmetries(self) -> Sequence[Symmetry[Any, Any]]:
        return [Symmetry(lambda state: state - 64 * (state == 70), lambda action: action)]


@pytest.mark.parametrize(
    ("rules", "layout"), [(Lost, "readable"), (PackedLost, "readable"), (PackedLost, "packed")]
)
def test_a_file_that_lacks_an_initial_state_is_not_proved(
    rules: type[Any], layout: str, tmp_path: Path
) -> None:
    solve(rules(), tmp_path / "lost.db", engine="arrays", layout=layout, fold=True)
    with open_database(tmp_path / "lost.db") as db:
        db.game = rules()
        assert len(db) == 2
        assert verify_database(db)
    solve(rules(), tmp_path / "all.db", engine="arrays", layout=layout)
    with open_database(tmp_path / "all.db") as db:
        db.game = rules()
        assert verify_database(db) == []
    with pytest.raises(BrokenRules, match="none of their symmetries takes the one to the other"):
        solve(rules(), tmp_path / "graph.db", engine="graph", fold=True)


class Some(PackedGame):
    """Action 1 wins, and `candidates` leaves it out."""

    action_count = 2
    initial = 2

    def to_move(self, state: Packed) -> Packed:
        return state * 0

    def is_terminal(self, state: Packed) -> Any:
        return state < 2

    def legal(self, state: Packed, action: int) -> Any:
        return state == 2

    def result(self, state: Packed, action: int) -> Packed:
        return state * 0 + action

    def utility(self, state: Packed) -> Packed:
        return state

    def candidates(self, state: int) -> Sequence[int]:
        return [0]


def test_actions_that_are_not_those_that_are_legal_are_found(tmp_path: Path) -> None:
    solve(Some(), tmp_path / "some.db", engine="layers")
    with open_database(tmp_path / "some.db") as db:
        db.game = Some()
        assert "list the actions (0,) in the state 2, where (0, 1) are legal" in " ".join(verify_database(db))


@pytest.mark.parametrize("engine", ["auto", "arrays", "layers"])
@pytest.mark.parametrize("start", ["-1", str(2**63)])
def test_a_start_that_is_no_packed_state_is_refused(engine: str, start: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadablePosition, match=r"states are from 0 to below 2\*\*63"):
        solve(PackedLost(), tmp_path / "a.db", start=start, engine=engine)
    assert not [*tmp_path.glob("*.work")]


@pytest.mark.parametrize("count", ["2", 2.0, 0, -3, None])
@pytest.mark.parametrize("engine", ["auto", "arrays", "layers"])
def test_a_number_of_actions_that_is_none_is_refused(count: Any, engine: str, tmp_path: Path) -> None:
    rules = type("Counted", (PackedLost,), {"action_count": count})()
    with pytest.raises(BrokenRules, match="action_count should be a number from 1 on"):
        solve(rules, tmp_path / "a.db", engine=engine)


class Twice(PackedGame):
    """1, 2 and 3 follow 0; the map takes both 1 and 2 to 3."""

    action_count = 3
    initial = 0

    def to_move(self, state: Packed) -> Packed:
        return state & 0

    def is_terminal(self, state: Packed) -> Any:
        return state > 3

    def legal(self, state: Packed, action: int) -> Any:
        return (state == 0) | (action == 0)

    def result(self, state: Packed, action: int) -> Packed:
        return (state == 0) * (action + 1) + (state > 0) * (state + 10)

    def utility(self, state: Packed) -> Packed:
        return state - 12

    def symmetries(self) -> Sequence[Symmetry[Any, Any]]:
        return [Symmetry(self.image, lambda action: action)]

    def image(self, state: Packed) -> Packed:
        small = (state == 1) * 2 + (state == 2) - (state == 3) * 2
        return state + small + (state == 11) * 2 + (state == 12) - (state == 13) * 2


def test_a_map_that_takes_two_states_to_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BrokenRules, match="a symmetry of the rules is none"):
        solve(Twice(), tmp_path / "twice.db", engine="layers", fold=True)
    assert not [*tmp_path.iterdir()]


class Falling(Lost):
    """The map takes all states but 0 to 1."""

    def initial_states(self) -> Sequence[int]:
        return [6]

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        return [Symmetry(lambda state: min(state, 1), lambda action: action)]


def test_rules_that_contradict_a_new_file_are_at_fault_not_the_file(tmp_path: Path) -> None:
    with pytest.raises(BrokenRules, match="symmetr"):
        solve(Falling(), tmp_path / "falling.db", engine="arrays", fold=True)
    assert not [path for path in tmp_path.iterdir() if path.suffix != ".lock"]
