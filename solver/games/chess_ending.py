"""Chess endings without pawns: every way to set up a few pieces, either side to move.

A state is one integer, as in `solver.games.chess_material`: the side to move and the squares of the pieces.
An action is an index of the moves in `solver.games.chess_moves`: a kind of piece and the square it enters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from re import fullmatch

from solver.errors import BadParameter, UnreadablePosition
from solver.game import Look, Symmetry
from solver.games.chess_geometry import Place
from solver.games.chess_material import Material, turned
from solver.games.chess_moves import Moves
from solver.games.chess_pieces import FILES, TAKEN, fen_board, fen_marks
from solver.games.chess_set_ups import set_ups
from solver.games.sides import unreadable
from solver.packed import Packed, PackedGame, bit_count

MOST_PIECES = 5
"""The most pieces of an ending; five have two billion initial states."""

LOOK = Look(
    owners=dict.fromkeys("KQRBN", 0) | dict.fromkeys("kqrbn", 1),
    glyphs=dict(zip("KQRBNkqrbn", "♔♕♖♗♘♚♛♜♝♞", strict=True)),
    ground="chequered",
)


@dataclass(frozen=True)
class ChessEnding(PackedGame):
    """Mate with the given pieces, white's first, each side with a king: KQK is queen against king.

    There may be 5 pieces. Play begins in any legal position. Stalemate is a draw, and so is what no mate can
    come from: bare kings, or one bishop or knight with them. The move `Qb2` takes a queen to b2; where a side
    has two queens, it says from where: `Qa1b2`.
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
    def title(self) -> str:
        """The game and the pieces."""
        return f"Chess ending {self.pieces}"

    @property
    def initial(self) -> int:
        """The first of the initial states."""
        return next(self.initial_states())

    def initial_states(self) -> Iterator[int]:
        """Every legal position with all the pieces, white to move, then black."""
        for side, first in product((0, 1), product(range(64), repeat=len(self.pieces) - 2)):
            if self._material.are_apart(first):
                yield from set_ups(self._moves, side, first)

    @property
    def action_count(self) -> int:
        """One action for each kind of piece and square, or each two squares if a side has two of the kind."""
        return len(self._moves.table)

    def to_move(self, state: Packed) -> Packed:
        """0 when white is to move, 1 when black is."""
        return state & 1

    def candidates(self, state: int) -> Sequence[int]:
        """The moves of the pieces of the side to move on an empty board."""
        squares = self._material.squares(state)
        own = ((self.pieces[number], squares[number]) for number in self._material.sides[state & 1])
        return sorted(move for letter, square in own for move in self._moves.from_square(letter, square))

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether a piece of the side to move goes there and leaves its king safe."""
        return self._moves.is_legal(state, action)

    def result(self, state: Packed, action: int) -> Packed:
        """The position after the move, the other side to move."""
        return self._moves.result(state, action)

    def is_terminal(self, state: Packed) -> Packed:
        """Whether the side to move has no move, or no mate can come about."""
        return self._material.is_dead(state) | self._moves.is_stuck(state)

    def utility(self, state: Packed) -> Packed:
        """1 when black is mated, -1 when white is, 0 in a stalemate or a dead position."""
        places = self._moves.places(state)
        mates = self._moves.is_check(places, by=0) * 1 - self._moves.is_check(places, by=1) * 1
        return mates * (self._material.is_dead(state) == 0)

    def tier(self, state: Packed) -> Packed:
        """The number of pieces taken."""
        return bit_count(state & self._material.taken)

    def action_name(self, action: int) -> str:
        """The move in algebraic notation."""
        return str(self._moves.table[action])

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
        if self._moves.is_check([Place(square) for square in squares], by=side):
            raise self._unreadable(text)
        return int(self._material.ordered(self._material.packed(side, squares)))

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """The rows from the eighth down: letters as in FEN, white's capital, or ""."""
        marks = self._material.marks(state)
        return [marks[row * 8 : row * 8 + 8] for row in reversed(range(8))]

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The squares, such as `a8`, the first one."""
        return [[f"{file}{rank}" for file in FILES] for rank in range(8, 0, -1)]

    def show(self, state: int) -> str:
        """The board in lines with the names of rows and files."""
        rows = [
            f"{8 - number} {' '.join(mark or '.' for mark in row)}"
            for number, row in enumerate(self.board(state))
        ]
        return "\n".join([*rows, f"  {' '.join(FILES)}"])

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflections and rotations of the board: without pawns no direction differs."""
        return self._symmetries

    def states_at_most(self) -> int:
        """Two (for the side to move) times the ways to place the pieces; all but kings may be taken."""
        return int(2 * 64**2 * 65 ** (len(self.pieces) - 2))

    def _unreadable(self, text: str) -> UnreadablePosition:
        example = self.position(self.initial)
        return unreadable(text, f"a legal position of {self.pieces} in FEN, such as {example!r}")

    def _symmetry(self, transposed: bool, flipped: int) -> Symmetry[int, int]:
        images = [turned(square, 1, transposed=transposed, flipped=flipped) for square in range(64)]
        return Symmetry(
            lambda state: self._material.turned(state, transposed=transposed, flipped=flipped),
            [self._moves.numbers[move.turned(images)] for move in self._moves.table].__getitem__,
        )

    @cached_property
    def _symmetries(self) -> Sequence[Symmetry[int, int]]:
        turns = product((False, True), (0, 7, 56, 63))
        return tuple(self._symmetry(transposed, flipped) for transposed, flipped in turns)[1:]

    @cached_property
    def _material(self) -> Material:
        return Material(self.pieces)

    @cached_property
    def _moves(self) -> Moves:
        return Moves(self._material)
