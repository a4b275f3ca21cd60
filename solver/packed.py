"""Rules that hold for one state or for an array of a million: games whose states are integers.

A state is a non-negative integer below 2**63 and an action a number in `range(action_count)`. The rules are
written with operators only (``& | ^ << >> + - * == != <``): Python integers and NumPy arrays understand the
same expressions, so an int is one position and an array is a million.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, TypeAlias

from solver.game import Game

Packed: TypeAlias = Any
"""An int, or an integer array: a state, or as many states at once."""

OPTIONAL_RULES = ("ply", "tier", "exchanged")
"""The rules about states that may return None, for what they do not tell."""

STATE_BITS = 63
"""Bits of a state, so that it fits into a signed 64-bit integer."""


def bit_count(bits: Packed) -> Packed:
    """The number of bits that are set: adjacent bits are added, then pairs, then groups of four and so on.

    Source: Henry S. Warren, *Hacker's Delight*, section 5-1.
    """
    bits = bits - (bits >> 1 & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    bits = bits + (bits >> 8)
    bits = bits + (bits >> 16)
    return (bits + (bits >> 32)) & 0x7F


def short(numbers: Packed) -> Packed:
    """The same numbers, from -2**15 to below 2**15; an array has two bytes for each.

    NumPy computes with them in a quarter of the time, and so must not exceed these bounds on the way.
    """
    return numbers.astype("int16") if hasattr(numbers, "astype") else numbers


class PackedGame(Game[int, int]):
    """A `Game` by arithmetic. Each rule takes an int, or an int64 array and answers elementwise."""

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
        """The ply of `state`, counted from any fixed number; None if the rules do not tell.

        It makes lookups faster. It is checked wherever more depends on it.
        """
        return None

    def tier(self, state: Packed) -> Packed:
        """The tier of `state`: an integer that never falls along a move; None if the rules do not tell.

        Symmetric states are of one tier. For games in which play can return: a solved one is stored tier by
        tier, so that only states of one tier need to be at hand at a time.
        """
        return None

    def exchanged(self, state: Packed) -> Packed:
        """The state in which the players have changed places; None if the rules do not tell.

        The other player is to move there, utilities are negated, and the moves lead to the states in which
        the players of the children have changed places. It is the inverse of itself, and of the same tier.
        Only for games in which the players move in turns. Large games with loops are folded by it, too.
        """
        return None

    def candidates(self, state: int) -> Sequence[int]:
        """Actions among which the legal ones in one state are, in ascending order: by default all.

        Rules with many actions are asked faster about a single state if most are ruled out here.
        """
        return range(self.action_count)

    def actions(self, state: int) -> tuple[int, ...]:
        """The legal actions in one state, in ascending order."""
        if self.is_terminal(state):
            return ()
        return tuple(action for action in self.candidates(state) if self.legal(state, action))
