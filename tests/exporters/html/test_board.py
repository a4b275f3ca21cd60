"""The board of a page: its size, the tiles and hands beside it, and the signs of moves in its cells."""

import pytest
from playwright.sync_api import expect

from solver import load_game
from tests.exporters.html.conftest import Visit, box, cell
from tests.exporters.html.test_colours_of_men import contrast
from tests.exporters.support.families import made_up, of_family, page_of
from tests.exporters.svg.test_marks import STEPS


@pytest.mark.parametrize("name", ["chess-ending", "connect", "dobutsu", "morris-six", "ponghauki"])
def test_controls_below_a_tall_board_are_in_view(visit: Visit, name: str) -> None:
    game, entry = of_family(name)
    if name == "connect":
        game = load_game("connect", {"rows": 8, "columns": 4})
        entry = made_up(game)
    for height in (900, 640):
        page = visit(page_of(game, entry), viewport={"width": 1280, "height": height})
        for button in ("Step back", "New game"):
            expect(page.get_by_role("button", name=button)).to_be_in_viewport(ratio=1)
        if height == 900:
            assert box(page.locator(".board"))[3] < box(page.locator(".controls"))[1] < height
            assert box(page.locator(".board"))[3] - box(page.locator(".board"))[1] > 300


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_dobutsu_pieces_are_tiles_that_show_their_steps(visit: Visit, scheme: str) -> None:
    page = visit(page_of(*of_family("dobutsu")), color_scheme=scheme)
    tiles = page.locator("#key .tile, .cell .tile:not(.ghost)")
    assert tiles.count() == 2 * len(STEPS) + 8
    looks = tiles.evaluate_all(
        """tiles => tiles.map((tile) => [tile.textContent, tile.querySelector(".steps").getAttribute("d"),
        getComputedStyle(tile).color, getComputedStyle(tile.querySelector(".wood")).fill])"""
    )
    for letter, steps, colour, wood in looks:
        assert steps.count("M") == len(set(steps.split("M"))) - 1 == STEPS[letter]
        assert contrast(colour, wood) >= 3  # WCAG 2.2, 1.4.11
    assert {colour for *_, colour, _ in looks} == {"rgb(0, 114, 178)", "rgb(192, 74, 0)"}
    key = page.locator("#key > span").all_inner_texts()
    assert [words.split() for words in key] == [[*STEPS, "first"], [*STEPS, "second"]]


def test_hands_are_beside_the_board_and_clickable(visit: Visit) -> None:
    game = load_game("dobutsu")
    page = visit(page_of(game, made_up(game, "g.e/.l./.LH/... GEc first")))
    _, top, _, bottom = box(page.locator('[data-cell="1 0"]'))
    corner = box(page.locator('[data-cell="4 2"]'))
    assert corner[3] - top == pytest.approx(4 * (bottom - top), rel=0.02)  # four rows, no more
    for at, high, low in (("0 0 c", top, bottom), ("5 0 G", bottom, corner[3]), ("5 0 E", bottom, corner[3])):
        hand = box(page.locator(f'[data-cell="{at}"]'))
        assert hand[0] >= corner[2] - 1
        assert high - 1 <= hand[1] <= hand[3] <= low + 1
    assert page.locator(".ranks span").all_inner_texts() == ["1", "2", "3", "4"]

    page = visit(page_of(game, made_up(game, "gle/.../.C./ELG C first")))
    expect(page.locator('[data-cell="5 0 C"]')).to_have_attribute("aria-label", "in hand: C, begins 5 moves")
    page.locator('[data-cell="5 0 C"]').click()
    cell(page, 2, 1).click()
    expect(page.locator("#position")).to_have_value("gle/.C./.C./ELG - second")


def test_margin_and_ply_signs_differ_and_key_explains_them(visit: Visit) -> None:
    game, entry = of_family("othello")
    looks = {}
    for scored, words in ((False, "win 3 = 3 plies to the end"), (True, "win by 3 = a margin of 3")):
        page = visit(page_of(game, entry, scored=scored))
        expect(page.locator("#unit")).to_have_text(words, use_inner_text=True)
        looks[scored] = page.locator("#unit .chip, .cell .chip.win").evaluate_all(
            "chips => chips.map(getComputedStyle).map((look) => look.borderRadius + look.backgroundColor)"
        )
        assert len(looks[scored]) == 3
        assert len({*looks[scored]}) == 1
        page.get_by_label("Show what each move leads to").uncheck()
        expect(page.locator("#unit")).to_be_hidden()
    assert looks[False] != looks[True]


def test_margin_signs_fit_their_cells_on_a_phone(visit: Visit) -> None:
    game, entry = of_family("othello")
    page = visit(page_of(game, entry, scored=True), viewport={"width": 430, "height": 900})
    signs = page.locator(".cell .chip")
    assert signs.count() > 2
    for sign in signs.all():
        left, _, right, _ = box(sign)
        inner, outer = box(sign.locator("xpath=.."))[::2]
        assert inner <= left <= right <= outer


def test_too_small_cells_show_no_signs(visit: Visit) -> None:
    for heap, visible in ((7, True), (60, False)):
        page = visit(page_of(load_game("nim", {"heaps": (heap,)})))
        signs = page.locator(".cell .chip")
        expect(signs).to_have_count(heap)
        expect(signs.first).to_be_visible(visible=visible)
        expect(page.locator("#moves .chip").first).to_be_visible()
