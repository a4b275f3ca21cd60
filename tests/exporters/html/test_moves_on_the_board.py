"""Moves made on the boards of pages in a browser, by clicks on cells and by keys."""

import re
from typing import Any, ClassVar
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from exporters.html.plan_page import render as render_plan
from solver import Database, load_game
from solver.database.wording import result
from tests.exporters.html.conftest import Visit, cell
from tests.exporters.support.families import page_of
from tests.exporters.support.small_plans import Handmade, plan


def opened(visit: Visit, html: str, position: str | None = None) -> Page:
    """A page at a position, with both sides played by the person."""
    page = visit(html, "" if position is None else f"#p={quote(position)}")
    page.get_by_label("You play").select_option("both sides")
    return page


REACHED = """async ([text, most]) => {
  const by = (id) => document.getElementById(id);
  const begin = () => {
    history.replaceState(null, "", "#p=" + encodeURIComponent(text));
    dispatchEvent(new HashChangeEvent("hashchange"));
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  };
  const cells = (kind) => [...document.querySelectorAll(kind)].map((each) => each.dataset.cell);
  const click = (cell) => document.querySelector(`[data-cell="${cell}"]`).click();
  const found = new Set();
  const explore = (clicked) => {
    begin();
    clicked.forEach(click);
    if (by("position").value !== text) return void found.add(by("position").value);
    if (clicked.length && cells(".picked").join() !== clicked.join()) return;
    const goOn = cells(".open");
    if (clicked.length < most) for (const cell of goOn) explore([...clicked, cell]);
  };
  explore([]);
  return [...found].sort();
}"""


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("mnk", {"rows": 3, "columns": 2, "k": 3}),
        ("hexapawn", {}),
        ("ponghauki", {}),
        ("quixo", {"rows": 2, "columns": 3, "k": 3}),
        ("nim", {"heaps": (2, 2, 3)}),
        ("kayles", {"n": 5}),
        ("chomp", {}),
        ("domineering", {}),
        ("dots-and-boxes", {"rows": 1, "columns": 2}),
        ("connect", {"rows": 3, "columns": 3, "k": 3}),
        ("othello", {"rows": 2, "columns": 4}),
        ("morris", {"variant": "tsoro-yematatu"}),
    ],
)
def test_every_move_can_be_made_on_the_board(
    solved: Any, explorer: Any, visit: Visit, name: str, parameters: dict[str, Any]
) -> None:
    db = solved(name, parameters)
    page, texts = opened(visit, explorer(name, parameters)), list(db.non_terminal())
    for text in texts[:: max(1, len(texts) // 3)]:
        made = {move.position for move in db[text].moves if move.move != "pass"}
        assert page.evaluate(REACHED, [text, 2]) == sorted(made)


class Shapes(Handmade):
    """Fill three cells or all four."""

    cell_names: ClassVar[list[str]] = ["ab", "cd"]


def test_multi_cell_move_accepts_its_cells_in_any_order(visit: Visit) -> None:
    fills = {name: name for name in ("abc", "abcd", "bcd")}
    boards = {
        text: [["o" * (name in text) for name in row] for row in Shapes.cell_names] for text in ("-", *fills)
    }
    html = render_plan(plan(Shapes({"-": (0, fills), **dict.fromkeys(fills, 1)}, boards), {}, owner=1))
    for clicks, said in (("cadb", "plays abcd"), ("cabb", "plays abc"), ("dcbb", "plays bcd"), ("add", "")):
        page = opened(visit, html)
        for name in clicks:
            cell(page, *divmod("abcd".index(name), 2)).click()
        expect(page.locator("#said")).to_contain_text(said)


def test_chosen_piece_shows_its_moves_and_their_outcomes(solved: Any, explorer: Any, visit: Visit) -> None:
    db = solved("hexapawn")
    entry = db["bbb/w../.ww black"]
    page = opened(visit, explorer("hexapawn"), entry.position)
    assert page.locator(".arrows g").count() == len(entry.moves) == 3
    assert page.locator(".arrows g.best").count() == sum(move.best for move in entry.moves)
    assert page.locator("#board .chip").count() == 0
    cell(page, 0, 1).click()
    assert page.locator(".arrows g").count() == 2
    expect(cell(page, 0, 1)).to_have_attribute("aria-label", "row 1, column 2: b, chosen")
    (taking,) = (move for move in entry.moves if move.move == "b3xa2")
    outcome = f"{taking.outcome} in {taking.remoteness} plies"
    expect(cell(page, 1, 0)).to_have_attribute(
        "aria-label", re.compile(rf"^row 2, column 1: w, played last, play b3xa2, {outcome}")
    )
    assert page.evaluate("document.activeElement.dataset.cell") == "0 1"
    page.keyboard.press("Escape")
    expect(page.locator(".picked")).to_have_count(0)
    page.get_by_label("Show what each move leads to").uncheck()
    assert page.locator(".arrows").count() == 0


def test_digit_key_makes_the_move_of_that_name(explorer: Any, visit: Visit) -> None:
    page = opened(visit, explorer("tictactoe", start="x...o...."))
    page.keyboard.press("8")
    expect(page.locator("#said")).to_have_text("x plays 8.")
    page.keyboard.press("8")
    page.keyboard.press("9")
    page.keyboard.press("Control+1")
    page.locator("#position").press("1")
    assert page.locator("#said").inner_text() == "x plays 8."
    page.locator("#values").press("1")
    expect(page.locator("#said")).to_have_text("o plays 1.")


def test_arrow_keys_move_the_focus_between_points(explorer: Any, visit: Visit) -> None:
    page = opened(visit, explorer("ponghauki"))
    cell(page, 0, 0).focus()
    seen = []
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
        seen.append(page.evaluate("document.activeElement.dataset.cell"))
    assert seen == ["1 1", "2 0", "2 2", "1 1", "0 0", "0 2", "0 2"]
    cell(page, 2, 0).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("x plays 3-2.")


@pytest.mark.parametrize(
    ("name", "parameters", "columns", "rows", "cells"),
    [
        ("hexapawn", {}, "a b c", "3 2 1", ""),
        ("quixo", {"rows": 2, "columns": 3, "k": 3}, "a b c", "1 2", ""),
        ("connect", {"rows": 2, "columns": 3, "k": 2}, "0 1 2", "", ""),
        ("kayles", {"n": 3}, "0 1 2", "", ""),
        ("mnk", {"rows": 2, "columns": 2, "k": 2}, "", "", "0 1 2 3"),
        ("ponghauki", {}, "", "", "2"),
        ("chomp", {"rows": 2, "columns": 2}, "", "", ""),
    ],
)
def test_cell_names_are_shown(
    visit: Visit, name: str, parameters: dict[str, Any], columns: str, rows: str, cells: str
) -> None:
    page = opened(visit, page_of(load_game(name, parameters)))
    for selector, names in ((".files span", columns), (".ranks span", rows), (".cell-name", cells)):
        assert " ".join(page.locator(selector).all_text_contents()) == names


@pytest.mark.parametrize(
    ("name", "parameters"), [("morris", {}), ("morris", {"variant": "tsoro-yematatu"}), ("ponghauki", {})]
)
def test_point_names_do_not_cover_lines(visit: Visit, name: str, parameters: dict[str, Any]) -> None:
    """By the points of each way, at every hundredth of it."""
    page = opened(visit, page_of(load_game(name, parameters)))
    assert page.locator(".cell-name").count()
    assert not page.locator(".ways line").evaluate_all("""(lines) => lines.flatMap((line) =>
        [...Array(101).keys()].flatMap((at) => {
            const point = line.getPointAtLength((at / 100) * line.getTotalLength());
            const { x, y } = point.matrixTransform(line.getScreenCTM());
            return [...document.querySelectorAll(".cell-name")].filter((name) => {
                const box = name.getBoundingClientRect();
                return x > box.left && x < box.right && y > box.top && y < box.bottom;
            }).map((name) => name.textContent);
        }))""")


def test_boards_follow_the_layout_of_their_games(explorer: Any, visit: Visit) -> None:
    page = opened(visit, explorer("dots-and-boxes", {"rows": 1, "columns": 2}), "-./|../.. +0 first")
    sizes = {
        at: page.locator(f'[data-cell="{at}"]').evaluate("(each) => [each.clientWidth, each.clientHeight]")
        for at in ("0 0", "0 1", "1 0", "1 1")
    }
    assert abs(sizes["0 1"][0] - 3 * sizes["0 0"][0]) <= 3
    assert abs(sizes["1 0"][1] - 3 * sizes["0 0"][1]) <= 3
    assert abs(sizes["1 1"][0] - sizes["1 1"][1]) <= 3
    assert page.locator(".mark.full:not(.ghost)").count() == 6 + 2
    game = load_game("ponghauki")
    page = opened(visit, explorer("ponghauki"))
    assert page.locator(".ways line").count() == len(game.look.ways)
    assert page.locator(".cell").count() == page.locator(".ways circle").count() == 5
    page = opened(visit, explorer("morris", {"variant": "tsoro-yematatu"}))
    middles = page.evaluate(
        "[...document.querySelectorAll('.row')].map((row) => [...row.children].map((each) => "
        "(each.getBoundingClientRect().left + each.getBoundingClientRect().right) / 2))"
    )
    assert abs(middles[0][0] - middles[1][1]) < 2


def test_line_shows_the_value_of_each_move(tictactoe: Database, game_page: str, visit: Visit) -> None:
    page = opened(visit, game_page)
    for number in (0, 1, 3):  # o's reply loses, x's next move wins
        cell(page, *divmod(number, 3)).click()
    steps = page.locator("#line button")
    assert [
        re.sub(" .*", "", item) for item in steps.evaluate_all("(all) => all.map((a) => a.className)")
    ] == [*("", "draw", "loss", "win")]
    (mistake,) = (move for move in tictactoe["x........"].moves if move.move == 1)
    assert steps.nth(2).get_attribute("aria-label") == (
        f"after ply 2, 1, {result(mistake.outcome, mistake.remoteness)}, a mistake: it had a draw"
    )
    assert page.locator("#line .mistake").count() == 1
    curve = page.get_by_role("img")
    plies = [tictactoe[text].remoteness for text in (".........", "x........", "xo.......", "xo.x.....")]
    said = ", ".join("draw" if ply is None else str(ply) for ply in plies)
    expect(curve).to_have_attribute("aria-label", f"Plies to the end, step by step: {said}")
    page.get_by_label("Show what each move leads to").uncheck()
    assert page.locator("#line .mistake, #line .win, #line .loss, .curve").count() == 0


def test_hidden_answers_stay_hidden_in_links(game_page: str, visit: Visit) -> None:
    page = visit(game_page, "#p=xo..x....&answers=hidden")
    expect(page.locator("#standing")).to_have_text("o to move")
    assert page.locator("#answer").is_hidden()
    assert page.locator(".chip").count() == 0
    cell(page, 2, 2).click()
    expect(page.locator("#standing")).to_have_text("x to move")
    assert page.url.endswith("&answers=hidden")
    page.go_back()
    expect(page.locator("#position")).to_have_value("xo..x....")
    assert page.locator(".chip").count() == 0
    page.get_by_label("Show what each move leads to").check()
    expect(page.locator("#answer")).to_have_text("At the start, x to move: draw.")
    assert page.url.endswith("#p=xo..x....")
    page.get_by_label("Show what each move leads to").uncheck()
    assert page.url.endswith("#p=xo..x....&answers=hidden")
    page.reload()
    expect(page.locator("#standing")).to_have_text("o to move")
    page = visit(game_page, "#answers=hidden")
    expect(page.locator("#standing")).to_have_text("x to move")


def test_settings_do_not_shift_as_moves_become_fewer(game_page: str, visit: Visit) -> None:
    page = opened(visit, game_page)
    place = "document.querySelector('#side').getBoundingClientRect().top + scrollY"
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.get_by_role("button", name="New game").click()
        tops = {page.evaluate(place)}
        for number in (4, 0, 2, 6, 8):
            cell(page, *divmod(number, 3)).click()
            tops.add(page.evaluate(place))
        assert len(tops) == 1


def test_move_may_lead_to_a_position_without_board(visit: Visit) -> None:
    handmade = Handmade({"a": (0, {"on": "b"}), "b": 1}, {"a": [["x", ""]]})
    page = opened(visit, render_plan(plan(handmade, {"a": "on"})))
    page.get_by_role("button", name="New game").click()  # the plan may have moved already
    expect(cell(page, 0, 0)).to_have_attribute("aria-label", "row 1, column 1: x")
    page.locator("#moves button").click()
    expect(page.locator("#standing")).to_have_text("The game is over: first has won")
    expect(page.locator("#board")).to_have_text("b")
