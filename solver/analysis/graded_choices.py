"""Choices of a player in states of a solved game, compared with the labels, and counts of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class GradedChoice:
    """One choice of a player, compared with the labels."""

    position: str
    """The position in which it was made."""
    ply: int | None
    """Plies since the start; None where lines of different length lead to the position."""
    remoteness: int | None
    """Plies from the position to the end under best play; None where play need not end."""
    move: str | int | None
    """The chosen move, by name; None if the player failed."""
    best: bool
    """Whether the move is one of the best."""
    keeps_value: bool
    """Whether it keeps the value of the position."""
    decisive: bool
    """Whether some move there loses value."""
    blunder: str | None
    """The kind of blunder, one of `BLUNDERS`; None if the outcome is kept."""
    loss: int
    """The absolute difference between the value of the position and that of the move."""
    plies: int
    """The remoteness of the missed win or of the new loss, in plies; 0 if there is neither."""
    failure: str | None = None
    """The error message of a player that gave no legal move, and so loses."""


@dataclass
class ChoiceCounts:
    """The number of choices, and how many of them are good."""

    states: int = 0
    """The number of states in which they were made."""
    choices: int = 0
    best: int = 0
    keeps_value: int = 0

    def add(self, choices: Sequence[GradedChoice]) -> None:
        """Count the choices in one state."""
        self.states += 1
        self.choices += len(choices)
        self.best += sum(each.best for each in choices)
        self.keeps_value += sum(each.keeps_value for each in choices)


@dataclass
class AllCounts(ChoiceCounts):
    """The counts of all choices."""

    decisive: ChoiceCounts = field(default_factory=ChoiceCounts)
    """The counts of those in states in which some move loses value."""

    def add(self, choices: Sequence[GradedChoice]) -> None:
        """Count the choices in one state."""
        super().add(choices)
        if choices[0].decisive:
            self.decisive.add(choices)
