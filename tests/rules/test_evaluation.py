"""The evaluation of a position with its terms, against counts of lines in texts."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver import load_game
from solver.errors import BrokenRules
from solver.rules.check import check
from solver.rules.evaluation import evaluated, evaluation_of
from tests.support.commandline import call, succeeded
from tests.support.games.misbehaving import Fork


def document(*arguments: object) -> Any:
    done = succeeded(call(*arguments, "--json"))
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("position", "value", "terms"),
    [  # Russell and Norvig's exercise, 3 X2 + X1 - (3 O2 + O1): lines that only one side has marks in
        ("xo.......", 1, {"3*x2": 0, "x1": 2, "-3*o2": 0, "-o1": -1}),
        (".o..x....", 2, {"3*x2": 0, "x1": 3, "-3*o2": 0, "-o1": -1}),
        ("o...x....", 1, {"3*x2": 0, "x1": 3, "-3*o2": 0, "-o1": -2}),
        ("x.o...x.o", 0, {"3*x2": 3, "x1": 0, "-3*o2": -3, "-o1": 0}),
    ],
)
def test_search_and_query_print_the_textbooks_terms(
    tictactoe_db_path: Path, position: str, value: int, terms: dict[str, int]
) -> None:
    expected = {"value": value, "terms": terms}
    assert document("search", "tictactoe", position, "--with", "ucb1")["evaluation"] == expected
    assert document("query", tictactoe_db_path, position)["evaluation"] == expected
    words = f"{value}: " + ", ".join(f"{name} = {number}" for name, number in terms.items())
    shown = call("query", tictactoe_db_path, position).stdout
    assert f"\nevaluation: {words}\n" in shown
    shown = call("search", "tictactoe", position, "--with", "minimax-table").stdout
    assert f"\nevaluation  {words}\n" in shown


@pytest.mark.parametrize(
    "asked",
    ["mnk rows=2 columns=4 k=3 misere=true", "mnk rows=3 columns=4 k=4", "quixo rows=2 columns=3 k=2"],
)
def test_terms_count_open_lines_and_sum_to_the_value(asked: str) -> None:
    name, *words = asked.split()
    given = dict(word.split("=") for word in words)
    game: Any = load_game(name, given)
    rows, columns, k = game.rows, game.columns, game.k
    sign = -1 if "misere" in given else 1
    todo, seen = [game.initial], {game.initial}
    while todo and len(seen) < 2000:
        state = todo.pop()
        for action in game.actions(state):
            if (child := game.result(state, action)) not in seen:
                seen.add(child)
                todo.append(child)
    for state in seen:
        actual = evaluation_of(game, state)
        if game.is_terminal(state):
            assert actual is None
            continue
        cells = game.position(state).split()[0].replace("/", "")
        lines = [
            "".join(cells[(row + n * down) * columns + column + n * right] for n in range(k))
            for row, column, (down, right) in product(
                range(rows), range(columns), [(0, 1), (1, 0), (1, 1), (1, -1)]
            )
            if row + down * (k - 1) < rows and 0 <= column + right * (k - 1) < columns
        ]
        counts = [
            (sign if mark == "x" else -sign)
            * 3 ** (n - 1)
            * sum(set(line) <= {mark, "."} and line.count(mark) == n for line in lines)
            for mark in "xo"
            for n in range(k - 1, 0, -1)
        ]
        assert actual is not None
        assert [*actual.terms.values()] == counts
        assert actual.value == game.evaluate(state) == sum(counts)


def with_terms(terms: dict[str, Any], value: float = -0.5) -> Any:
    """Rules with this evaluation and these terms."""
    members = {"evaluate": lambda self, state: value, "evaluation_terms": lambda self, state: terms}
    return type("Own", (Fork,), members)()


def test_custom_terms_and_games_without_evaluation() -> None:
    own, nim = with_terms({"progress": 0.5, "start": -1}), load_game("nim")
    assert str(evaluation_of(own, "root")) == "-0.5: progress = 0.5, start = -1"
    assert evaluation_of(own, "end left") is evaluation_of(nim, nim.initial) is None


@pytest.mark.parametrize("number", ["x", None, float("nan"), pytest.param(10**400, id="large")])
def test_terms_that_are_no_numbers_are_refused(number: Any) -> None:
    with pytest.raises(BrokenRules, match="a term of evaluate should be a number"):
        evaluation_of(with_terms({"progress": number}), "root")
    (fault,) = check(with_terms({"progress": number})).faults
    assert "a term of evaluate should be a number" in fault


def test_numpy_numbers_are_accepted_as_terms() -> None:
    actual = evaluated(with_terms({"progress": np.int64(1), "start": np.float32(-1.5)}), "root")
    assert json.dumps(actual["evaluation"]["terms"]) == '{"progress": 1.0, "start": -1.5}'


def test_check_finds_terms_that_do_not_sum_to_the_value() -> None:
    (fault,) = check(with_terms({"progress": 0.1, "start": 0.2})).faults
    assert "evaluate is -0.5, but the terms sum up to 0.3" in fault


def test_json_omits_infinite_evaluations() -> None:
    assert evaluated(with_terms({"progress": 0.5, "start": -1}, float("inf")), "root") == {}
    assert evaluated(with_terms({"hope": float("inf"), "fear": float("-inf")}), "root") == {}
