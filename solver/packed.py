"""Packed games: states are integers, and the rules take one state or a whole array of states.

A state is a non-negative integer below 2**63 and an action a number in `range(action_count)`. The rules use
only operators (``& | ^ << >> + - * == != <``), which Python integers and NumPy arrays share.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, TypeAlias

from solver.game import Game

Packed: TypeAlias = Any
"""An int (one state) or an integer array (many states)."""

OPTIONAL_RULES = ("ply", "tier", "exchanged")
"""The rules that return None where a game does not define them."""

STATE_BITS = 63
"""Bits of a state, so that it fits into a signed 64-bit integer."""


def bit_count(bits: Packed) -> Packed:
    """The number of set bits: it adds adjacent bits, then pairs, then groups of four, and so on.

    Source: Henry S. Warren, *Hacker's Delight*, section 5-1.
    """
    bits = bits - (bits >> 1 & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    bits = bits + (bits >> 8)
    bits = bits + (bits >> 16)
    return (bits + (bits >> 32)) & 0x7F


def short(numbers: Packed) -> Packed:
    """The numbers as int16 if they are an array; an int unchanged. All are in [-2**15, 2**15).

    NumPy computes with int16 in a quarter of the time; intermediate results must stay in this range.
    """
    return numbers.astype("int16") if hasattr(numbers, "astype") else numbers


class PackedGame(Game[int, int]):
    """A `Game` whose rules are arithmetic on an int, or elementwise on an int64 array."""

    @property
    @abstractmethod
    def action_count(self) -> int:
        """The number of actions; they are numbered from 0."""

    @abstractmethod
    def to_move(self, state: Packed) -> Packed:
        """The player to move: 0 or 1."""

    @abstractmethod
    def is_terminal(self, state: Packed) -> Packed:
        """Whether the game is over."""

    @abstractmethod
    def legal(self, state: Packed, action: int) -> Packed:
        """Whether `action` may be played in a state that is not terminal."""

    @abstractmethod
    def result(self, state: Packed, action: int) -> Packed:
        """The state after `action`, a legal one."""

    @abstractmethod
    def utility(self, state: Packed) -> Packed:
        """The utility of a terminal state for the first player."""

    def ply(self, state: Packed) -> Packed:
        """The ply of `state`, counted from any fixed number; None if the rules do not define it.

        Plies make lookups faster. Wherever correctness depends on them, they are checked.
        """
        return None

    def tier(self, state: Packed) -> Packed:
        """The tier of `state`, an integer that no move decreases; None if the rules do not define it.

        Symmetric states have the same tier. A solved game with loops is stored tier by tier, so that only one
        tier of states need be in memory at a time.
        """
        return None

    def exchanged(self, state: Packed) -> Packed:
        """The state with the players exchanged; None if the rules do not define it.

        There the other player is to move, utilities are negated, and moves lead to the exchanged children.
        The mapping is its own inverse and preserves the tier. Only games in which the players alternate can
        define it. Large games with loops are solved for one state of each such pair.
        """
        return None

    def candidates(self, state: int) -> Sequence[int]:
        """A superset of the legal actions in one state, in ascending order; by default, all actions.

        With many actions, a small superset makes `actions` faster.
        """
        return range(self.action_count)

    def actions(self, state: int) -> tuple[int, ...]:
        """The legal actions in one state, in ascending order."""
        if self.is_terminal(state):
            return ()
        return tuple(action for action in self.candidates(state) if self.legal(state, action))
