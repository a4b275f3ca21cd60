"""Solved boards of quixo, held against published results."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt
import pytest

from solver.game import outcome_of
from solver.games.quixo import Quixo
from solver.packed import Packed
from tests.support.graphs import solved_graph
from tests.support.numbered import solved_in_memory
from tests.support.published import expected, published


@dataclass(frozen=True)
class Marked(Quixo):
    """Play begins on any board with so many marks of each side, one of each class, whoever is to move."""

    x: int = 0
    o: int = 0

    @property
    def initial(self) -> int:
        return self.starts[0]

    def initial_states(self) -> list[int]:
        return self.starts

    @cached_property
    def starts(self) -> list[int]:
        every = {*range(self.cells)}
        boards = np.array(
            [
                self.bits(1, xs) | self.bits(1 + self.cells, os)
                for xs in combinations(every, self.x)
                for os in combinations(every - {*xs}, self.o)
            ]
        )
        least = np.unique(np.min(images(self, boards), axis=0))
        return [*least.tolist(), *(least | 1).tolist()]

    def states_at_most(self) -> int:
        blanks = self.cells - self.x - self.o
        more = [(x, o) for x in range(blanks + 1) for o in range(blanks + 1 - x)]
        boards = (comb(self.cells, self.x + x) * comb(self.cells - self.x - x, self.o + o) for x, o in more)
        return 2 * sum(boards)

    def bits(self, first: int, cells: Iterable[int]) -> int:
        return sum(1 << (first + cell) for cell in cells)


def images(game: Quixo, states: Packed) -> npt.NDArray[np.int64]:
    """The states and their images under the symmetries, a row for each of these."""
    return np.array([states, *(symmetry.state(states) for symmetry in game.symmetries())])


def orbits(game: Quixo, states: Packed) -> list[int]:
    """The number of states symmetric to each, itself included."""
    every = images(game, states)
    sizes: list[int] = (len(every) // np.count_nonzero(every == states, axis=0)).tolist()
    return sizes


def outcomes(game: Marked) -> dict[int, Counter[str]]:
    """By the side to move: how many of all boards with as many marks are won, drawn and lost for it."""
    actual, labels = solved_in_memory(game, fold=True)
    states, values = np.array(actual.states[: actual.starts]), labels.values[: actual.starts]
    counts: dict[int, Counter[str]] = {0: Counter(), 1: Counter()}
    for side, value, size in zip((states & 1).tolist(), values.tolist(), orbits(game, states), strict=True):
        counts[side][outcome_of(value, side)] += size
    return counts


MARKS = [(20, 5), *(pytest.param(*item, marks=pytest.mark.slow) for item in ((18, 7), (19, 5)))]


@pytest.mark.parametrize(("x", "o"), MARKS)
def test_boards_with_many_marks_are_won_and_lost_as_published(x: int, o: int) -> None:
    """The rows of the table are for o to move; for x the marks are exchanged."""
    table = {tuple(row[:2]): row[2:] for row in published()["quixo_5x5"]["x_o_win_loss_draw"]}
    actual = outcomes(Marked(x=x, o=o))
    for side, marks in ((1, (x, o)), (0, (o, x))):
        assert [actual[side][outcome] for outcome in ("win", "loss", "draw")] == table[marks]


def test_the_first_player_wins_three_by_three() -> None:
    known, game = expected("quixo rows=3 columns=3 k=3"), Quixo(3, 3, 3)
    graph = solved_graph(game, fold=True)
    start = graph.nodes[game.initial]
    assert sum(orbits(game, np.array(list(graph)))) == known["states"]
    assert (start["value"], start["remoteness"]) == (known["value"], known["remoteness_of_start"])
