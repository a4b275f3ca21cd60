"""Solves a board with OpenSpiel: its own game and its own value iteration over all of its states.

Prints the number of states and the value of the start as JSON.
"""

import json

import pyspiel
from open_spiel.python.algorithms import value_iteration

from tests.benchmarks.contestants.grid import asked


def main() -> None:
    """Print what was found."""
    board = asked()
    if board.family == "connect":
        name = f"connect_four(rows={board.rows},columns={board.columns},x_in_row={board.k})"
    else:
        name = f"mnk(m={board.columns},n={board.rows},k={board.k})"
    game = pyspiel.load_game(name)
    values = value_iteration.value_iteration(game, depth_limit=-1, threshold=0.01)
    start = values[str(game.new_initial_state())]
    print(json.dumps({"states": len(values), "value": round(start)}))


if __name__ == "__main__":
    main()
