"""The text of a page, from its source or its elements, and the labels of a database in the same words."""

import json
import re
from typing import Any

from solver import Database, Entry
from solver.database.entry import Move
from solver.database.wording import result, standing
from solver.game import Cell
from solver.games.ponghauki import CELLS, PongHauKi
from tests.exporters.support.clicked_cells import clicked_cells

DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)

ALL = """async (texts) => {
  const found = [];
  const there = (text) => document.getElementById("position").value === text
    && !document.getElementById("board").ariaBusy;
  document.body.style.display = "none"; // what is read needs no layout
  for (const text of texts) {
    history.replaceState(null, "", "#p=" + encodeURIComponent(text)); // faster than to go there
    dispatchEvent(new HashChangeEvent("hashchange"));
    for (let nth = 0; !there(text) && nth < 1000; nth += 1) await new Promise((go) => setTimeout(go, 1));
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
    (actual,) = DATA.findall(html)
    return json.loads(actual)


def assert_shown(db: Database, actual: list[dict[str, Any]]) -> None:
    """Assert that a page shows every position as the database has it, given what `ALL` has seen there."""
    for entry, item in zip(db.entries(), actual, strict=True):
        item["cells"] = [label.replace(", played last", "") for label in item["cells"]]
        assert item == expected(db, entry)


def expected(db: Database, entry: Entry) -> dict[str, Any]:
    """What a page should show in a position, from the database and the rules."""
    margin = abs(entry.value) if db.scored else None
    stands = standing(entry.to_move, entry.outcome, entry.remoteness, margin)
    if entry.is_terminal:
        winner = db.game.players[0 if entry.value > 0 else 1]
        by = f" by {margin}" if db.scored else ""
        stands = f"The game is over: {f'{winner} has won{by}' if entry.value else 'a draw'}"
    moves = [[str(move.move), _in_words(db, move), *(["best"] if move.best else [])] for move in entry.moves]
    cells = [label.split(", played last")[0] for label in labels(db, entry)]
    return {"position": entry.position, "standing": stands, "moves": moves, "cells": cells}


def labels(db: Database, entry: Entry) -> list[str]:
    """The labels of the cells of the board, before any is clicked."""
    game = db.game
    state = game.parse(entry.position)
    actions = {game.action_name(action): action for action in game.actions(state)}
    paths = [(move, path) for move in entry.moves for path in clicked_cells(game, state, actions[move.move])]
    seen = []
    for row, marks in enumerate(game.board(state) or ()):
        for column, mark in enumerate(marks):
            if isinstance(game, PongHauKi) and (row, column) not in CELLS:
                continue  # between the ways there is nothing
            begun = [(move, path) for move, path in paths if path[:1] == [(row, column)]]
            words = [mark or "empty", *_offered(db, begun)]
            seen.append(f"row {row + 1}, column {column + 1}: {', '.join(words)}")
    return seen


def _offered(db: Database, begun: list[tuple[Move, list[Cell]]]) -> list[str]:
    """What a cell says of the moves that begin there."""
    if any(len(path) > 1 for _, path in begun):
        return [f"begins {len(begun)} move{'s' if len(begun) > 1 else ''}"]
    if len(begun) > 1:
        return [f"{len(begun)} moves, to be chosen from the list"]
    best = {True: ["best"], False: []}
    return [", ".join([f"play {move.move}", _in_words(db, move), *best[move.best]]) for move, _ in begun]


def _in_words(db: Database, move: Any) -> str:
    return result(move.outcome, move.remoteness, abs(move.value) if db.scored else None)
