import re

import pytest

import solver
from exporters.svg.plan_map import page as plan_map
from exporters.svg.plan_map.drawing import MAP_CSS, SMALLEST, sheet_for
from exporters.svg.rendering import rendered
from solver.errors import NotLegible
from solver.plans.plan import Plan
from tests.support.solved import solved


def test_what_is_too_small_is_refused_with_advice_that_works() -> None:
    with solved("connect", {"rows": 4, "columns": 3, "k": 3}) as db:
        connect = solver.make_plan(db)
    with pytest.raises(NotLegible, match="cannot be read") as refusal:
        plan_map.render(connect)
    advised = re.search(r"--depth (\d+)", str(refusal.value))
    assert advised
    depth = int(advised[1])
    assert plan_map.legible_depth(connect) == depth
    assert "goes on" in plan_map.render(connect, depth)
    with pytest.raises(NotLegible):
        plan_map.render(connect, depth + 1)


def test_more_boards_than_a_browser_can_show_are_refused(
    whole_plans: dict[str, Plan], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan_map, "MAX_BOARDS", 100)
    with pytest.raises(NotLegible, match="use --depth 5, a later position"):
        plan_map.render(whole_plans["o"])
    assert plan_map.render(whole_plans["o"], 5).count("<title>") == 1 + 1 + 9 + 9 * 7
    monkeypatch.setattr(plan_map, "MAX_BOARDS", 9)
    with pytest.raises(NotLegible, match="use a later position, or --format json"):
        plan_map.render(whole_plans["o"])


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (4, 3), (3, 4), (6, 7), (1, 9), (9, 1), (1, 1)])
def test_no_cell_is_smaller_than_what_can_be_read(rows: int, columns: int) -> None:
    sheet = sheet_for([[""] * columns] * rows)
    assert sheet.side * sheet.scale ** (sheet.levels - 1) >= SMALLEST
    assert sheet.scale == pytest.approx(0.96) or sheet.side * sheet.scale**sheet.levels < SMALLEST
    assert sheet.columns * sheet.side <= sheet.width
    assert sheet.height <= {297: 420, 420: 297}[sheet.width]


def test_the_lines_of_a_map_keep_the_width_of_their_level() -> None:
    """A style that gives all paths of a board a width would make them as thick as marks."""
    assert not re.search(r"\.(board|map) path\{[^}]*stroke(-width)?:", MAP_CSS)


def test_stones_played_before_are_grey_in_bitmaps_too() -> None:
    black, red, white = (
        rendered(
            f'<svg xmlns="http://www.w3.org/2000/svg" class="board map" width="9" height="9"><style>{MAP_CSS}'
            f'</style><path class="{paint} stone old" d="M1 1h7v7h-7z"/></svg>',
            "png",
        )
        for paint in ("black", "red", "white")
    )
    assert black == red != white
