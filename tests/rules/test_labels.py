"""What labels mean, in the cases that the definition names."""

import pytest

from solver.game import ENDLESS, FIRST, SECOND
from solver.rules.labels import before, hurrier, label_of


@pytest.mark.parametrize(
    ("value", "endless", "expected"),
    [
        (1, "draw", FIRST),
        (0, "draw", None),
        (-1, "draw", SECOND),
        (2, "first", FIRST),
        (1, "first", FIRST),
        (0, "first", SECOND),
        (-1, "first", SECOND),
        (1, "second", FIRST),
        (0, "second", FIRST),
        (-1, "second", SECOND),
    ],
)
def test_who_hurries_is_whom_endless_play_would_get_less_or_who_gets_it(
    value: int, endless: str, expected: int | None
) -> None:
    assert hurrier(value, ENDLESS[endless]) == expected


def test_a_drawn_end_is_some_plies_off_unless_endless_play_is_a_draw() -> None:
    assert before((0, 0), ENDLESS["draw"]) == (0, None)
    assert before((0, 0), ENDLESS["first"]) == (0, 1)
    assert before((0, 0), ENDLESS["second"]) == (0, 1)


def test_the_hurrier_takes_the_nearest_end_and_the_other_the_farthest() -> None:
    won, lost = [(1, 2), (1, 4), (0, None)], [(-1, 1), (-1, 3)]
    assert label_of(FIRST, won, 0) == (1, 3)
    assert label_of(SECOND, won[:2], 0) == (1, 5)
    assert label_of(FIRST, lost, 0) == (-1, 4)


def test_who_gets_endless_play_ends_it_where_it_can_and_the_other_does_not() -> None:
    children = [(1, None), (1, 4)]
    assert label_of(FIRST, children, ENDLESS["first"]) == (1, 5)
    assert label_of(SECOND, children, ENDLESS["first"]) == (1, None)
