"""Statistics of a database, and the confidence interval of a share."""

from collections import Counter
from heapq import nsmallest
from itertools import chain, groupby
from math import floor, log10, sqrt
from operator import itemgetter
from statistics import NormalDist
from typing import Any

from solver.database import Database
from solver.database.entry import KindCount

CONFIDENCE = 0.95


def statistics(db: Database) -> dict[str, Any]:
    """The counts of a solved game in the form printed by `stats --json`."""
    start, counts = db[db.start], db.counts()
    ends = ("win", "loss") if db.endless == "draw" else ("win", "draw", "loss")
    outcomes, plies = _counts(counts, "outcome"), _counts(counts, "ply")
    return {
        "game": db.game_name,
        "parameters": db.parameters,
        "start": db.start,
        **({} if db.starts == 1 else {"starts": db.starts}),
        **({"folded": True} if db.folded else {}),
        **({} if db.endless == "draw" else {"endless": db.endless}),
        "states": sum(outcomes.values()),
        "terminal": sum(count.positions for count in counts if count.is_terminal),
        "moves": db.moves,
        "per_ply": None if None in plies else [plies[ply] for ply in sorted(plies)],
        "outcomes": {outcome: outcomes[outcome] for outcome in ("win", "draw", "loss")},
        "values": {str(value): number for value, number in sorted(_counts(counts, "value").items())[::-1]},
        "remoteness": {
            outcome: {str(plies): number for plies, number in by_remoteness(counts, outcome)}
            for outcome in ends
        },
        "value": start.value,
        "remoteness_of_start": start.remoteness,
        "best_move": start.best_move,
    }


def longest_wins(db: Database, limit: int = 5) -> list[tuple[str, int]]:
    """The longest wins of the player to move: at most `limit` positions, with their remoteness in plies.

    Positions of the least ply come first, then in alphabetical order.
    """
    wins = [count.remoteness or 0 for count in db.counts() if count.outcome == "win"]
    longest, positions = max(wins, default=0), list[str]()
    from solver.database.columns import Selection  # loads NumPy, which is slow to import

    parts = db.columns(("ply", "position"), Selection(outcome="win", remoteness=longest))
    rows = chain.from_iterable(zip(*(column.tolist() for column in part), strict=True) for part in parts)
    for _, group in groupby(rows, key=itemgetter(0)):
        positions += nsmallest(limit - len(positions), (position for _, position in group))
        if len(positions) == limit:
            break
    return [(position, longest) for position in positions]


def by_remoteness(counts: list[KindCount], outcome: str) -> list[tuple[int, int]]:
    """The remoteness of the positions with an outcome, if any, and their numbers, in ascending order."""
    numbers = _counts([count for count in counts if count.outcome == outcome], "remoteness")
    return sorted(pair for pair in numbers.items() if pair[0] is not None)


def _counts(counts: list[KindCount], column: str) -> Counter[Any]:
    numbers = Counter[Any]()
    for count in counts:
        numbers[getattr(count, column)] += count.positions
    return numbers


def wilson(successes: float, trials: int, squares: float | None = None) -> tuple[float, float]:
    """The Wilson score interval of a share, with `CONFIDENCE`; (0, 1) without trials.

    With `squares`, the interval of a mean of numbers in [0, 1]: `successes` is their sum, and `squares` the
    sum of their squares. As they vary less than Booleans, they count as more trials. With fewer successes,
    less is known of their variance, and the interval approaches that of Booleans.

    Sources: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of
    the American Statistical Association 22(158), 1927; for the trials L. Kish, *Survey Sampling*, 1965.
    """
    if not trials:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    share = successes / trials
    truths = successes - successes * share
    numbers = truths if squares is None else max(0.0, squares - successes * share)
    weight = z * z / trials * (numbers + z * z) / (truths + z * z)
    centre = (share + weight / 2) / (1 + weight)
    reach = sqrt(weight * (share * (1 - share) + weight / 4)) / (1 + weight)
    return max(0.0, centre - reach), min(1.0, centre + reach)


def percentages(interval: tuple[float, float]) -> str:
    """The interval of a share as text: "91.5 to 99.0%"."""
    low, high = (100 * bound for bound in interval)
    places = decimals(low, high, 1)
    return f"{low:.{places}f} to {high:.{places}f}%"


def decimals(low: float, high: float, least: int) -> int:
    """The number of decimals, at least `least`, that distinguish two different numbers."""
    return max(least, -floor(log10(high - low))) if high > low else least
