"""Dobutsu shogi, also Animal shogi or Let's Catch the Lion!: shogi on three columns and four rows.

A state is one integer, as in `solver.games.dobutsu_pieces`. The rules are those by which T. Tanaka solved the
game: An analysis of a board game "Doubutsu Shogi", IPSJ SIG Technical Report, 2009-GI-22. He does not count
positions without a lion; here there are two, one for each winner, so taking a lion is a move like any other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb
from re import sub

from solver.game import Look, Symmetry
from solver.games.dobutsu_pieces import (
    CELLS,
    COLUMNS,
    DROPS,
    ENTERED,
    GAINS,
    HANDS,
    HELD,
    LION,
    MOVES,
    SECOND,
    SIDE,
    lion_arrived,
    lion_attackers,
    mirrored,
    upside_down,
)
from solver.games.grid import by_row, plain_cells, written
from solver.games.sides import last_mover_wins, unreadable
from solver.packed import Packed, PackedGame

LETTERS = ".GELCH...gelch"
"""The letters of the pieces, each at the number by which a cell holds it."""

ALL = sorted("GGEECCLL")
"""The pieces of a game, with C for a hen, too."""

WANTED = (
    "4 rows of 3 cells of G, E, L, C, H, small for the second player, or . then the pieces in hand "
    "or - then first or second: the side to move; 8 pieces in all, both lions on the board, or none"
)


def _held(side: int, numbers: Sequence[int]) -> str:
    """The letters of so many giraffes, elephants and chicks of a player."""
    letters = (LETTERS[SECOND * side + piece] for piece in HELD)
    return "".join(letter * number for letter, number in zip(letters, numbers, strict=True))


OWNERS = dict.fromkeys("LH", 0) | dict.fromkeys("lh", 1)
OWNERS |= {_held(side, each): side for side in (0, 1) for each in product(range(3), repeat=3) if any(each)}
"""The players by their marks on the board and by all that a hand can hold."""


@dataclass(frozen=True)
class Dobutsu(PackedGame):
    """Take the other lion, or bring your own to the far row where it cannot be taken.

    The pieces are lion, giraffe, elephant, chick and hen; the second player's letters are small. A chick that
    goes to the far row becomes a hen. Pieces taken may be put back: `C*b2` puts a chick on b2, `b3b2` goes
    there. A lion that can be taken must be; that clears the board.
    """

    title = "Dobutsu shogi"
    look = Look(owners=OWNERS)

    @property
    def action_count(self) -> int:
        """One action for each move on the board, then one for each drop."""
        return len(MOVES) + len(DROPS)

    @property
    def initial(self) -> int:
        """Each side's elephant, lion and giraffe, and a chick before the lion; the first player to move."""
        return self.parse("gle/.c./.C./ELG")

    def to_move(self, state: Packed) -> Packed:
        """The highest bit: 0 for the first player, 1 for the second."""
        return state >> SIDE

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether a piece goes that way, or is in hand and the cell empty; no other lion can be taken."""
        second, catching = _second(state), lion_attackers(state) != 0
        if action < len(MOVES):
            move = MOVES[action]
            moving, entered = state >> 4 * move.origin & 15, state >> 4 * move.target & 15
            goes = (move.movers >> (moving + 2 * second)) & (ENTERED >> (entered + 2 * second)) & 1 == 1
            return goes & ((entered & 7 == LION) == catching)
        drop = DROPS[action - len(MOVES)]
        in_hand, free = state >> (drop.held + second) & 3 != 0, state >> 4 * drop.target & 15 == 0
        return in_hand & free & (catching == 0)

    def result(self, state: Packed, action: int) -> Packed:
        """The board after the move or the drop, empty once a lion is taken; the other side to move."""
        second, turned = _second(state), state ^ 1 << SIDE
        if action < len(MOVES):
            move = MOVES[action]
            moving, entered = state >> 4 * move.origin & 15, state >> 4 * move.target & 15
            placed = moving | moving >> 2 & 1 if move.promotes else moving
            gained = (GAINS >> 8 * (entered & 7) & 63) << (HANDS + second)
            board = (turned ^ moving << 4 * move.origin ^ (entered ^ placed) << 4 * move.target) + gained
            return board & 1 << SIDE | (board & (1 << SIDE) - 1) * (entered & 7 != LION)
        drop = DROPS[action - len(MOVES)]
        return turned + ((drop.piece + second) << 4 * drop.target) - (1 << drop.held << second)

    def exchanged(self, state: Packed) -> Packed:
        """The board upside down with the pieces and the hands of the other side, which is to move."""
        return upside_down(state)

    def is_terminal(self, state: Packed) -> Packed:
        """Whether a lion is taken, or the other one has come to the far row and cannot be taken."""
        arrived = (lion_arrived(state) != 0) & (lion_attackers(state) == 0)
        return arrived | (state & (1 << SIDE) - 1 == 0)

    def utility(self, state: Packed) -> Packed:
        """1 when the first player has won, -1 when the second has: always the player who has just moved."""
        return last_mover_wins(state >> SIDE)

    def action_name(self, action: int) -> str:
        """The cells left and entered, or the piece put and the cell."""
        if action < len(MOVES):
            return _name(MOVES[action].origin) + _name(MOVES[action].target)
        drop = DROPS[action - len(MOVES)]
        return f"{LETTERS[drop.piece]}*{_name(drop.target)}"

    def position(self, state: int) -> str:
        """The rows from the top, the pieces in hand or `-`, and the side to move."""
        held = _hand(state, 0) + _hand(state, 1) or "-"
        return f"{written(_rows(state))} {held} {self.players[state >> SIDE]}"

    def parse(self, text: str) -> int:
        """The state of a text such as `gle/.../.C./ELG C second`; `...` may be `3`, as in shogi's SFEN.

        Without pieces in hand there are none; without a side the first player is to move.
        """
        words = text.split()
        side = self.players.index(words.pop().lower()) if words and words[-1].lower() in self.players else 0
        board, hand = (*words, "-")[:2] if 1 <= len(words) <= 2 else ("", "-")
        cells = plain_cells(sub("[1-9]", lambda empty: "." * int(empty[0]), board))
        held = hand if hand != "-" else ""
        found = sorted((cells.replace(".", "") + held).upper().replace("H", "C"))
        whole = found == ALL and {"L", "l"} <= set(cells) and not {"H", "h"} & set(held)
        if len(cells) != CELLS or (found and not whole):
            raise unreadable(text, WANTED)
        pieces = sum(LETTERS.index(mark) << 4 * cell for cell, mark in enumerate(cells))
        return pieces + sum(_in_hand(LETTERS.index(mark)) for mark in held) + (side << SIDE)

    def board(self, state: int) -> Sequence[Sequence[str]]:
        """The second player's hand as one cell, the rows from the top and the first player's hand."""
        return [[_hand(state, 1)], *_rows(state), [_hand(state, 0)]]

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The column as a letter and the row, counted from the top; none for the hands."""
        return [[""], *by_row([_name(cell) for cell in range(CELLS)], COLUMNS), [""]]

    def show(self, state: int) -> str:
        """The board in lines with the names of rows and columns, and beside it the pieces in hand."""
        hands = (_hand(state, 1), "", "", _hand(state, 0))
        rows = [
            f"{number} {' '.join(mark or '.' for mark in row)}  {hand}".rstrip()
            for number, row, hand in zip(range(1, 5), _rows(state), hands, strict=True)
        ]
        return "\n".join([*rows, "  a b c"])

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """The reflection of left and right."""
        return (Symmetry(mirrored, self._mirrored_actions.__getitem__),)

    def states_at_most(self) -> int:
        """The ways to have all pieces on the board or in a hand, or none at all, and either side to move."""
        return 2 * (self._arrangements + 1)

    @cached_property
    def _arrangements(self) -> int:
        ways = 0  # but for the lions
        for giraffes, elephants, chicks in product(range(3), repeat=3):  # on the board
            cells = comb(10, giraffes) * comb(10 - giraffes, elephants)
            cells *= comb(10 - giraffes - elephants, chicks)
            hands = (3 - giraffes) * (3 - elephants) * (3 - chicks)
            ways += cells * 2 ** (giraffes + elephants + 2 * chicks) * hands
        return CELLS * (CELLS - 1) * ways

    @cached_property
    def _mirrored_actions(self) -> list[int]:
        names = [self.action_name(action) for action in range(self.action_count)]
        return [names.index(name.translate(str.maketrans("ac", "ca"))) for name in names]


def _second(state: Packed) -> Packed:
    """`SECOND` if the second player is to move, otherwise 0."""
    return state >> (SIDE - 3) & SECOND


def _name(cell: int) -> str:
    """The column as a letter and the row, counted from the top."""
    return f"{'abc'[cell % COLUMNS]}{cell // COLUMNS + 1}"


def _rows(state: int) -> Sequence[Sequence[str]]:
    """The letters of the pieces on the board, row by row, or ""."""
    return by_row([LETTERS[state >> 4 * cell & 15].strip(".") for cell in range(CELLS)], COLUMNS)


def _hand(state: int, side: int) -> str:
    """The letters of the pieces in a player's hand."""
    return _held(side, [state >> (HANDS + 2 * kind + SECOND * side) & 3 for kind in range(len(HELD))])


def _in_hand(piece: int) -> int:
    """The state with nothing but this piece in the hand of its owner."""
    return 1 << (HANDS + 2 * HELD.index(piece & 7) + (piece & SECOND))
