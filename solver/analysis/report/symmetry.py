"""The symmetries of the rules: whether they preserve the game, and how many symmetry classes there are."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from solver.analysis.report.figures import Figure, amount, as_dicts, mean, share
from solver.database import Database
from solver.errors import BrokenRules
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.rules.arrays import Keys, image_of
from solver.rules.asking import symmetries_of
from solver.rules.check.answers import Fault, answers
from solver.rules.check.symmetry import faults_of_symmetries
from solver.rules.failures import rules_asked
from solver.rules.notation import read_position
from solver.system.words import number_of

TRIED = 100
"""The number of positions in which the symmetries are tested to commute with play."""


class SymmetryFigures(NamedTuple):
    """The figures of the symmetries of the rules; the names of the fields are keys in JSON."""

    symmetries: int
    """The number of symmetries without the identity."""
    fault: str | None
    """The first fault of a symmetry, in words; None if there is none in the tested positions."""
    tried: int
    """The number of tested positions."""
    keep_start: int
    """The number of symmetries that map the start to itself."""
    orbit: Figure | None
    """The mean number of distinct positions in the class of a position."""
    classes: Figure | None
    """The number of classes of symmetric positions; None unless all symmetries preserve the only start."""
    folded: bool
    """Whether the file has one position of each class."""
    exchanged: bool
    """Whether the classes of the file also contain positions with the players exchanged."""

    @property
    def exact(self) -> bool:
        """Whether the figures in words are exact; without symmetries there are none."""
        return not self.symmetries or self.orbit is None or self.orbit.exact

    def as_dict(self) -> dict[str, Any]:
        """The figures for JSON."""
        return {**self._asdict(), **as_dicts({"orbit": self.orbit, "classes": self.classes})}

    def in_words(self) -> str:
        """Whether the symmetries preserve the game, and the number of classes, in words."""
        if not self.symmetries:
            classes = " A class is a position and the same with exchanged players." if self.exchanged else ""
            return f"The rules have no symmetries.{classes}"
        fault = "no fault" if self.fault is None else f"a fault ({self.fault})"
        sentences = [
            f"Symmetries besides the identity: {self.symmetries}; that map the start to itself: "
            f"{self.keep_start}.",
            f"A test in {number_of(self.tried, 'position')} shows {fault}.",
        ]
        if self.classes is not None:
            classes = f"{self.classes.value:,.0f}"
            if self.classes.interval is not None:
                low, high = self.classes.interval
                classes = f"about {classes} ({low:,.0f} to {high:,.0f})"
            file = "; the file has one position of each" if self.folded else ""
            there = "is 1 class" if self.classes.value == 1 else f"are {classes} classes"
            sentences.append(f"There {there} of symmetric positions{file}.")
        if self.orbit is not None:
            of = "a class" if self.folded else "the class of a position"
            sentences.append(f"On average, {of} has {amount(self.orbit)} positions.")
        if self.exchanged:
            sentences.append("Each class also contains its positions with exchanged players.")
        return " ".join(sentences)


def symmetry_of(db: Database, states: Sequence[Any]) -> SymmetryFigures:
    """The figures of the symmetries, given a uniform sample of the states of a file."""
    game, start = db.game, read_position(db.game, db.start)
    symmetries = symmetries_of(game)
    try:
        tried = {state: answers(game, state) for state in states[:: max(1, len(states) // TRIED)]}
    except Fault as error:
        raise BrokenRules(error.words) from error
    fault = next((symmetry.words for symmetry in faults_of_symmetries(game, tried)), None)
    sizes = _orbit_sizes(game, states)
    inverse, exact = 1 / sizes, len(states) == len(db)
    shares = share(float(inverse.sum()), len(sizes), float((inverse * inverse).sum()), exact=exact)
    orbit = mean(float(sizes.sum()), float((sizes * sizes).sum()), len(sizes), exact=exact)
    keep_start = sum(symmetry.state(start) == start for symmetry in symmetries)
    keeps_starts = keep_start == len(symmetries) and (db.starts == 1 or not symmetries)
    classes = None if shares is None or not keeps_starts else shares.times(len(db))
    return SymmetryFigures(
        len(symmetries),
        fault,
        len(tried),
        keep_start,
        orbit,
        Figure(float(len(db))) if db.folded else classes,
        db.folded,
        db.folding.is_signed,
    )


def _orbit_sizes(game: AnyGame, states: Sequence[Any]) -> Keys:
    symmetries = symmetries_of(game)
    if not isinstance(game, PackedGame):
        with rules_asked(game, "symmetries"):
            numbers = [len({state, *(symmetry.state(state) for symmetry in symmetries)}) for state in states]
        return np.array(numbers, np.int64)
    keys = np.array(states, np.int64)
    images = [image_of(game, symmetry.state, keys) for symmetry in symmetries]
    sizes: Keys = 1 + (np.diff(np.sort([keys, *images], axis=0), axis=0) != 0).sum(axis=0)
    return sizes
