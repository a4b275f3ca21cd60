"""The page of puzzles in a browser: solved by clicks on the board, on the list, and with the answer shown."""

from playwright.sync_api import Page, expect

import solver
from exporters.puzzles import page as page_of
from solver.analysis.puzzles import hardest
from solver.analysis.puzzles.puzzle import Wanted
from tests.exporters.html.conftest import Visit


def said(page: Page, text: str) -> None:
    expect(page.locator("#said")).to_contain_text(text)


def test_puzzles_are_solved_by_clicking(tictactoe: solver.Database, visit: Visit) -> None:
    first, second, third = hardest(tictactoe, Wanted(3, outcome="win"))
    page = visit(page_of(tictactoe, [first, second, third]), "#1")
    expect(page.locator("#standing")).to_have_text("1. x to move: win in 5 plies")
    wrong = next(move for move in first.entry.moves if move is not first.answer)
    row, column = divmod(int(wrong.move), 3)
    page.locator(f'[data-cell="{row} {column}"]').click()
    said(page, f"No: {wrong.move} is a {wrong.outcome}")
    row, column = divmod(int(first.answer.move), 3)
    page.locator(f'[data-cell="{row} {column}"]').click()
    said(page, f"Right: {first.answer.move}, win in 5 plies.")
    expect(page.locator(f'[data-cell="{row} {column}"] .mark')).to_be_visible()
    expect(page.locator("#score")).to_have_text("0 of 3 solved at the first try")
    page.get_by_role("button", name="Next").click()
    page.locator("#moves button", has_text=str(second.answer.move)).click()
    said(page, f"Right: {second.answer.move}")
    expect(page.locator("#score")).to_have_text("1 of 3 solved at the first try")
    page.get_by_role("button", name="puzzle 3").click()
    page.get_by_role("button", name="Show the answer").click()
    said(page, f"The answer: {third.answer.move}")
    expect(page.locator("#puzzles button")).to_have_text(["1 ✗", "2 ✓", "3 ?"])
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#said")).to_have_text("")
