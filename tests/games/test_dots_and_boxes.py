from functools import cache
from itertools import product
from typing import Any

import pytest

from solver.games.dots_and_boxes import DotsAndBoxes
from tests.support.graphs import solved_graph
from tests.support.published import expected


def net_by_definition(rows: int, columns: int) -> int:
    """What the player to move wins by on an empty board, lines as pairs of dots."""
    dots = [*product(range(rows + 1), range(columns + 1))]
    lines = {(a, b) for a in dots for b in dots if (b[0] - a[0], b[1] - a[1]) in ((0, 1), (1, 0))}
    corners = [{*product((r, r + 1), (c, c + 1))} for r in range(rows) for c in range(columns)]
    boxes = [{line for line in lines if {*line} <= box} for box in corners]

    @cache
    def net(drawn: frozenset[Any]) -> int:
        best = []
        for line in lines - drawn:
            gain = sum(line in box and box <= drawn | {line} for box in boxes)
            best.append(gain + net(drawn | {line}) if gain else -net(drawn | {line}))
        return max(best, default=0)

    return net(frozenset())


@pytest.mark.parametrize(
    ("rows", "columns"), [(1, 1), (1, 2), (1, 3), (2, 2), pytest.param(2, 3, marks=pytest.mark.slow)]
)
def test_boards_have_the_published_margin(rows: int, columns: int) -> None:
    game, margin = DotsAndBoxes(columns, rows), expected(f"dots-and-boxes rows={rows} columns={columns}")
    if rows != columns:  # others are solved as boards of OpenSpiel
        assert solved_graph(game).nodes[game.initial]["value"] == margin["value"]
    assert rows * columns > 4 or net_by_definition(rows, columns) == margin["value"]
