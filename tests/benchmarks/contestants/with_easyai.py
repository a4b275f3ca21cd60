"""Solves a board with easyAI: its depth-first solver with its transposition table, which knows the start.

Prints the number of states in that table and the value of the start as JSON.
"""

import json

from easyAI import AI_Player, TranspositionTable, TwoPlayerGame
from easyAI.AI.solving import solve_with_depth_first_search

from tests.benchmarks.contestants.grid import asked, lines

BOARD = asked()
CELLS = BOARD.rows * BOARD.columns
LINES_AT = [[cells for cells in lines(BOARD) if cell in cells] for cell in range(CELLS)]


class Grid(TwoPlayerGame):  # type: ignore[misc]
    """The board, in the way of easyAI's own games: moves are made and unmade on a list."""

    def __init__(self) -> None:
        """Begin with an empty board."""
        self.players = [AI_Player(None), AI_Player(None)]
        self.board = [0] * CELLS
        self.current_player = 1
        self.made: list[int] = []

    def possible_moves(self) -> list[int]:
        """The cells in which the player may put a mark; the rows are numbered from the top."""
        empty = [cell for cell in range(CELLS) if not self.board[cell]]
        if BOARD.family == "mnk":
            return empty
        below = BOARD.columns
        return [cell for cell in empty if cell + below >= CELLS or self.board[cell + below]]

    def make_move(self, move: int) -> None:
        """Put a mark."""
        self.board[move] = self.current_player
        self.made.append(move)

    def unmake_move(self, move: int) -> None:
        """Take it away again."""
        self.board[move] = 0
        self.made.pop()

    def lose(self) -> bool:
        """Whether the opponent has just completed a row."""
        if not self.made:
            return False
        return any(
            all(self.board[cell] == self.opponent_index for cell in cells)
            for cells in LINES_AT[self.made[-1]]
        )

    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.lose() or len(self.made) == CELLS

    def scoring(self) -> int:
        """How good the board is for the player to move."""
        return -100 if self.lose() else 0

    def ttentry(self) -> tuple[int, ...]:
        """The board, for the table."""
        return tuple(self.board)


def main() -> None:
    """Print what was found."""
    table = TranspositionTable()
    value = solve_with_depth_first_search(Grid(), win_score=90, tt=table)
    print(json.dumps({"states": len(table.d), "value": value}))


if __name__ == "__main__":
    main()
