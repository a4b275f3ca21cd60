"""The page of puzzles in a browser: clicks on the board and on the list, and the shown answer."""

import re
from itertools import count

import pytest
from playwright.sync_api import Page, expect

from exporters.puzzles import page as page_of, play_page
from solver import Database
from solver.analysis.puzzles import hardest
from solver.analysis.puzzles.puzzle import Wanted
from solver.database.entry import Move
from tests.exporters.html.conftest import Visit, cell


def said(page: Page, text: str) -> None:
    expect(page.locator("#said")).to_contain_text(text)


def test_puzzles_are_solved_by_clicking(tictactoe: Database, visit: Visit) -> None:
    first, second, third = hardest(tictactoe, Wanted(3, outcome="win"))
    page = visit(page_of(tictactoe, [first, second, third]), "#1")
    expect(page.locator("#standing")).to_have_text("1. x to move and win in 5 plies")
    expect(page.locator("#level")).to_have_text("Difficulty 3 of 5")
    wrong = next(move for move in first.entry.moves if move is not first.answer)
    cell(page, *divmod(int(wrong.move), 3)).click()
    said(page, f"No: {wrong.move} leads to a {wrong.outcome}")
    page.get_by_role("button", name="Try again").click()
    right = cell(page, *divmod(int(first.answer.move), 3))
    right.click()
    said(page, f"Right: move {first.answer.move} wins in 5 plies; every other move draws at best.")
    expect(right.locator(".mark")).to_be_visible()
    expect(page.locator("#score")).to_have_text("0 of 3 solved at the first try")
    page.get_by_role("button", name="Next puzzle").click()
    page.locator("#moves button", has_text=str(second.answer.move)).click()
    said(page, f"Right: move {second.answer.move}")
    expect(page.locator("#score")).to_have_text("1 of 3 solved at the first try")
    page.get_by_role("button", name="puzzle 3").click()
    page.get_by_role("button", name="Show the answer").click()
    said(page, f"The answer: move {third.answer.move}")
    expect(page.locator("#puzzles button")).to_have_text(["1 ✗", "2 ✓", "3 ?"])
    page.get_by_role("button", name="From the beginning").click()
    expect(page.locator("#said")).to_have_text("")


def shown_on(page: Page) -> str:
    """The marks on the board."""
    cells = page.locator("[data-cell]").evaluate_all("cells => cells.map((cell) => cell.ariaLabel)")
    return "".join(re.sub("empty", ".", label.split(": ")[1].split(",")[0]) for label in cells)


def test_wrong_move_is_refuted_and_right_move_played_out(tictactoe: Database, visit: Visit) -> None:
    """By lines and replies that the database gives."""
    puzzle = hardest(tictactoe, Wanted(1, outcome="win"))[0]
    page = visit(page_of(tictactoe, [puzzle]))
    wrong = next(move for move in puzzle.entry.moves if move.outcome == "loss")
    page.locator("#moves button", has_text=str(wrong.move)).click()
    said(page, f"No: {wrong.move} leads to a loss in {wrong.remoteness} plies. Step forward")
    forward, position = page.get_by_role("button", name="Step forward"), wrong.position
    while tictactoe[position].best_move is not None:
        assert shown_on(page) == position
        assert page.locator("#moves button:not([disabled])").count() == 0
        forward.click()
        position = best(tictactoe, position).position
    assert shown_on(page) == position
    expect(page.locator("#now")).to_have_text("The game is over: o has won.")
    expect(forward).to_be_disabled()
    page.get_by_role("button", name="Step back").click()
    page.get_by_role("button", name="Try again").click()
    assert shown_on(page) == puzzle.entry.position
    page.locator("#moves button", has_text=str(puzzle.answer.move)).click()
    page.get_by_role("button", name="Play on").click()
    position = best(tictactoe, puzzle.answer.position).position
    assert shown_on(page) == position
    expect(page.locator("#now")).to_have_text("x to move: win in 3 plies.")
    later = next(move for move in tictactoe[position].moves if move.outcome != "win")
    page.locator("#moves button", has_text=str(later.move)).click()
    said(page, f"No: {later.move} leads to a {later.outcome}")
    page.get_by_role("button", name="Try again").click()
    while not tictactoe[position].is_terminal:
        move = best(tictactoe, position)
        page.locator("#moves button", has_text=str(move.move)).click()
        position = move.position
        if not tictactoe[position].is_terminal:
            position = best(tictactoe, position).position
        assert shown_on(page) == position
    expect(page.locator("#now")).to_have_text("The game is over: x has won.")
    expect(page.locator("#score")).to_have_text("0 of 1 solved at the first try")


def test_focus_is_restored_after_a_move(tictactoe: Database, visit: Visit) -> None:
    """Or what comes next has it, so that a puzzle is solved and played on by the keyboard alone."""
    puzzles = hardest(tictactoe, Wanted(2, outcome="win"))
    page, puzzle = visit(page_of(tictactoe, puzzles)), puzzles[0]
    wrong = next(move for move in puzzle.entry.moves if move is not puzzle.answer)
    for move, then in (wrong, "Try again"), (puzzle.answer, "Play on"):
        cell(page, *divmod(int(move.move), 3)).press("Enter")
        expect(cell(page, *divmod(int(move.move), 3))).to_be_focused()
        page.get_by_role("button", name=then).press("Enter")
        expect(page.locator('#board [tabindex="0"]')).to_be_focused()
    page.get_by_role("button", name="From the beginning").press("Enter")
    page.locator("#moves button", has_text=str(puzzle.answer.move)).press("Enter")
    expect(page.get_by_role("button", name="Play on")).to_be_focused()
    second = page.get_by_role("button", name="puzzle 2")
    second.press("Enter")
    expect(second).to_be_focused()


def best(db: Database, position: str) -> Move:
    """The first of the best moves in a position."""
    return next(move for move in db[position].moves_by_action if move.best)


def test_page_without_room_for_play_only_judges_moves(
    tictactoe: Database, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_page, "MAX_PLAYED", 0)
    puzzle = hardest(tictactoe, Wanted(1, outcome="win"))[0]
    page = visit(page_of(tictactoe, [puzzle]))
    wrong = next(move for move in puzzle.entry.moves if move is not puzzle.answer)
    page.locator("#moves button", has_text=str(wrong.move)).click()
    expect(page.locator("#said")).to_have_text(f"No: {wrong.move} leads to a {wrong.outcome}.")
    page.get_by_role("button", name="Try again").click()
    page.locator("#moves button", has_text=str(puzzle.answer.move)).click()
    said(page, f"Right: move {puzzle.answer.move}")
    expect(page.locator("#on")).to_be_hidden()


def test_page_says_where_its_lines_end(
    tictactoe: Database, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has as little room as there can be for the moves after the first reply."""
    puzzle = hardest(tictactoe, Wanted(1, outcome="win"))[0]
    turn = best(tictactoe, puzzle.answer.position).position
    for room in count():
        monkeypatch.setattr(play_page, "MAX_PLAYED", room)
        if turn in play_page.PuzzlePlay(tictactoe, [puzzle]).choices:
            break
    page = visit(page_of(tictactoe, [puzzle]))
    page.locator("#moves button", has_text=str(puzzle.answer.move)).click()
    page.get_by_role("button", name="Play on").click()
    page.locator("#moves button", has_text=str(best(tictactoe, turn).move)).click()
    said(page, "Right, but this page does not go on from there.")
    assert shown_on(page) == turn
