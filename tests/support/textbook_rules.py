"""Rules files for the interface of aima-python, as students write them."""

GAMES = '''
from collections import namedtuple

GameState = namedtuple("GameState", "to_move, utility, board, moves")


class Game:
    """The base class of aima-python."""

    def actions(self, state):
        raise NotImplementedError

    def result(self, state, move):
        raise NotImplementedError

    def utility(self, state, player):
        raise NotImplementedError

    def terminal_test(self, state):
        return not self.actions(state)

    def to_move(self, state):
        return state.to_move


class Fig52Game(Game):
    """The game of Figure 5.2."""

    succs = dict(
        A=dict(a1="B", a2="C", a3="D"),
        B=dict(b1="B1", b2="B2", b3="B3"),
        C=dict(c1="C1", c2="C2", c3="C3"),
        D=dict(d1="D1", d2="D2", d3="D3"),
    )
    utils = dict(B1=3, B2=12, B3=8, C1=2, C2=4, C3=6, D1=14, D2=5, D3=2)
    initial = "A"

    def actions(self, state):
        return list(self.succs.get(state, {}))

    def result(self, state, move):
        return self.succs[state][move]

    def utility(self, state, player):
        return self.utils[state] if player == "MAX" else -self.utils[state]

    def terminal_test(self, state):
        return state in self.utils

    def to_move(self, state):
        return "MIN" if state in "BCD" else "MAX"


class TicTacToe(Game):
    """Three in a row, for X and O."""

    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        moves = [(x, y) for x in range(1, h + 1) for y in range(1, v + 1)]
        self.initial = GameState(to_move="X", utility=0, board={}, moves=moves)

    def actions(self, state):
        return state.moves

    def result(self, state, move):
        board = {**state.board, move: state.to_move}
        won = any(self.reaches(board, move, step) for step in ((0, 1), (1, 0), (1, -1), (1, 1)))
        return GameState(
            to_move="O" if state.to_move == "X" else "X",
            utility=won * (1 if state.to_move == "X" else -1),
            board=board,
            moves=[each for each in state.moves if each != move],
        )

    def utility(self, state, player):
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state):
        return state.utility != 0 or not state.moves

    def reaches(self, board, move, step):
        """Whether there are k marks in a row through a move."""
        length = 1
        for sign in (1, -1):
            x, y = move[0] + sign * step[0], move[1] + sign * step[1]
            while board.get((x, y)) == board[move]:
                length, x, y = length + 1, x + sign * step[0], y + sign * step[1]
        return length >= self.k


class ConnectFour(TicTacToe):
    """Marks fall down."""

    def actions(self, state):
        return [(x, y) for x, y in state.moves if y == 1 or (x, y - 1) in state.board]


class Shuffled(TicTacToe):
    """The moves of a state are in an order that depends on the way to it."""

    def __init__(self, h=2, v=3, k=2):
        super().__init__(h, v, k)

    def result(self, state, move):
        after = super().result(state, move)
        return after._replace(moves=after.moves[move[0] :] + after.moves[: move[0]])


class Lamp(Game):
    """Switch a lamp four times, or leave; whoever does the last thing wins. Boards do not tell the time."""

    initial = GameState("X", 0, {"lamp": False}, ["leave", "switch"])

    def actions(self, state):
        return set(state.moves)

    def result(self, state, move):
        plies = state.utility + 1
        lamp = not state.board["lamp"] if move == "switch" else state.board["lamp"]
        moves = ["leave", "switch"] if move == "switch" and plies < 4 else []
        return GameState("O" if state.to_move == "X" else "X", plies, {"lamp": lamp}, moves)

    def utility(self, state, player):
        return -1 if player == state.to_move else 1


class Low(Lamp):
    """Only the cells of the lowest row are moves."""

    initial = GameState("X", 0, [["."] * 3] * 2, [(1, 0), (1, 1), (1, 2)])

    def terminal_test(self, state):
        return True


class Rows:
    """Three in a row on a list of lists, whose states have no fields."""

    initial = [[None] * 3 for _ in range(3)]

    def to_move(self, board):
        return "XO"[sum(mark is not None for row in board for mark in row) % 2]

    def actions(self, board):
        return {(row, column) for row in range(3) for column in range(3) if board[row][column] is None}

    def result(self, board, move):
        after = [list(row) for row in board]
        after[move[0]][move[1]] = self.to_move(board)
        return after

    def winner(self, board):
        slanted = [[board[at][at] for at in range(3)], [board[at][2 - at] for at in range(3)]]
        lines = [*board, *zip(*board), *slanted]
        return next((line[0] for line in lines if line[0] and len(set(line)) == 1), None)

    def is_terminal(self, board):
        return self.winner(board) is not None or not self.actions(board)

    def utility(self, board, player):
        return 0 if self.winner(board) is None else 1.0 if self.winner(board) == player else -1.0


class NoEnd:
    to_move = actions = result = utility = None


class NoStart(Game):
    pass


class NoRules:
    pass


class Unfair(Fig52Game):
    def utility(self, state, player):
        return 1


class Three(Fig52Game):
    def to_move(self, state):
        return 1 + "ABC".index(state[0])


class Namesakes(Fig52Game):
    def to_move(self, state):
        return 1 if state == "A" else "1"


small = ConnectFour(2, 3, 2)
'''
