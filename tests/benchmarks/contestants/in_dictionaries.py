"""Solves a board in plain dictionaries, as one writes it in an hour: play forwards, then label backwards.

Prints the number of states and the value of the start as JSON.
"""

import json

from tests.benchmarks.contestants.grid import asked, lines

BOARD = asked()
LINES = lines(BOARD)
CELLS = BOARD.rows * BOARD.columns

State = str
"""A mark for each cell: x, o or a dot."""


def moves(state: State) -> list[State]:
    """What the player to move can turn the board into."""
    mark = "x" if state.count("x") == state.count("o") else "o"
    return [state[:cell] + mark + state[cell + 1 :] for cell in range(CELLS) if playable(state, cell)]


def playable(state: State, cell: int) -> bool:
    """Whether a mark may be put into a cell: the rows are numbered from the top."""
    below = cell + BOARD.columns
    return state[cell] == "." and (BOARD.family == "mnk" or below >= CELLS or state[below] != ".")


def utility(state: State) -> int | None:
    """1 where x has won, -1 where o has, 0 where the board is full; None where play goes on."""
    for cells in LINES:
        if state[cells[0]] != "." and len({state[cell] for cell in cells}) == 1:
            return 1 if state[cells[0]] == "x" else -1
    return None if "." in state else 0


def main() -> None:
    """Print what was found."""
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
            sign = 1 if state.count("x") == state.count("o") else -1
            options = [labels[child] for child in children[state]]
            gain = max(sign * value for value, _ in options)
            plies = [1 + remoteness for value, remoteness in options if sign * value == gain]
            labels[state] = sign * gain, min(plies) if gain > 0 else max(plies)
    print(json.dumps({"states": len(labels), "value": labels[start][0]}))


if __name__ == "__main__":
    main()
