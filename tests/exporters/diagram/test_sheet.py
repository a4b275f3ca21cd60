import pytest

from exporters.diagram import page_layout
from exporters.diagram.page_layout import A3, in_rows, scale_on

BOARD = (71.0, 75.0)
"""About a board of tic-tac-toe, in points."""

O_PLAN = (1, 9, 9, 35, 35, 132, 84, 83, 46, 11)
"""The positions by ply of the smallest plan with which o never loses at tic-tac-toe."""


def plies(*sizes: int) -> list[list[str]]:
    return [[f"{ply} {number}" for number in range(size)] for ply, size in enumerate(sizes)]


@pytest.mark.parametrize("sizes", [(1,), (1, 9, 8), O_PLAN, (1, 599)])
def test_each_board_is_in_one_row_of_its_ply(sizes: tuple[int, ...]) -> None:
    rows = in_rows(plies(*sizes), BOARD, few=False)
    assert [sorted(board for row in ply for board in row) for ply in rows] == list(map(sorted, plies(*sizes)))
    assert all(row for ply in rows for row in ply)


def test_plies_that_fit_the_sheet_have_one_row_each() -> None:
    assert [len(ply) for ply in in_rows(plies(1, 3, 3, 9, 9), BOARD, few=False)] == [1] * 5


def test_wide_plies_are_split_into_rows_to_fill_the_sheet() -> None:
    rows = in_rows(plies(*O_PLAN), BOARD, few=False)
    width = max(len(row) for ply in rows for row in ply) * BOARD[0]
    height = sum(len(ply) for ply in rows) * BOARD[1]
    assert 1 / 2 < width / height < 2


def test_boards_of_a_split_ply_are_placed_column_by_column() -> None:
    (row, *_) = in_rows(plies(*O_PLAN), BOARD, few=False)[5]
    assert [int(board.split()[1]) for board in row] == list(range(0, 132, -(-132 // len(row))))


@pytest.mark.parametrize(
    ("width", "height", "expected"),
    [
        (500, 700, (500, 700)),
        (1100, 790, (1100, 790)),  # as it is, upright or level
        (790, 1100, (790, 1100)),
        (1500, 1000, (1150, 767)),
        (1000, 1500, (767, 1150)),
        (3658, 2470, (1150, 777)),
        (9000, 9000, (802, 802)),
    ],
)
def test_only_pictures_larger_than_the_sheet_are_shrunk(
    width: float, height: float, expected: tuple[float, float]
) -> None:
    scale = scale_on(A3, (width, height))
    assert (width * scale, height * scale) == pytest.approx(expected, abs=1)


def test_sheet_sizes_follow_iso_216() -> None:
    # ISO 216: A3 is 297 mm by 420 mm, A4 210 mm by 297 mm
    for sheet, edges in ((page_layout.A3, (297, 420)), (page_layout.A4, (210, 297))):
        assert [(points + 40) / 72 * 25.4 for points in sheet] == pytest.approx(edges, abs=0.5)
