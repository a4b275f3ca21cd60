"""What a page says, read out of its text or its elements, and what a database says in the same words."""

import json
import re
from typing import Any

from playwright.sync_api import Page

from exporters import boards
from solver import Database, Entry
from solver.database.wording import result, standing

DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)

ALL = """(texts) => {
  const found = [];
  document.body.style.display = "none"; // what is read needs no layout
  for (const text of texts) {
    history.replaceState(null, "", "#p=" + encodeURIComponent(text)); // faster than to go there
    dispatchEvent(new HashChangeEvent("hashchange"));
    found.push({
      position: document.getElementById("position").value,
      standing: document.getElementById("standing").textContent,
      moves: [...document.querySelectorAll("#moves button")].map((each) =>
        [...each.children].map((part) => part.textContent)),
      cells: [...document.querySelectorAll("[data-cell]")].map((each) => each.getAttribute("aria-label")),
    });
  }
  return found;
}"""


def data_of(html: str) -> Any:
    """The data in a page."""
    (found,) = DATA.findall(html)
    return json.loads(found)


def rows_of(html: str) -> list[str]:
    """The rows of positions in a page, as they are written."""
    (found,) = DATA.findall(html)
    return found.split('"positions":[\n')[1].removesuffix("\n]}").splitlines()  # type: ignore[no-any-return]


def shown(page: Page, positions: list[str]) -> list[dict[str, Any]]:
    """What the page shows in each of these positions: as it stands, its moves, the labels of its cells."""
    found: list[dict[str, Any]] = page.evaluate(ALL, positions)
    return found


def expected(db: Database, entry: Entry) -> dict[str, Any]:
    """What a page should show in a position, from the database and the rules."""
    margin = abs(entry.value) if db.scored else None
    stands = standing(entry.to_move, entry.outcome, entry.remoteness, margin)
    if entry.is_terminal:
        winner = db.game.players[0 if entry.value > 0 else 1]
        by = f" by {margin}" if db.scored else ""
        stands = f"The game is over: {f'{winner} wins{by}' if entry.value else 'a draw'}"
    moves = [[str(move.move), _in_words(db, move), *(["best"] if move.best else [])] for move in entry.moves]
    cells = [each.split(", played last")[0] for each in labels(db, entry)]
    return {"position": entry.position, "standing": stands, "moves": moves, "cells": cells}


def labels(db: Database, entry: Entry) -> list[str]:
    """The labels of the cells of the board."""
    game = db.game
    state = game.parse(entry.position)
    fills: dict[Any, list[Any]] = {}
    for move in entry.moves:
        cell = boards.cell_played(game, [state], game.parse(move.position))
        fills.setdefault(cell, []).append(move)
    found = []
    for row, marks in enumerate(game.board(state) or ()):
        for column, mark in enumerate(marks):
            moves = fills.get((row, column), [])
            words = [mark or "empty"]
            if len(moves) == 1:
                best = ", best" if moves[0].best else ""
                words += [f"play {moves[0].move}", _in_words(db, moves[0]) + best]
            elif moves:
                words.append(f"{len(moves)} moves, to be chosen from the list")
            found.append(f"row {row + 1}, column {column + 1}: {', '.join(words)}")
    return found


def _in_words(db: Database, move: Any) -> str:
    return result(move.outcome, move.remoteness, abs(move.value) if db.scored else None)
