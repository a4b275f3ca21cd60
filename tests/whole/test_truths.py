"""Arithmetic with booleans in rules: equal for one state and for arrays."""

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from solver.engines.array_rules.code import CodeModule, least_answer
from solver.engines.array_rules.tracing import traced
from solver.game import AnyGame
from solver.proof.packed.machine_code import KernelSpec, compiled, formula
from solver.proof.verify import verify_database
from solver.rules.arrays import IntArray, array_type
from solver.rules.check import check
from solver.search.playouts import sampler
from tests.support.drawn import drawn
from tests.support.expressions import OF_TRUTHS, Expression
from tests.support.games.packed import Bits, Overflowing, Raise, Reusing, Switch, Weights
from tests.support.solved import solving

STATES = np.arange(8)


ON_TRUTHS = pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")
"""`~` of a bool is an integer, of which Python 3.12 and later warn."""


@ON_TRUTHS
@settings(max_examples=300, deadline=None)
@given(OF_TRUTHS)
def test_array_answers_match_single_states(expression: Expression) -> None:
    wanted = [int(expression.of(state)) for state in STATES.tolist()]
    answer = np.broadcast_to(np.asarray(expression.of(STATES.view(IntArray))), STATES.shape)
    assert answer.astype(np.int64).tolist() == wanted


@ON_TRUTHS
@drawn(30, 300, expression=OF_TRUTHS)
def test_machine_code_answers_match_single_states(expression: Expression) -> None:
    wanted = [int(expression.of(state)) for state in STATES.tolist()]
    module, out = CodeModule(), np.empty_like(STATES)
    module.add_answers("engine", traced(expression.of), least_answer)
    module.compiled()["engine"](len(STATES), STATES.ctypes.data, out.ctypes.data)
    assert out.tolist() == wanted
    actual = formula(expression.of)
    kernel = compiled([KernelSpec("proof", actual, frozenset(), is_truth=False)])["proof"]
    assert kernel(STATES, np.array(actual.constants, np.int64)).tolist() == wanted


def test_in_place_addition_copies_a_boolean_array() -> None:
    def rule(state: Any) -> Any:
        total = before = state == 1
        total += state == 1
        total |= 4
        return total * 8 + before

    assert rule(STATES.view(IntArray)).tolist() == [rule(state) for state in STATES.tolist()]


@pytest.mark.parametrize("engine", ["graph", "arrays", "layers"])
@pytest.mark.parametrize("compiled", [True, False])
def test_engines_count_booleans(engine: str, compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not compiled:
        monkeypatch.setitem(sys.modules, "llvmlite", None)
    with solving(Bits(), engine=engine) as db:
        assert (db["4"].value, db["4"].best_move, db["3"].value) == (2, 3, 2)
        assert db.scored
        assert not verify_database(db)
    with solving(Switch(), engine=engine) as db:  # whose second state is a truth
        (move,) = db["0"].moves
        assert (move.position, db[move.position].value) == ("1", 1)
        assert not verify_database(db)


def test_playouts_treat_booleans_as_integers() -> None:
    (utilities,) = sampler(Bits(), [4])([200])
    assert set(utilities) == {0, 1, 2}


@pytest.mark.parametrize(("game", "fault"), [(Bits(), None), (Overflowing(), "utility is True")])
def test_check_compares_single_and_array_answers(game: AnyGame, fault: str | None) -> None:
    faults = check(game).faults
    assert [fault is not None and fault in item for item in faults] == [True] * (fault is not None)


def test_verify_reports_rules_that_differ_for_arrays() -> None:
    """Numbers that are too large for an array mean another thing there than for one state."""
    with solving(Overflowing(), engine="graph") as one, solving(Overflowing(), engine="layers") as other:
        proved, problems = verify_database(one), verify_database(other)
    says = "the rules of Overflowing say True for utility of the state 1 alone, but False for it in an array"
    assert (proved, any(says in problem for problem in problems)) == ([], True)


def test_array_type_is_int_array_for_boolean_arithmetic() -> None:
    """Rules that cannot be asked about the start by every action may compute with truths, too."""
    assert array_type(Weights()) is np.ndarray
    assert array_type(Bits()) is array_type(Reusing()) is array_type(Raise()) is IntArray
