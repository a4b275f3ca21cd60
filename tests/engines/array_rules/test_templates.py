from collections.abc import Callable
from typing import Any

from solver.engines.array_rules.tracing import Trace, templates, traced
from solver.rules.loading import load_game


def shifted(places: int) -> Trace:
    return traced(lambda state: (state >> places | state >> places + 4) & 1 == 0)


def test_actions_that_differ_in_numbers_are_one_family() -> None:
    (family,) = templates({0: shifted(0), 1: shifted(9), 3: shifted(2)})
    assert family.actions == (0, 1, 3)
    assert family.columns == [(0, 9, 2), (4, 13, 6)]
    assert [row for _, row in family.rows()] == [[0, 4], [9, 13], [2, 6]]


def test_a_number_that_depends_on_the_action_twice_has_one_column() -> None:
    def twice(places: int) -> Trace:
        return traced(lambda state: (state >> places) - (1 << places) + (state << places))

    (family,) = templates({action: twice(action) for action in range(3)})
    assert family.columns == [(0, 1, 2), (1, 2, 4)]


def test_actions_that_do_something_else_are_of_another_family() -> None:
    rules: list[Callable[[Any], Any]] = [
        *(lambda state: state + 1, lambda state: state - 1),
        *(lambda state: state + 2, lambda state: state + True, lambda _: 0),
    ]
    found = templates({action: traced(rule) for action, rule in enumerate(rules)})
    assert [family.actions for family in found] == [(0, 2), (1,), (3,), (4,)]


def test_the_answers_of_a_family_are_the_same_steps() -> None:
    found = templates(
        {0: traced(lambda state: state, lambda state: state + 1), 1: traced(lambda state: state + 1)}
    )
    assert len(found) == 2


def test_a_large_board_is_one_family() -> None:
    game: Any = load_game("mnk", {"rows": 5, "columns": 5, "k": 4})
    plays = {
        action: traced(
            lambda state, action=action: game.legal(state, action),  # type: ignore[misc]
            lambda state, action=action: game.result(state, action),  # type: ignore[misc]
        )
        for action in range(25)
    }
    assert len(templates(plays)) == 1
