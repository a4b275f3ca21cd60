# aima_5_2.py
from solver import Game

TREE = {"A": "BCD", "B": [3, 12, 8], "C": [2, 4, 6], "D": [14, 5, 2]}


class Figure(Game):
    """The game tree of figure 5.2 in Russell and Norvig, Artificial Intelligence, 4th edition."""

    title = "figure 5.2"
    players = ("MAX", "MIN")
    initial = "A"

    def to_move(self, state):
        return int(state in "BCD")

    def actions(self, state):
        return [f"{state.lower()}{number}" for number in (1, 2, 3)] if state in TREE else []

    def result(self, state, action):
        return TREE["A"][int(action[1]) - 1] if state == "A" else action

    def utility(self, state):
        return TREE[state[0].upper()][int(state[1]) - 1]
