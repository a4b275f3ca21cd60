import re

import pytest

import solver
from exporters.svg.plan_map import page as plan_map
from exporters.svg.plan_map.drawing import MAP_CSS, SMALLEST, sheet_for
from exporters.svg.rendering import rendered
from solver.errors import NotLegible
from solver.plans.plan import Plan
from tests.support.solved import solved


def test_too_small_boards_are_refused_with_legible_depth() -> None:
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


def test_too_many_boards_are_refused(whole_plans: dict[str, Plan], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_map, "MAX_BOARDS", 100)
    with pytest.raises(NotLegible, match="use --depth 5, a later position"):
        plan_map.render(whole_plans["o"])
    assert plan_map.render(whole_plans["o"], 5).count("<title>") == 1 + 1 + 9 + 9 * 7
    monkeypatch.setattr(plan_map, "MAX_BOARDS", 9)
    with pytest.raises(NotLegible, match="use a later position, or --format json"):
        plan_map.render(whole_plans["o"])


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (4, 3), (3, 4), (6, 7), (1, 9), (9, 1), (1, 1)])
def test_cells_are_never_smaller_than_legible(rows: int, columns: int) -> None:
    sheet = sheet_for([[""] * columns] * rows)
    assert sheet.side * sheet.scale ** (sheet.levels - 1) >= SMALLEST
    assert sheet.scale == pytest.approx(0.96) or sheet.side * sheet.scale**sheet.levels < SMALLEST
    assert sheet.columns * sheet.side <= sheet.width
    assert sheet.height <= {297: 420, 420: 297}[sheet.width]


def test_map_style_sets_no_common_line_width() -> None:
    """A style that gives all paths of a board a width would make them as thick as marks."""
    assert not re.search(r"\.(board|map) path\{[^}]*stroke(-width)?:", MAP_CSS)


def test_old_stones_are_grey_in_bitmaps() -> None:
    black, red, white = (
        rendered(
            f'<svg xmlns="http://www.w3.org/2000/svg" class="board map" width="9" height="9"><style>{MAP_CSS}'
            f'</style><path class="{paint} stone old" d="M1 1h7v7h-7z"/></svg>',
            "png",
        )
        for paint in ("black", "red", "white")
    )
    assert black == red != white
