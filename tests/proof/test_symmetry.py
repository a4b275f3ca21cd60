"""Proofs that a state represents its class, which need images of images."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from solver import verify_database
from solver.analysis.certificates.check import flaw_of
from solver.analysis.certificates.selection import certify
from solver.game import Symmetry
from solver.games.mnk import MNK
from solver.proof.packed.rules import CheckedRules
from solver.proof.packed.symmetry import problems_of_classes, problems_of_other_actions
from solver.rules.check import check
from tests.support.games.false_symmetry import Mapped
from tests.support.solved import solving


@pytest.mark.parametrize(
    ("maps", "by_class", "is_proved"),
    [
        (((1, 0, 2), (0, 1, 2)), True, True),
        (((1, 0, 2), (0, 2, 1)), False, False),  # 2 is an image of 1, and none of 0
        (((1, 0, 0), (2, 0, 0)), False, True),
        (((1, 0, 0), (2, 0, 0)), True, False),  # 2 is an image of 0, and none of 1
    ],
)
def test_images_not_symmetric_to_each_other_are_reported(
    maps: tuple[tuple[int, ...], ...], *, by_class: bool, is_proved: bool
) -> None:
    game = Mapped(3, 1, (0, 1, 2), (0, 0, 0), (0, 0, 0), tells=False, maps=maps)
    rules, keys = CheckedRules(game, 0, 1, layered=False, by_class=by_class), np.zeros(4, np.int64)
    problems = [*problems_of_classes(rules, keys, rules.images(keys), 0, is_terminal=False)]
    assert (problems == []) == is_proved, problems
    words = "the states symmetric to it are not all symmetric to each other"
    assert all(words in problem for problem in problems)


def test_unmatched_move_of_an_image_is_reported() -> None:
    children = (2, -1, 3, 3, -1, -1, -1, -1)  # 1, the image of 0, has a move more
    game = Mapped(4, 2, children, (0,) * 4, (0,) * 4, tells=False, maps=((1, 0, 3, 2),))
    rules, keys = CheckedRules(game, 0, 1, layered=False, by_class=False), np.zeros(1, np.int64)
    images = rules.images(keys)
    assert [*problems_of_other_actions(rules, keys, images, 0, [0, 1])] == []
    (problem,) = problems_of_other_actions(rules, keys, images, 0, [0])
    assert problem == "the position '0': no move matches the move 1 in its image"


class Generated(MNK):
    """Rules that yield their symmetries, each time anew."""

    def symmetries(self) -> Iterator[Symmetry[int, int]]:  # type: ignore[override]
        yield from super().symmetries()


@pytest.mark.parametrize("layout", ["readable", "packed"])
def test_symmetries_may_be_a_generator(layout: str) -> None:
    game: Any = Generated(2, 2, 2)
    assert check(game).faults == ()
    with solving(game, fold=True, layout=layout) as db:
        db.game = game
        assert verify_database(db) == []
        assert [flaw_of(certificate, game) for certificate in certify(db)] == [None, None]
