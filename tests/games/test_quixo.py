"""Quixo against brute force on rows of texts, and against published results."""

from collections import Counter
from collections.abc import Iterator
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
from tests.support.graphs import hold_all, solved_graph
from tests.support.numbered import solved_in_memory
from tests.support.plain_retrograde import Plain, hold_play
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
        xs = [1 << 1 + cell for cell in range(self.cells)]
        boards = [
            sum(own) | sum(other) << self.cells
            for own in combinations(xs, self.x)
            for other in combinations({*xs} - {*own}, self.o)
        ]
        least = np.unique(np.min(images(self, np.array(boards)), axis=0))
        return [*least.tolist(), *(least | 1).tolist()]

    def states_at_most(self) -> int:
        blanks = self.cells - self.x - self.o
        more = [(x, o) for x in range(blanks + 1) for o in range(blanks + 1 - x)]
        boards = (comb(self.cells, self.x + x) * comb(self.cells - self.x - x, self.o + o) for x, o in more)
        return 2 * sum(boards)


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
def test_outcomes_of_5x5_with_many_marks_are_published_ones(x: int, o: int) -> None:
    """The rows of the table are for o to move; for x the marks are exchanged."""
    table = {tuple(row[:2]): row[2:] for row in published()["quixo_5x5"]["x_o_win_loss_draw"]}
    actual = outcomes(Marked(x=x, o=o))
    for side, marks in ((1, (x, o)), (0, (o, x))):
        assert [actual[side][outcome] for outcome in ("win", "loss", "draw")] == table[marks]


def test_3x3_has_the_published_value_and_states() -> None:
    known, game = expected("quixo rows=3 columns=3 k=3"), Quixo(3, 3, 3)
    graph = solved_graph(game, fold=True)
    start = graph.nodes[game.initial]
    assert sum(orbits(game, np.array(list(graph)))) == known["states"]
    assert (start["value"], start["remoteness"]) == (known["value"], known["remoteness_of_start"])


def transposed(rows: list[str]) -> list[str]:
    return ["".join(column) for column in zip(*rows, strict=True)]


def pushed_rows(rows: list[str], own: str) -> Iterator[list[str]]:
    """The boards after a cube of the border is taken and pushed in at an end of its row."""
    for at, row in enumerate(rows):
        last = len(row) - 1
        for taken, cube in enumerate(row):
            if cube in (own, ".") and (at in (0, len(rows) - 1) or taken in (0, last)):
                left = row[:taken] + row[taken + 1 :]
                if taken != 0:
                    yield [*rows[:at], own + left, *rows[at + 1 :]]
                if taken != last:
                    yield [*rows[:at], left + own, *rows[at + 1 :]]


def plain_children(state: Plain) -> set[Plain]:
    board, own = state
    rows = board.split("/")
    boards = list(pushed_rows(rows, own))
    boards += [transposed(board) for board in pushed_rows(transposed(rows), own)]
    return {("/".join(board), "xo"[own == "x"]) for board in boards}


def has_row(board: str, mark: str, k: int) -> bool:
    marked = {(r, c) for r, row in enumerate(board.split("/")) for c, cube in enumerate(row) if cube == mark}
    return any(
        all((r + down * n, c + right * n) in marked for n in range(k))
        for r, c in marked
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def plain_winner(state: Plain, k: int) -> int | None:
    """A row of the player to move counts first: the other has just completed it."""
    board, side = state
    return next(("xo".index(mark) for mark in (side, "xo"[side == "x"]) if has_row(board, mark, k)), None)


LARGER = [pytest.param(*item, marks=pytest.mark.slow) for item in ((2, 4, 3), (4, 2, 4), (3, 3, 3))]


@pytest.mark.parametrize(("rows", "columns", "k"), [(2, 2, 2), (2, 3, 2), (2, 3, 3), (3, 2, 3), *LARGER])
def test_labels_equal_brute_force(rows: int, columns: int, k: int) -> None:
    game = Quixo(rows, columns, k)
    hold_all(game, "xo", lambda state: plain_winner(state, k), plain_children)


@pytest.mark.parametrize("game", [Quixo(), Quixo(4, 4, 4), Quixo(3, 5, 3), Quixo(5, 3, 4), Quixo(3, 3, 2)])
def test_moves_equal_independent_rules(game: Quixo) -> None:
    hold_play(game, lambda state: plain_winner(state, game.k), plain_children, games=10, plies=60)
