"""Other solvers of a board: `python -m tests.benchmarks.contestants SOLVER mnk|connect ROWS COLUMNS K`.

k in a row wins, with gravity or without. Each solver prints the number of states that it labels and the value
of the start, as JSON.
"""

import json
import sys
from collections import deque
from itertools import product

NAME, FAMILY, *NUMBERS = sys.argv[1:]
ROWS, COLUMNS, K = map(int, NUMBERS)
CELLS = ROWS * COLUMNS

State = str
"""A mark for each cell, row by row from the top: x, o or a dot."""


def lines() -> list[tuple[int, ...]]:
    """Every row of k cells."""
    seen, ways = [], ((0, 1), (1, 0), (1, 1), (1, -1))
    for row, column, (down, right) in product(range(ROWS), range(COLUMNS), ways):
        cells = [(row + step * down, column + step * right) for step in range(K)]
        if all(0 <= y < ROWS and 0 <= x < COLUMNS for y, x in cells):
            seen.append(tuple(y * COLUMNS + x for y, x in cells))
    return seen


LINES = lines()


def moves(state: State) -> list[State]:
    """The states after the moves of the player to move."""
    mark = "x" if state.count("x") == state.count("o") else "o"
    return [state[:cell] + mark + state[cell + 1 :] for cell in range(CELLS) if playable(state, cell)]


def playable(state: State, cell: int) -> bool:
    """Whether a mark may be put into a cell."""
    below = cell + COLUMNS
    return state[cell] == "." and (FAMILY == "mnk" or below >= CELLS or state[below] != ".")


def utility(state: State) -> int | None:
    """1 if x has won, -1 if o has won, 0 if the board is full; None if play goes on."""
    for cells in LINES:
        if state[cells[0]] != "." and len({state[cell] for cell in cells}) == 1:
            return 1 if state[cells[0]] == "x" else -1
    return None if "." in state else 0


def label_of(state: State, options: list[tuple[int, int]]) -> tuple[int, int]:
    """The value and the remoteness of a state, from those of its children."""
    sign = 1 if state.count("x") == state.count("o") else -1
    gain = max(sign * value for value, _ in options)
    plies = [1 + remoteness for value, remoteness in options if sign * value == gain]
    return sign * gain, min(plies) if gain > 0 else max(plies)


def in_dictionaries() -> tuple[int, int]:
    """A solver that takes an hour to write: play forwards, then label backwards, in plain dictionaries."""
    start = "." * CELLS
    layers, children = [{start}], dict[State, list[State]]()
    labels = dict[State, tuple[int, int]]()
    while layers[-1]:
        below = set[State]()
        for state in layers[-1]:
            value = utility(state)
            if value is not None:
                labels[state] = value, 0
            else:
                children[state] = moves(state)
                below.update(children[state])
        layers.append(below)
    for layer in reversed(layers):
        for state in layer & children.keys():
            labels[state] = label_of(state, [labels[child] for child in children[state]])
    return len(labels), labels[start][0]


def with_networkx() -> tuple[int, int]:
    """A DiGraph, built breadth first, with values computed in reverse topological order."""
    import networkx as nx

    start = "." * CELLS
    graph, queue = nx.DiGraph(), deque([start])
    graph.add_node(start)
    while queue:
        state = queue.popleft()
        value = utility(state)
        if value is not None:
            graph.nodes[state]["label"] = value, 0
            continue
        for child in moves(state):
            if child not in graph:
                queue.append(child)
            graph.add_edge(state, child)
    for state in reversed(list(nx.topological_sort(graph))):
        if options := [graph.nodes[child]["label"] for child in graph[state]]:
            graph.nodes[state]["label"] = label_of(state, options)
    return len(graph), graph.nodes[start]["label"][0]


def with_easyai() -> tuple[int, int]:
    """easyAI's depth-first solver with its transposition table, which has the value of the start."""
    from easyAI import AI_Player, TranspositionTable, TwoPlayerGame
    from easyAI.AI.solving import solve_with_depth_first_search

    lines_at = [[cells for cells in LINES if cell in cells] for cell in range(CELLS)]

    class Grid(TwoPlayerGame):  # type: ignore[misc]
        """The board, written like easyAI's own games: moves are made and unmade on a list."""

        def __init__(self) -> None:
            self.players = [AI_Player(None), AI_Player(None)]
            self.board = [0] * CELLS
            self.current_player = 1
            self.made: list[int] = []

        def possible_moves(self) -> list[int]:
            empty = [cell for cell in range(CELLS) if not self.board[cell]]
            if FAMILY == "mnk":
                return empty
            return [cell for cell in empty if cell + COLUMNS >= CELLS or self.board[cell + COLUMNS]]

        def make_move(self, move: int) -> None:
            self.board[move] = self.current_player
            self.made.append(move)

        def unmake_move(self, move: int) -> None:
            self.board[move] = 0
            self.made.pop()

        def lose(self) -> bool:
            """Whether the opponent has just completed a row."""
            completed = lines_at[self.made[-1]] if self.made else []
            return any(all(self.board[cell] == self.opponent_index for cell in cells) for cells in completed)

        def is_over(self) -> bool:
            return self.lose() or len(self.made) == CELLS

        def scoring(self) -> int:
            return -100 if self.lose() else 0

        def ttentry(self) -> tuple[int, ...]:
            return tuple(self.board)

    table = TranspositionTable()
    value = solve_with_depth_first_search(Grid(), win_score=90, tt=table)
    return len(table.d), value


def with_openspiel() -> tuple[int, int]:
    """OpenSpiel's own game, and its own value iteration over all states."""
    import pyspiel
    from open_spiel.python.algorithms import value_iteration

    connect, mnk = f"rows={ROWS},columns={COLUMNS},x_in_row={K}", f"m={COLUMNS},n={ROWS},k={K}"
    game = pyspiel.load_game(f"connect_four({connect})" if FAMILY == "connect" else f"mnk({mnk})")
    values = value_iteration.value_iteration(game, depth_limit=-1, threshold=0.01)
    return len(values), round(values[str(game.new_initial_state())])


if __name__ == "__main__":
    states, value = globals()[NAME]()
    print(json.dumps({"states": states, "value": value}))
