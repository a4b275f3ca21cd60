"""Rules as machine code in proofs of large files, against NumPy."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume
from numpy.typing import NDArray

from solver import load_game, solve
from solver.engines.options import SolveOptions
from solver.errors import BrokenRules
from solver.packed import PackedGame
from solver.proof.packed.array_answers import COMPILED_FROM, ArrayAnswers
from solver.proof.packed.machine_code import KernelSpec, NoFormula, compiled, formula
from solver.rules.arrays import IntArray, Keys
from solver.rules.folding import Folding
from tests.support.commandline import python
from tests.support.drawn import drawn
from tests.support.expressions import EXPRESSIONS, STATE, WORDS, Expression
from tests.support.games.packed import Coins, Stuck, Weights


def rules(name: str, **parameters: Any) -> PackedGame:
    """A packed game that comes along."""
    game = load_game(name, parameters)
    assert isinstance(game, PackedGame)
    return game


GAMES: dict[str, PackedGame] = {
    "quixo": rules("quixo", rows=3, columns=3, k=3),
    "morris": rules("morris", variant="six"),
    "chess-ending": rules("chess-ending", pieces="KRK"),
    "chess-ending of two pieces": rules("chess-ending", pieces="KQKR"),
    "dobutsu": rules("dobutsu"),
    "connect": rules("connect"),
    "coins": Coins(),
    "weights": Weights(),
}

each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@drawn(60, 300, expression=EXPRESSIONS, words=WORDS)
def test_compiled_formula_matches_int64_arrays(expression: Expression, words: NDArray[Any]) -> None:
    assume(expression != STATE)
    try:
        actual = formula(expression.of)
    except NoFormula:
        assume(False)
    wanted = np.broadcast_to(np.asarray(expression.of(words.view(IntArray))), words.shape).astype(np.int64)
    varying = frozenset(range(0, len(actual.constants), 2))
    truths = {"whole": False, "truth": True}
    kernels = compiled([KernelSpec(name, actual, varying, truth) for name, truth in truths.items()])
    constants = np.array(actual.constants, np.int64)
    assert kernels["whole"](words, constants).tolist() == wanted.tolist()
    assert kernels["truth"](words, constants).tolist() == (wanted != 0).tolist()


@pytest.mark.parametrize("places", [0, 1, 63, 64, 65, 1000, -1, -64])
@pytest.mark.parametrize("symbol", ["<<", ">>"])
def test_compiled_shift_matches_numpy_for_any_places(symbol: str, places: int) -> None:
    words = np.array([1, -1, 5, -(2**63), 2**63 - 1])
    rule = Expression(symbol, STATE, places)
    actual = formula(rule.of)
    for varying in (frozenset[int](), frozenset(range(len(actual.constants)))):
        kernel = compiled([KernelSpec("shift", actual, varying, is_truth=False)])["shift"]
        assert kernel(words, np.array(actual.constants)).tolist() == rule.of(words).tolist()


def reached(game: PackedGame) -> Keys:
    """Some states that play reaches, those that are over left out."""
    actual = [game.initial]
    for state in actual:  # which grows
        if len(actual) < 300 and not game.is_terminal(state):
            actual += [game.result(state, action) for action in game.actions(state)]
    return np.array([state for state in dict.fromkeys(actual) if not game.is_terminal(state)], np.int64)


@each_game
def test_machine_code_matches_the_rules_for_every_query(game: PackedGame) -> None:
    symmetries = SolveOptions(fold=True).folding(game, 2).symmetries
    keys = reached(game)
    machine = ArrayAnswers(game, symmetries, COMPILED_FROM)
    plain = ArrayAnswers(game, symmetries, 1)
    questions = list(machine._compiled)
    assert ("legal", game.action_count - 1) in questions
    for question in questions:
        answer = np.broadcast_to(plain(keys, *question), keys.shape)
        assert np.array_equal(machine(keys, *question).astype(np.int64), answer.astype(np.int64)), question


def test_similar_actions_share_machine_code() -> None:
    machine = ArrayAnswers(GAMES["connect"], (), COMPILED_FROM)
    kernels = [machine._compiled["legal", action].func for action in range(GAMES["connect"].action_count)]
    assert kernels.count(kernels[0]) == len(kernels)


class Branching(Coins):
    """Coins with a rule that looks at a state."""

    def is_terminal(self, state: Any) -> Any:
        """Whether it is over, which takes an integer."""
        return np.array([False] * len(state)) if isinstance(state, np.ndarray) else bool(state < 0)


def test_rules_using_more_than_operators_are_not_compiled() -> None:
    machine = ArrayAnswers(Branching(), (), COMPILED_FROM)
    assert ("is_terminal",) not in machine._compiled
    assert ("to_move",) in machine._compiled
    assert machine(np.arange(3), "is_terminal").tolist() == [False] * 3


def test_wrong_machine_code_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def lying(specs: Any) -> Any:
        return {spec.name: lambda keys, constants: np.full(len(keys), 77) for spec in specs}

    monkeypatch.setattr("solver.proof.packed.array_answers.compiled", lying)
    game = GAMES["connect"]
    machine = ArrayAnswers(game, Folding(game, 1).symmetries, COMPILED_FROM)
    words = r"say 0 for to_move of the state \d+ alone, but 77 for it in an array"
    with pytest.raises(BrokenRules, match=words):
        machine(reached(game), "to_move")


@pytest.mark.parametrize(("states", "apart"), [(1 << 15, 1), (1 << 17, 1 << 12), (1 << 25, 1 << 18)])
def test_single_states_are_sampled_by_the_size_of_the_file(
    states: int, apart: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    class Noted(Stuck):
        def to_move(self, state: Any) -> Any:
            asked.extend([state] if isinstance(state, int) else [])
            return state & 1

    monkeypatch.setattr("solver.proof.packed.array_answers.COMPILED_FROM", 1 << 30)
    machine = ArrayAnswers(Noted(), (), states)
    for begin in range(0, 600_000, 1000):
        machine(np.arange(begin, begin + 1000), "to_move")
    assert asked == list(range(0, 600_000, apart))


def test_rules_are_not_compiled_without_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    assert not ArrayAnswers(GAMES["connect"], (), COMPILED_FROM)._compiled


def test_packed_files_are_verified_without_llvmlite(tmp_path: Path) -> None:
    solve(load_game("mnk", {"rows": 2, "columns": 2, "k": 2}), tmp_path / "game.db", layout="packed")
    code = (
        "import sys; sys.modules['llvmlite'] = sys.modules['numba'] = None\n"
        "from solver import open_database, verify_database\n"
        "assert verify_database(open_database(sys.argv[1])) == []\n"
    )
    python(code, tmp_path / "game.db")
