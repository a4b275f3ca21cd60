from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations

import pytest

from solver.games.teeko import Teeko
from tests.support.graphs import hold_all
from tests.support.plain_retrograde import Plain, hold_play
from tests.support.published import published

Cell = tuple[int, int]
SIDES = ("black", "red")


def stones(board: str, mark: str) -> set[Cell]:
    return {(r, c) for r, row in enumerate(board.split("/")) for c, item in enumerate(row) if item == mark}


def replaced(board: str, marks: dict[Cell, str]) -> str:
    rows = enumerate(board.split("/"))
    return "/".join("".join(marks.get((r, c), item) for c, item in enumerate(row)) for r, row in rows)


def plain_children(state: Plain) -> Iterator[Plain]:
    """A fifth stone of either side is never placed."""
    board, side = state
    own, free, other = stones(board, side[0]), stones(board, "."), SIDES[1 - SIDES.index(side)]
    if len(own) < 4:
        yield from ((replaced(board, {cell: side[0]}), other) for cell in free)
    else:
        for left in own:
            for entered in free:
                if max(abs(left[0] - entered[0]), abs(left[1] - entered[1])) == 1:
                    yield (replaced(board, {left: ".", entered: side[0]}), other)


def wins(cells: Iterable[Cell], *, advanced: bool) -> bool:
    """Whether four cells are a line or a square, by the distances between them."""
    corners = sorted(cells)
    if len(corners) < 4:
        return False
    (r, c), *others = corners
    steps = {(a - r, b - c) for a, b in others}
    sizes = range(1, 5 if advanced else 2)
    lines = [{(n * down, n * right) for n in (1, 2, 3)} for down, right in ((0, 1), (1, -1), (1, 0), (1, 1))]
    return steps in lines or any(steps == {(0, n), (n, 0), (n, n)} for n in sizes)


def plain_winner(state: Plain, *, advanced: bool) -> int | None:
    board, side = state
    last = 1 - SIDES.index(side)
    if wins(stones(board, SIDES[last][0]), advanced=advanced) or not any(plain_children(state)):
        return last
    return None


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(Teeko(3, 3), marks=pytest.mark.slow),
        Teeko(3, 3, advanced=True),
        pytest.param(Teeko(4, 3), marks=pytest.mark.slow),
        pytest.param(Teeko(3, 4, advanced=True), marks=pytest.mark.slow),
    ],
)
def test_labels_equal_brute_force(game: Teeko) -> None:
    hold_all(game, SIDES, partial(plain_winner, advanced=game.advanced), plain_children)


@pytest.mark.parametrize("game", [Teeko(), Teeko(advanced=True), Teeko(3, 7), Teeko(6, 4, advanced=True)])
def test_moves_equal_independent_rules(game: Teeko) -> None:
    winner = partial(plain_winner, advanced=game.advanced)
    hold_play(game, winner, plain_children, games=5, plies=40)


@pytest.mark.parametrize("advanced", [False, True])
def test_number_of_winning_configurations_is_the_published_one(advanced: bool) -> None:
    game, configurations = Teeko(advanced=advanced), 0
    for cells in combinations(range(25), 4):
        won = game.is_terminal(game.state(1, ["b" if cell in cells else "." for cell in range(25)]))
        assert won == wins([divmod(cell, 5) for cell in cells], advanced=advanced)
        configurations += won
    assert configurations == published()["teeko"]["winning_configurations"][advanced]
