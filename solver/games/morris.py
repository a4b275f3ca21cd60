"""Morris: place stones in turn, then move them, and get three in a line.

A state has a plane of bits for x's stones and one for o's, as in `solver.games.planes`, and what
`solver.games.morris_rules` adds; x begins. A player who has not placed all stones yet places one (`4`), any
other moves one (`4-0`); after a mill, one is taken (`x4`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.errors import BadParameter, shown
from solver.game import Look, Symmetry
from solver.games.grid import mover_of_bits
from solver.games.morris_boards import BOARDS, MILL_BOARDS, Points
from solver.games.morris_rules import LineRules, MillRules
from solver.games.morris_text import PLAYERS, line_state, mill_state, text_of
from solver.games.planes import MarkedBoard
from solver.games.sides import last_mover_wins
from solver.packed import Packed

__all__ = ["BOARDS", "Morris"]

TITLES = {"three-mens-morris": "Three men's morris", "six": "Six men's morris"}
"""The names of variants that are not written as a parameter is."""


@dataclass(frozen=True)
class Morris(MarkedBoard):
    """Place stones, then move them along the lines to get three in a line; who cannot move loses.

    Three in a line win on the boards `tapatan` (diagonals to move along), `three-mens-morris` (none),
    `nine-holes` (moves to any point, no diagonals to win by), `achi` (tapatan with four stones) and
    `tsoro-yematatu` (seven points). On `six`, two squares, they take a stone, and who has two left loses; the
    last three stones do not fly. The move `4` places a stone, `4-0` moves one, `x4` takes one; points are
    numbered row by row from 0.
    """

    variant: str = "tapatan"

    players = PLAYERS

    def __post_init__(self) -> None:
        """Raise `BadParameter` for a variant that is not known."""
        if self.variant not in BOARDS | MILL_BOARDS:
            known = ", ".join(BOARDS | MILL_BOARDS)
            raise BadParameter(f"there is no variant {shown(self.variant)}; there are {known}")

    @property
    def title(self) -> str:
        """The variant."""
        return TITLES.get(self.variant, self.variant.capitalize().replace("-", " "))

    @property
    def look(self) -> Look:
        """Black and white stones on the ways, or in holes where a stone may go anywhere."""
        stones, ways = {"x": "●", "o": "◎"}, self._points.drawn
        return Look(glyphs=stones if ways else {**stones, "": "·"}, ground="open", ways=ways)

    @cached_property
    def cells(self) -> int:
        """The number of points."""
        return self._points.size

    def by_row(self, texts: Sequence[str]) -> Sequence[Sequence[str]]:
        """The marks at the points as rows of a picture."""
        return self._points.as_drawn(texts)

    @property
    def action_count(self) -> int:
        """One action for each point to place a stone on, way to move one, and point to take one from."""
        return self._rules.action_count

    def legal(self, state: Packed, action: int) -> Packed:
        """Whether a stone may be placed there, be moved that way, or be taken."""
        return self._rules.legal(state, action)

    def result(self, state: Packed, action: int) -> Packed:
        """The stone placed, moved or taken; the other side is to move, unless a mill has been closed."""
        return self._rules.result(state, action)

    def is_terminal(self, state: Packed) -> Packed:
        """Whether the side to move has lost: by three in a line, too few stones, or as it cannot move."""
        return self._rules.is_terminal(state)

    def tier(self, state: Packed) -> Packed:
        """The number of stones placed plus those taken."""
        return self._rules.tier(state)

    def utility(self, state: Packed) -> Packed:
        """1 when x has won, -1 when o has: always the player who has just moved."""
        return last_mover_wins(state & 1)

    def action_name(self, action: int) -> str:
        """The point of a new stone, or those that one leaves and enters, or `x` and that of a taken one."""
        points = "-".join(map(str, self._rules.steps(action)))
        return f"x{points}" if self._rules.is_taking(action) else points

    def position(self, state: int) -> str:
        """The points row by row, and what `solver.games.morris_text` adds."""
        return text_of(self._rules, state)

    def parse(self, text: str) -> int:
        """The state of a text such as `x../.o./...` or `xxo/o../.xo o`.

        Where three in a line win and it does not say who is to move, it is the side with fewer stones, or x.
        """
        rules = self._rules
        return mill_state(rules, text) if isinstance(rules, MillRules) else line_state(rules, text)

    @property
    def cell_names(self) -> Sequence[Sequence[str]]:
        """The numbers of the points."""
        return self.by_row([str(point) for point in range(self.cells)])

    def show(self, state: int) -> str:
        """The points in lines; an empty one shows its number."""
        rows = self.by_row([mark or str(point) for point, mark in enumerate(self.marks(state))])
        if self._points.columns:
            return "\n\n".join("  ".join(f"{text:>2}" for text in row).rstrip() for row in rows)
        return "\n\n".join("   ".join(row).center(9).rstrip() for row in rows)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        """Those of the board."""
        return tuple(self._symmetry(moved) for moved in self._points.turns)

    def _symmetry(self, moved: Sequence[int]) -> Symmetry[int, int]:
        image, ends = mover_of_bits(moved, planes=2), 1 + 2 * self.cells
        moves = [self._points.moves.index((moved[a], moved[b])) + self.cells for a, b in self._points.moves]
        taken = [point + self.cells + len(moves) for point in moved]
        return Symmetry(
            lambda state: image(state) | state >> ends << ends, [*moved, *moves, *taken].__getitem__
        )

    @cached_property
    def _rules(self) -> LineRules | MillRules:
        mills = MILL_BOARDS.get(self.variant)
        return MillRules(mills) if mills else LineRules(BOARDS[self.variant])

    @property
    def _points(self) -> Points:
        return self._rules.points
