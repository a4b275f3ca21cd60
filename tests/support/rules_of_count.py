"""The text of a rules file: a short game, of which tests make files and spoil copies."""

RULES = '''
from solver import Game


class Count(Game):
    """Count to three; whoever says three loses."""

    initial = 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return [1] if state < 3 else []

    def result(self, state, action):
        return state + action

    def utility(self, state):
        return -1
'''
