"""The ends of play with random moves: who wins, and after how many plies."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from solver.analysis.report.contents import Piece, StackPlot
from solver.analysis.report.counted import SIDES
from solver.analysis.report.figures import Figure, about, amount, as_dicts, mean, percent, share
from solver.database import wording
from solver.game import outcome_sign
from solver.rules.arrays import Flags, Keys
from solver.system.words import number_of

MAX_PLIES_SHOWN = 60
"""The length up to which all lengths are plotted; greater lengths are up to the 99.9th percentile."""

UNFINISHED = None
"""The utility of a game that was given up."""


@dataclass
class Ends:
    """The distribution of the ends of play: probabilities if exact, otherwise numbers of games."""

    exact: bool
    counts: dict[tuple[int | None, int], float] = field(default_factory=dict)
    """The counts by utility for the first player, or `UNFINISHED`, and by length in plies."""
    impossible: frozenset[str] = frozenset()
    """The ways in which play cannot end, of `first`, `draw` and `second`."""

    @property
    def games(self) -> float:
        """The number of games; if exact, the sum of the probabilities, which is 1."""
        return sum(self.counts.values())

    def after(self, plies: int) -> "Ends":
        """The same ends, each after `plies` further plies."""
        later = {(utility, length + plies): count for (utility, length), count in self.counts.items()}
        return Ends(self.exact, later, self.impossible)

    def without(self, impossible: Collection[str]) -> "Ends":
        """The same ends, with ways known to be impossible, whose shares are exactly 0."""
        return Ends(self.exact, self.counts, frozenset(impossible))

    def add(self, utility: int | None, plies: int, count: float) -> None:
        """Add `count` games, or a probability, with this utility and length."""
        key = utility, plies
        if count:
            self.counts[key] = self.counts.get(key, 0) + count

    def figures(self) -> dict[str, Figure | None]:
        """The shares of the ways in which play ends, and its mean utility and length in plies."""
        games, ways = round(self.games), {"first": 0.0, "draw": 0.0, "second": 0.0, "unfinished": 0.0}
        for (utility, _), count in self.counts.items():
            ways["unfinished" if utility is UNFINISHED else SIDES[outcome_sign(utility)]] += count
        finished = [
            (utility, plies, count) for (utility, plies), count in self.counts.items() if utility is not None
        ]
        shares = {way: share(number, games, exact=self.exact) for way, number in ways.items()}
        return {
            **shares,
            **dict.fromkeys(self.impossible, Figure(0.0)),
            "utility": self._mean([(utility, count) for utility, _, count in finished]),
            "plies": self._mean([(plies, count) for _, plies, count in finished]),
        }

    @property
    def given_up(self) -> int | None:
        """The plies after which games were given up; None if no game was."""
        return next((plies for utility, plies in self.counts if utility is UNFINISHED), None)

    @property
    def lengths(self) -> dict[int, float]:
        """The share of each length in plies among the games that end."""
        counts: dict[int, float] = {}
        for (utility, plies), count in self.counts.items():
            if utility is not UNFINISHED:
                counts[plies] = counts.get(plies, 0) + count
        whole = sum(counts.values())
        return {plies: counts[plies] / whole for plies in sorted(counts)}

    def as_dict(self) -> dict[str, Any]:
        """The ends for JSON."""
        lengths = {str(plies): round(part, 6) for plies, part in self.lengths.items()}
        return {
            "exact": self.exact,
            "games": None if self.exact else round(self.games),
            **as_dicts(self.figures()),
            "given_up_after": self.given_up,
            "shortest": min(self.lengths, default=None),
            "longest": max(self.lengths, default=None),
            "lengths": lengths,
        }

    def in_words(self, *, layered: bool) -> str:
        """The lengths of games in words, and whether they end; in a `layered` game they must."""
        games, figures, lengths = number_of(round(self.games), "game"), self.figures(), self.lengths
        words = f"none of {games} ended"
        if len(lengths) > 1:
            words = f"{amount(figures['plies'])} plies on average, {min(lengths):,} to {max(lengths):,}"
        elif lengths:
            words = wording.plies(max(lengths))
        if self.given_up is None:
            return words if self.exact or len(lengths) > 1 else f"{words} in each of {games}"
        unfinished = f", but {percent(figures['unfinished'])} of {games} did not end" if lengths else ""
        return f"{'' if layered else 'need not end: '}{words}{unfinished} within {self.given_up:,} plies"

    def in_short(self, *, layered: bool) -> str:
        """The length of games as the end of a sentence: "lasts 9 plies", "need not end"."""
        lengths, mean = self.lengths, self.figures()["plies"]
        if mean is None:
            return f"lasts more than {self.given_up:,} plies" if layered else "need not end"
        words = (
            f"{about(mean, is_share=False)} plies on average"
            if len(lengths) > 1
            else wording.plies(max(lengths))
        )
        return f"lasts {words}{'' if self.given_up is None else ' if it ends'}"

    def plot(self, name: str) -> Iterator[Piece]:
        """The plot of lengths, unless all are equal; rare great lengths are left out."""
        shown, seen = list[tuple[int, list[float]]](), 0.0
        for at, part in self.lengths.items():
            shown.append((at, [part]))
            seen += part
            if seen > 0.999 and at > MAX_PLIES_SHOWN:
                break
        if len(self.lengths) > 1:
            yield StackPlot(f"Length of {name} play", "plies", shown)

    def _mean(self, numbers: list[tuple[int, float]]) -> Figure | None:
        total = sum(number * count for number, count in numbers)
        squares = sum(number * number * count for number, count in numbers)
        return mean(total, squares, round(sum(count for _, count in numbers)), exact=self.exact)


def ends_of(
    states: Keys,
    over: Callable[[Keys], Flags],
    utilities: Callable[[Keys], Keys],
    step: Callable[[Keys], Keys],
    longest: int,
) -> Ends:
    """The ends of one game from each state, with moves made by `step`; given up after `longest` plies.

    A step may drop states from which play never ends.
    """
    ends, games = Ends(exact=False), len(states)
    for plies in range(longest + 1):
        if (is_over := over(states)).any():
            ended = np.unique(utilities(states[is_over]), return_counts=True)
            for utility, count in zip(*ended, strict=True):
                ends.add(int(utility), plies, int(count))
            states = states[~is_over]
        if not len(states):
            break
        states = step(states)
    ends.add(UNFINISHED, longest, games - ends.games)
    return ends


def one_of(begins: Keys, numbers: Keys, generator: np.random.Generator) -> Keys:
    """A uniformly random index from each range, given their `begins` and lengths `numbers`."""
    return begins + (generator.random(len(begins)) * numbers).astype(np.int64)


def joined(parts: list[tuple[float, Ends]]) -> Ends:
    """The ends of play that begins in one of several ways, given the probability and the ends of each.

    The ways that are not exact must have numbers of games proportional to their probabilities.
    """
    played = [(weight, ends.games) for weight, ends in parts if not ends.exact]
    games = sum(number for _, number in played) / sum(weight for weight, _ in played) if played else 1
    whole = Ends(not played)
    for weight, ends in parts:
        for (utility, plies), count in ends.counts.items():
            whole.add(utility, plies, count * weight * games if ends.exact else count)
    return whole
