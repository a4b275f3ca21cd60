"""Pages in a browser: clicks, keys, typed positions, links, and accessible names."""

import re
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from exporters.html.plan_page import render as render_plan
from exporters.report import render as render_report
from solver import Database
from solver.analysis.report import compared, report_on
from solver.analysis.report.chapters import contents_of
from solver.players.trembling import Trembling
from tests.exporters.html.conftest import THINKING, Visit, box, cell, go, position
from tests.exporters.html.test_colours_of_men import contrast, luminance
from tests.exporters.support import page_rules
from tests.exporters.support.first_best_plan import first_best
from tests.exporters.support.page_rules import EVIL
from tests.exporters.support.small_plans import Handmade, plan

RULES = page_rules.__file__

PLAIN = {"\n": " ", "\u2028": " ", "\u202e": " "}


def moves(page: Page) -> list[str]:
    return page.locator("#moves .name").all_text_contents()


@pytest.fixture(scope="module")
def plan_page(tictactoe: Database) -> str:
    return render_plan(first_best(tictactoe, owner="x"))


def test_whole_game_is_played_by_clicks(tictactoe: Database, plan_page: str, visit: Visit) -> None:
    plan, game = first_best(tictactoe, owner="x"), tictactoe.game
    page, state = visit(plan_page), tictactoe.game.initial
    while not game.is_terminal(state):
        move = plan.moves[game.position(state)]
        state = game.result(state, move)
        if not game.is_terminal(state):
            expect(page.locator("#said")).to_contain_text(f"x plays {move}.")
            reply = game.actions(state)[-1]
            cell(page, *divmod(reply, 3)).click()
            expect(page.locator("#said")).to_have_text(re.compile(rf"^o plays {reply}\."))
            state = game.result(state, reply)
    expect(page.locator("#standing")).to_contain_text("The game is over")
    assert position(page) == game.position(state)
    assert game.utility(state) >= 0
    assert moves(page) == []


@pytest.mark.parametrize("text", ["x...o....", "xo..x...."])
def test_page_ranks_equal_moves_like_the_trembling_analysis(
    tictactoe: Database, game_page: str, visit: Visit, text: str
) -> None:
    page = visit(game_page, f"#p={text}")
    assert moves(page) == [str(move.move) for move in tictactoe[text].moves]
    page.get_by_label("Order equal moves").check()
    ranking = Trembling(tictactoe).ranking(tictactoe[text]).prospects
    assert moves(page) == [str(item.move.move) for item in ranking]
    for note, item in zip(page.locator("#moves .tag:last-child").all_text_contents(), ranking, strict=True):
        err = "errs" if item.errors == 1 else "err"
        assert note.startswith(f"{item.errors} of {item.replies} replies {err}, expected ")
        assert float(note.split()[-1].replace("\u2212", "-")) == pytest.approx(item.expected, abs=0.00051)
    page.get_by_label("Show what each move leads to").uncheck()
    expect(page.get_by_label("Order equal moves")).to_be_hidden()
    assert moves(page) == [str(move.move) for move in tictactoe[text].moves_by_action]


def test_player_can_choose_the_other_side(game_page: str, visit: Visit) -> None:
    page = visit(game_page)
    page.get_by_label("You play").select_option("o, against best play")
    expect(page.locator("#said")).to_have_text("x plays 0.")
    expect(page.locator("#standing")).to_contain_text("o to move")


def test_playing_by_plan_shows_its_move_and_hardest_replies(plan_page: str, visit: Visit) -> None:
    page = visit(plan_page)
    expect(page.locator("#said")).to_have_text("x plays 0.")
    page.get_by_label("You play").select_option("x, by the plan")
    expect(page.locator("#said")).to_have_text("o plays 4.")  # no answer is still to come
    go(page, ".........")
    expect(page.locator("#facts")).to_contain_text("The plan's move for x: 0")
    assert moves(page) == ["0"]
    cell(page, 0, 0).click()
    expect(page.locator("#said")).to_have_text("x plays 0. o plays 4.")  # all else loses
    expect(page.locator("#standing")).to_have_text("x to move: draw or better")


def test_plan_page_shows_ply_replies_and_line(plan_page: str, visit: Visit) -> None:
    page = visit(plan_page)
    expect(page.locator("#said")).to_have_text("x plays 0.")
    expect(page.locator("#facts li")).to_have_text(
        [
            "Ply 1 of at most 9",
            "8 replies of o, each of which the plan for x answers",
            re.compile(r"^\d+ positions can follow, \d+ ends among them$"),
        ]
    )
    expect(page.locator("#line li")).to_have_text(["start", "0"])
    expect(page.locator('#line [aria-current="step"]')).to_have_text("0")


def test_explorer_shows_ply_and_position_count(game_page: str, visit: Visit) -> None:
    page = visit(game_page)
    facts = page.locator("#facts li")
    expect(facts.first).to_have_text("Ply 0, the only position there")
    cell(page, 1, 1).click()
    expect(facts.first).to_have_text("Ply 2, one of 72 positions there")  # 9 cells for x, 8 for o


def test_adjacent_report_plots_are_aligned_at_the_top(tictactoe: Database, visit: Visit) -> None:
    page = visit(render_report(contents_of(compared([report_on(tictactoe)])), "html"))
    left, right = map(box, page.locator("section", has_text="Choices").locator("figure svg").all())
    assert left[0] < right[0]
    assert left[1] == right[1]
    assert left[3] < right[3]  # the legend of one has more lines


@pytest.mark.parametrize(
    ("ends", "goal", "mine", "theirs", "replies"),
    [
        (
            (3, 1),
            1,
            "win by 1 or more in at most 2 plies",
            "loss by 1 or more in at most 1 ply",
            ["loss by 1 in 1 ply", "loss by 3 in 1 ply"],
        ),
        ((0, -3), -3, "loss by 3 at worst", "win by 3 at best", ["win by 3 in 1 ply", "draw"]),
        ((1, 0), 0, "draw or better", "draw at best", ["draw", "loss in 1 ply"]),
    ],
)
def test_plan_page_states_only_the_guaranteed_value(
    visit: Visit, ends: tuple[int, int], goal: int, mine: str, theirs: str, replies: list[str]
) -> None:
    game = Handmade(
        {"root": (0, {"on": "fork"}), "fork": (1, {"left": "l", "right": "r"}), "l": ends[0], "r": ends[1]}
    )
    page = visit(render_plan(replace(plan(game, {"root": "on"}), goal=goal)), "#p=root")
    expect(page.locator("#standing")).to_have_text(f"first to move: {mine}")
    expect(page.locator("#moves .chip")).to_have_text([mine])
    page.locator("#moves button").click()
    expect(page.locator("#standing")).to_have_text(f"second to move: {theirs}")
    expect(page.locator("#moves .chip")).to_have_text(replies)


def test_plan_is_played_by_keyboard_alone(plan_page: str, visit: Visit) -> None:
    page = visit(plan_page)
    expect(page.locator("#said")).to_have_text("x plays 0.")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.cell") == "0 1"
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown", "Home", "End"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.cell") == "2 2"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text(re.compile(r"^o plays 8\. x plays \d\.$"))
    assert page.evaluate("document.activeElement.dataset.cell") == "2 2"
    while moves(page):
        before = position(page)
        while page.evaluate("document.activeElement.closest('#moves') === null"):
            page.keyboard.press("Tab")
        page.keyboard.press("Space")
        expect(page.locator("#board")).not_to_have_attribute("aria-busy", "true")
        assert position(page) != before
    expect(page.locator("#standing")).to_have_text("The game is over: x has won")
    assert page.evaluate("document.activeElement.id") == "new"
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("A new game. x plays 0.")


def test_step_buttons_move_between_own_turns(game_page: str, visit: Visit) -> None:
    page = visit(game_page)
    expect(page.get_by_role("button", name="Step back")).to_be_disabled()
    cell(page, 0, 0).click()
    expect(page.locator("#standing")).to_contain_text("x to move")
    after = position(page)
    page.get_by_role("button", name="Step back").click()
    assert position(page) == "........."
    page.get_by_role("button", name="Step forward").click()
    assert position(page) == after
    expect(page.get_by_role("button", name="Step forward")).to_be_disabled()
    page.locator("#line button").nth(1).click()
    assert position(page) == "x........"
    page.get_by_role("button", name="Let o move").click()
    assert position(page) == after
    page.get_by_role("button", name="New game").click()
    assert position(page) == "........."


def test_typed_position_is_read_leniently(game_page: str, visit: Visit) -> None:
    page = visit(game_page)
    for typed in ("xo./.x./...", "XO..X....", "xo_-x____", " xo. .x. ... ", "xo..x.... o", "xo..x.... O"):
        go(page, typed)
        expect(page.locator("#standing")).to_have_text("o to move: loss in 4 plies")
        assert position(page) == "xo..x....", typed
        assert page.url.endswith("#p=xo..x....")
        assert page.locator("#refusal").text_content() == ""
        page.get_by_role("button", name="New game").click()
        assert position(page) == "........."


def test_side_to_move_may_be_omitted_if_unambiguous(explorer: Any, visit: Visit) -> None:
    page = visit(explorer(f"{RULES}:Countdown", {"most": 4}))
    go(page, "4")
    expect(page.get_by_role("alert")).to_have_text(
        "“4” can be read as “4 first” or “4 second”: type it exactly."
    )
    go(page, "4 SECOND")
    expect(page.locator("#standing")).to_have_text("second to move: win in 3 plies")
    handmade = Handmade({"a first": (0, {"on": "b second"}), "b second": 1})
    page = visit(render_plan(plan(handmade, {"a first": "on"})))
    go(page, "B")
    expect(page.locator("#standing")).to_have_text("The game is over: first has won")


def test_unknown_position_is_refused_with_explanation(game_page: str, visit: Visit) -> None:
    page = visit(game_page)
    for typed in ("xxxxxxxxx", "xo", "", "<b>", "xo..x.... x"):
        go(page, typed)
        expect(page.get_by_role("alert")).to_have_text(
            f"“{typed}” does not arise in this game, which has 5,478 positions such as “.........”."
        )
        assert page.locator("#position").input_value() == typed
        assert "#" not in page.url
    go(page, "xo./.x./...")
    for typed in ("xo", "xo..x.... o"):  # the second is the position that is shown
        go(page, typed)
    expect(page.get_by_role("alert")).to_be_empty()
    assert position(page) == "xo..x...."


def test_characters_used_in_positions_are_not_substituted(visit: Visit) -> None:
    page = visit(render_plan(plan(Handmade({"-. k": (0, {"on": "|. K"}), "|. K": 1}), {"-. k": "on"})))
    go(page, "|_ K")
    expect(page.locator("#position")).to_have_value("|. K")
    for typed in (".. k", "-. K"):
        go(page, typed)
        expect(page.get_by_role("alert")).to_contain_text(f"“{typed}” does not arise by this plan")


def test_page_does_not_move_while_position_is_typed(plan_page: str, visit: Visit) -> None:
    page = visit(plan_page)
    page.evaluate(
        """() => {
            document.querySelector("#new").click(); // the plan begins, a little later
            const typed = document.querySelector("#position");
            typed.value = "....x....";
            typed.dispatchEvent(new Event("input", { bubbles: true }));
            document.querySelector("#jump").requestSubmit();
        }"""
    )
    page.wait_for_timeout(3 * THINKING)
    expect(page.get_by_role("alert")).to_contain_text("does not arise by this plan, which has 153 positions")
    assert position(page) == "....x...."
    assert page.locator("#board").get_attribute("aria-busy") is None
    page.get_by_role("button", name="Let x move").click()
    expect(page.locator("#standing")).to_contain_text("o to move")
    assert page.get_by_role("alert").text_content() == ""


def test_link_opens_its_position(game_page: str, visit: Visit) -> None:
    page = visit(game_page, "#p=xo./.x./...")
    expect(page.locator("#standing")).to_have_text("o to move: loss in 4 plies")
    expect(page.locator("#line li")).to_have_count(4)
    page.evaluate("location.hash = '#p=xxxoo....'")
    expect(page.locator("#standing")).to_have_text("The game is over: x has won")
    for broken in ("#p=%E0%A4%A", "#p=nothing"):
        page.evaluate(f"location.hash = '{broken}'")
        expect(page.get_by_role("alert")).not_to_be_empty()
        assert position(page) == "xxxoo...."
    page.go_back()
    page.go_back()
    expect(page.get_by_role("alert")).to_be_empty()


def test_browser_history_steps_back_and_forward(game_page: str, visit: Visit) -> None:
    page = visit(game_page)
    seen = ["........."]
    for number in range(2):
        page.locator("#moves button").first.click()
        expect(page.locator("#line li")).to_have_count(3 + 2 * number)
        seen.append(position(page))
    page.go_back()
    expect(page.locator("#position")).to_have_value(seen[1])
    page.go_back()
    expect(page.locator("#position")).to_have_value(seen[0])
    page.wait_for_timeout(3 * THINKING)
    assert position(page) == seen[0]  # nobody moves because somebody went back
    page.go_forward()
    expect(page.locator("#position")).to_have_value(seen[1])
    expect(page.locator("#line li")).to_have_count(5)


def test_copy_button_copies_link_to_position(game_page: str, visit: Visit) -> None:
    page = visit(game_page, "#p=xo..x....", permissions=["clipboard-read", "clipboard-write"])
    page.locator("#moves button").first.click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#said")).to_contain_text("link")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#standing")).to_contain_text("x to move: win in 3 plies")


def test_values_can_be_hidden(game_page: str, visit: Visit) -> None:
    page = visit(game_page, "#p=xo..x....")
    expect(page.locator("#board .chip")).to_have_count(6)
    assert moves(page)[0] == "8"
    page.get_by_label("Show what each move leads to").uncheck()
    assert moves(page) == ["2", "3", "5", "6", "7", "8"]  # the order tells nothing either
    said = page.evaluate("[...document.querySelectorAll('main [aria-label]')].map((e) => e.ariaLabel).join()")
    for word in ("win", "loss", "draw", "best"):
        assert word not in page.locator("#standing").inner_text()
        assert word not in page.locator("#board").inner_text() + page.locator("#moves").inner_text()
        assert word not in said
    cell(page, 2, 2).click()
    expect(page.locator("#standing")).to_have_text("x to move")
    page.get_by_label("Show what each move leads to").check()
    expect(page.locator("#standing")).to_have_text("x to move: win in 3 plies")


def test_cell_with_two_moves_focuses_the_move_list(explorer: Any, visit: Visit) -> None:
    page = visit(explorer("mnk", {"rows": 2, "columns": 2, "k": 2, "wild": True}))
    cell(page, 1, 0).click()
    assert page.evaluate("document.activeElement.querySelector('.name').textContent") in ("x2", "o2")
    assert position(page) == "...."


def test_page_waits_while_player_is_to_move_again(explorer: Any, visit: Visit) -> None:
    page = visit(explorer("dots-and-boxes", {"rows": 1, "columns": 2}))
    go(page, "--/||./.. +0 first")
    page.locator("#moves button").filter(has=page.get_by_text("5", exact=True)).click()
    page.wait_for_timeout(3 * THINKING)
    assert position(page) == "--/||./-. +1 first"
    expect(page.locator("#standing")).to_have_text("first to move: draw")


def test_current_step_and_best_moves_are_in_view(explorer: Any, visit: Visit) -> None:
    page = visit(explorer("kayles", {"n": 8}))
    page.get_by_label("You play").select_option("both sides")
    page.locator("#moves button").last.click()
    expect(page.locator("#moves button").first).to_be_in_viewport()
    page = visit(explorer(f"{RULES}:Countdown", {"most": 150}))
    page.get_by_label("You play").select_option("both sides")
    page.evaluate("for (let n = 0; n < 90; n += 1) document.querySelector('#moves button').click()")
    expect(page.locator("#line [aria-current]")).to_be_in_viewport()
    expect(page.locator("#curve [r='4.5']")).to_be_in_viewport()


def test_new_games_begin_in_the_chosen_start(explorer: Any, visit: Visit) -> None:
    page = visit(explorer(f"{RULES}:Countdown", {"most": 5}))
    expect(page.locator("#start option")).to_have_count(6)
    page.get_by_label("New games begin in").select_option("4 second")
    expect(page.locator("#said")).to_have_text("A new game. second plays take one.")
    assert position(page) == "3 first"
    page.go_back()
    expect(page.locator("#position")).to_have_value("5 first")  # where the page began


@pytest.mark.parametrize("widths", [(320, 390), (768, 1280)])
def test_page_is_no_wider_than_the_screen(
    explorer: Any, visit: Visit, game_page: str, plan_page: str, widths: tuple[int, int]
) -> None:
    games = [
        explorer("kayles", {"n": 8}),
        explorer("quixo", {"rows": 2, "columns": 3, "k": 3}),
        explorer("dots-and-boxes", {"rows": 1, "columns": 2}),
        explorer("ponghauki"),
        explorer(f"{RULES}:Evil"),
        explorer(f"{RULES}:Wordy"),
    ]
    for html in (game_page, plan_page, *games):
        page = visit(html, viewport={"width": widths[0], "height": 640}, has_touch=widths[0] < 500)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 640})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            outside = page.evaluate(
                "[...document.querySelectorAll('main *')].filter((each) => !each.closest('pre, .cell') && "
                "each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.outerHTML)"
            )
            assert outside == []
            for text in page.locator("pre:visible").all():
                is_cut = text.evaluate("(pre) => pre.scrollWidth > pre.clientWidth")
                assert "\n" in text.inner_text() or not is_cut  # lines of a drawn board are not broken


def test_touch_targets_are_at_least_24_pixels(game_page: str, visit: Visit) -> None:
    page = visit(game_page, viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    sizes = page.evaluate(
        "[...document.querySelectorAll('button, select')].filter((each) => each.checkVisibility())"
        ".map((each) => each.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height))"
    )
    assert min(sizes) >= 24
    cell(page, 1, 1).tap()
    expect(page.locator("#said")).to_have_text("x plays 4. o plays 0.")


COLOURS = """(selector) => {
  const behind = (each) => {
    const colour = getComputedStyle(each).backgroundColor;
    return colour.startsWith("rgba") && colour.endsWith(" 0)") ? behind(each.parentElement) : colour;
  };
  return [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility())
    .map((each) => [getComputedStyle(each).color, behind(each)]);
}"""
"""The colours of elements that are seen, and of the ground behind each."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_schemes_have_enough_contrast(game_page: str, visit: Visit, scheme: Any) -> None:
    page = visit(game_page, "#p=xo.ox....", color_scheme=scheme)
    cell(page, 2, 2).click()
    go(page, "x........")
    page.locator("#values").focus()
    ((ink, paper),) = page.evaluate(COLOURS, "body")
    assert (luminance(paper) < 0.2) == (scheme == "dark")
    assert contrast(ink, paper) > 10
    words = (
        "h1, h2, p, .chip, .tag, .name, button:not(:disabled), li, label, select, input, .cell-name, .mistake"
    )
    ratios = [contrast(*pair) for pair in page.evaluate(COLOURS, words)]
    assert len(ratios) > 30
    assert min(ratios) >= 4.5
    assert min(contrast(*pair) for pair in page.evaluate(COLOURS, ".mark:not(.ghost)")) >= 3


INTERACTIVE = {"button", "textbox", "combobox", "checkbox", "gridcell", "grid", "link", "listbox"}


def test_interactive_elements_have_accessible_names(game_page: str, visit: Visit) -> None:
    page = visit(game_page, "#p=xo..x....")
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    named = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in tree
        if not node.get("ignored") and node["role"]["value"] in INTERACTIVE
    ]
    assert [item for item in named if not item[1].strip()] == []
    assert ("grid", "Board") in named
    assert ("button", "row 1, column 3: empty, play 2, loss in 2 plies") in named
    assert ("button", "row 2, column 2: x, played last") in named
    assert ("button", "after ply 3, 4, win in 5 plies") in named
    assert ("button", "8 loss in 4 plies best") in named
    assert ("textbox", "Position; type another one to go there") in named
    assert ("combobox", "You play") in named
    roles = [node["role"]["value"] for node in tree if not node.get("ignored")]
    assert (roles.count("row"), roles.count("gridcell")) == (3, 9)
    assert roles.count("heading") == 4
    assert page.locator("html").get_attribute("lang") == "en"
    assert len(page.locator("[role=status]").all()) == 1
    assert page.get_by_role("status").inner_text().split("\n")[0] == "o to move: loss in 4 plies"


def test_hostile_names_are_shown_as_text(solved: Any, explorer: Any, visit: Visit) -> None:
    made = explorer(f"{RULES}:Evil"), render_plan(first_best(solved(f"{RULES}:Evil")))
    names = ["".join(PLAIN.get(char, char) for char in name) for name in EVIL]
    for html in made:
        page = visit(html)
        page.get_by_label("You play").select_option("both sides")
        page.get_by_role("button", name="New game").click()  # the page may have moved by then
        assert page.locator("script").count() == 2
        assert page.locator("main img, main b").count() == 0
        assert position(page) == "{{document}} " + names[2]
        assert names[0] in (page.locator("#standing").text_content() or "")
        assert set(moves(page)) <= set(names)
        if len(moves(page)) > 1:
            assert sorted(moves(page)) == sorted(names)
        assert page.locator(".cell .mark").all_text_contents()[:4] == [name.strip() for name in names[:4]]
        page.locator("#moves button").last.click()
        expect(page.locator("#standing")).to_contain_text("The game is over")
        assert position(page).removeprefix("after ") in names
        page.reload()
        expect(page.locator("#standing")).to_contain_text("The game is over")
        assert "\u202e" not in page.locator("body").inner_text()
        go(page, EVIL[2])
        expect(page.get_by_role("alert")).to_contain_text(f"“{names[2]}” does not arise")


def test_page_without_scripts_asks_for_javascript(game_page: str, visit: Visit) -> None:
    page = visit(game_page, java_script_enabled=False)
    expect(page.get_by_text("needs JavaScript")).to_be_visible()
    expect(page.locator("h1")).to_have_text("Tic-tac-toe")
    expect(page.locator("main")).to_be_hidden()


def test_content_policy_blocks_injected_script(game_page: str, browser: Browser) -> None:
    broken = game_page.replace("</body>", "<script>document.title = 'broken into'</script></body>")
    assert broken != game_page
    page = browser.new_page(offline=True)
    page.set_content(broken)
    assert page.title() == "Tic-tac-toe"
    page.close()


def test_positions_differing_only_in_spaces_are_distinguished(visit: Visit) -> None:
    after = {"left": "x  ", "middle": " x ", "right": "  x"}
    page = visit(render_plan(plan(Handmade({"   ": (1, after), **dict.fromkeys(after.values(), 1)}), {})))
    for name, text in after.items():
        page.locator("#moves button", has_text=name).click()
        expect(page.locator("#said")).to_contain_text(f"plays {name}.")
        page.wait_for_function("text => location.hash === '#p=' + encodeURIComponent(text)", arg=text)
        page.evaluate("() => new Promise((go) => setTimeout(go, 0))")  # behind what the new address leads to
        assert position(page) == text
        go(page, "   ")
        assert position(page) == "   "
    go(page, " x ")
    expect(page.locator("#standing")).to_have_text("The game is over: first has won")
    assert position(page) == " x "
    go(page, "x")
    expect(page.get_by_role("alert")).to_contain_text(re.compile("^“x” can be read as .*: type it exactly.$"))


def test_automatic_play_stops_at_a_repeated_position(visit: Visit) -> None:
    handmade = Handmade({"a": (0, {"on": "b"}), "b": (0, {"back": "a"})})
    page = visit(render_plan(plan(handmade, {"a": "on", "b": "back"})))
    again = "This position has occurred 2 times in this game."
    expect(page.locator("#said")).to_have_text(f"first plays on. first plays back. {again}")
    page.wait_for_timeout(2 * THINKING)
    assert page.locator("#said").text_content() == f"first plays on. first plays back. {again}"
    page.get_by_role("button", name="Let first move").click()
    expect(page.locator("#said")).to_have_text(f"first plays on. {again}")
