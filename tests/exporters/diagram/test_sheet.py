import pytest

from exporters.diagram import page_layout
from exporters.diagram.page_layout import in_rows, scale_on_paper

BOARD = (71.0, 75.0)
"""About a board of tic-tac-toe, in points."""

O_PLAN = (1, 9, 9, 35, 35, 132, 84, 83, 46, 11)
"""The positions by ply of the smallest plan with which o never loses at tic-tac-toe."""


def plies(*sizes: int) -> list[list[str]]:
    return [[f"{ply} {number}" for number in range(size)] for ply, size in enumerate(sizes)]


@pytest.mark.parametrize("sizes", [(1,), (1, 9, 8), O_PLAN, (1, 599)])
def test_each_board_is_in_one_row_of_its_ply(sizes: tuple[int, ...]) -> None:
    rows = in_rows(plies(*sizes), BOARD)
    assert [sorted(board for row in ply for board in row) for ply in rows] == [
        sorted(ply) for ply in plies(*sizes)
    ]
    assert all(row for ply in rows for row in ply)


def test_what_fits_a_sheet_has_one_row_a_ply() -> None:
    assert [len(ply) for ply in in_rows(plies(1, 3, 3, 9, 9), BOARD)] == [1] * 5


def test_a_wide_ply_is_folded_until_the_sheet_is_filled() -> None:
    rows = in_rows(plies(*O_PLAN), BOARD)
    width = max(len(row) for ply in rows for row in ply) * BOARD[0]
    height = sum(len(ply) for ply in rows) * BOARD[1]
    assert 1 / 2 < width / height < 2


def test_neighbours_stay_near_each_other() -> None:
    (row, *_) = in_rows(plies(*O_PLAN), BOARD)[5]
    assert [int(board.split()[1]) for board in row] == list(range(0, 132, -(-132 // len(row))))


@pytest.mark.parametrize(
    ("width", "height", "text", "expected"),
    [
        (500, 700, 10, (500, 700)),
        (1100, 790, 10, (1100, 790)),  # as it is, upright or level
        (790, 1100, 10, (790, 1100)),
        (1500, 1000, 10, (1150, 767)),
        (1000, 1500, 10, (767, 1150)),
        (3658, 2470, 16, (1150, 777)),  # the o plan, with text of 5 points
        (3658, 2470, 10, (1150 * 2, 777 * 2)),  # A2 would be too small
        (9000, 9000, 10, (802 * 8**0.5, 802 * 8**0.5)),  # there is no larger one than A0
    ],
)
def test_the_sheet_is_the_smallest_on_which_the_text_can_be_read(
    width: float, height: float, text: float, expected: tuple[float, float]
) -> None:
    scale = scale_on_paper(width, height, text)
    assert (width * scale, height * scale) == pytest.approx(expected, abs=1)


def test_sheets_are_of_the_sizes_of_the_standard() -> None:
    # ISO 216: A3 is 297 mm by 420 mm
    edges = (page_layout.SHORT + 40, page_layout.LONG + 40)
    assert [points / 72 * 25.4 for points in edges] == pytest.approx((297, 420), abs=0.5)
