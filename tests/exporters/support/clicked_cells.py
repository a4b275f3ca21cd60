"""The cells that a person clicks for a move, by the rules of each game, without comparing boards."""

import re
from typing import Any

from solver.game import AnyGame, Cell
from solver.games.dots_and_boxes import DotsAndBoxes
from solver.games.hexapawn import Hexapawn
from solver.games.mnk import MNK
from solver.games.nim import Nim
from solver.games.ponghauki import CELLS, PongHauKi


def clicked_cells(game: AnyGame, state: Any, action: Any) -> list[list[Cell]]:
    """The ways to make a move, each as the cells in the order of the clicks; none if there is no board."""
    name = str(game.action_name(action))
    match game:
        case MNK():
            return [[divmod(action % game.cells, game.columns)]]
        case DotsAndBoxes():  # every second cell of the picture, row by row, is a line
            return [[divmod(2 * action + 1, 2 * game.columns + 1)]]
        case Hexapawn():
            squares = re.findall(r"([a-z])(\d)", name)
            return [[(game.rows - int(row), ord(column) - ord("a")) for column, row in squares]]
        case PongHauKi():
            return [[CELLS[int(point)] for point in name.split("-")]]
        case Nim():  # the first object taken, from any heap of that size
            heap, left = action
            return [[(row, left)] for row, size in enumerate(state[1:]) if size == heap]
    return []
