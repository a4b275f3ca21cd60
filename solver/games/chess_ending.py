"""Chess endings without pawns: every way to set up a few pieces, either side to move.

A state is one integer, as in `solver.games.chess_material`: the side to move and the squares of the pieces.
An action is 64 times the square left plus the one entered.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from re import fullmatch

from solver.errors import BadParameter, UnreadablePosition
from solver.game import Game, Look, Symmetry
from solver.games.chess_material import Material
from solver.games.chess_pieces import FILES, TAKEN, fen_board, fen_marks
from solver.games.grid import turns
from solver.games.sides import last_mover_wins, unreadable

MOST_PIECES = 5
"""The most pieces of an ending; five have two billion initial states."""

LOOK = Look(
    owners=dict.fromkeys("KQRBN", 0) | dict.fromkeys("kqrbn", 1),
    glyphs=dict(zip("KQRBNkqrbn", "♔♕♖♗♘♚♛♜♝♞", strict=True)),
    ground="chequered",
)


@dataclass(frozen=True)
class ChessEnding(Game[int, int]):
    """Mate with the given pieces, white's first, each side with a king: KQK is queen against king.

    There may be 5 pieces. Play begins in any legal position. Stalemate is a draw, and so is what no mate can
    come from: bare kings, or one bishop or knight with them. The move `a1b2` goes from a1 to b2.
    """

    pieces: str = "KRK"

    players = ("white", "black")
    look = LOOK

    def __post_init__(self) -> None:
        """Raise `BadParameter` for anything but two kings, each followed by its pieces, and few enough."""
        if len(self.pieces) > MOST_PIECES:
            raise BadParameter(f"pieces can be at most {MOST_PIECES}, not {len(self.pieces)}")
        if not fullmatch("K[QRBN]*K[QRBN]*", self.pieces):
            raise BadParameter(
                f"pieces should be a K and white's pieces, then a K and black's, such as KQK or KQKR, of the "
                f"letters K, Q, R, B and N, not {self.pieces!r}"
            )

    @property
    def initial(self) -> int:
        """The first of the initial states."""
        return next(self.initial_states())

    def initial_states(self) -> Iterator[int]:
        """Every legal position with all the pieces, white to move, then black."""
        for side in (0, 1):
            for squares in permutations(range(64), len(self.pieces)):
                if self._material.is_normal(squares) and not self._can_take_king(side, squares):
                    yield self._material.packed(side, squares)

    def to_move(self, state: int) -> int:
        """0 when white is to move, 1 when black is."""
        return state & 1

    def actions(self, state: int) -> Sequence[int]:
        """The legal moves, piece by piece; none in a dead position."""
        squares = self._material.squares(state)
        if self._material.is_dead(squares):
            return ()
        return list(self._material.moves(state & 1, squares))

    def result(self, state: int, action: int) -> int:
        """The position after the move, the other side to move."""
        left, entered = divmod(action, 64)
        return self._material.packed(
            1 - (state & 1), self._material.played(self._material.squares(state), left, entered)
        )

    def utility(self, state: int) -> int:
        """1 when black is mated, -1 when white is, 0 in a stalemate or a dead position."""
        squares, side = self._material.squares(state), state & 1
        mate = not self._material.is_dead(squares) and self._material.attacked(
            squares, self._material.king(side), 1 - side
        )
        return int(mate * last_mover_wins(side))

    def action_name(self, action: int) -> str:
        """The square left and the square entered."""
        return "".join(f"{FILES[square % 8]}{square // 8 + 1}" for square in divmod(action, 64))

    def position(self, state: int) -> str:
        """The first two fields of the Forsyth-Edwards Notation: the board and the side to move."""
        return f"{fen_board(self._material.marks(state))} {'wb'[state & 1]}"

    def parse(self, text: str) -> int:
        """The state of a text such as `8/8/8/3k4/8/8/8/KR6 w`, or of a whole FEN of a legal position."""
        words = text.split()
        marks = fen_marks(words[0]) if len(words) in (2, 4, 6) and words[1] in ("w", "b") else None
        if marks is None or words[2:4] not in ([], ["-", "-"]):
            raise self._unreadable(text)
        left = {square: mark for square, mark in enumerate(marks) if mark}
        squares = []
        for letter in self._material.letters:
            squares.append(next((square for square, mark in left.items() if mark == letter), TAKEN))
            left.pop(squares[-1], None)
        side = "wb".index(words[1])
        if left or TAKEN in (squares[0], squares[self._material.white]):
            raise self._unreadable(text)
        if self._can_take_king(side, squares):
            raise self._unreadable(text)
        return self._material.packed(side, squares)

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """The rows from the eighth down: letters as in FEN, white's capital, or ""."""
        marks = self._material.marks(state)
        return [marks[row * 8 : row * 8 + 8] for row in reversed(range(8))]

    def show(self, state: int) -> str:
        """The board in lines with the names of rows and files."""
        rows = [
            f"{8 - number} {' '.join(mark or '.' for mark in row)}"
            for number, row in enumerate(self.board(state))
        ]
        return "\n".join([*rows, f"  {' '.join(FILES)}"])

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflections and rotations of the board: without pawns no direction differs."""
        return tuple(self._symmetry((*moved, TAKEN)) for moved in turns(8, 8))

    def states_at_most(self) -> int:
        """Two (for the side to move) times the ways to place the pieces; all but kings may be taken."""
        return int(2 * 64**2 * 65 ** (len(self.pieces) - 2))

    def _can_take_king(self, side: int, squares: Sequence[int]) -> bool:
        return self._material.attacked(squares, self._material.king(1 - side), side)

    def _unreadable(self, text: str) -> UnreadablePosition:
        example = self.position(self.initial)
        return unreadable(text, f"a legal position of {self.pieces} in FEN, such as {example!r}")

    def _symmetry(self, moved: tuple[int, ...]) -> Symmetry[int, int]:
        return Symmetry(
            lambda state: self._material.packed(
                state & 1, [moved[square] for square in self._material.squares(state)]
            ),
            lambda action: moved[action // 64] * 64 + moved[action % 64],
        )

    @cached_property
    def _material(self) -> Material:
        return Material(self.pieces)
