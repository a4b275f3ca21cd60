"""Figures of a report in words: a share as 58.5% (58.2 to 58.8), a number of moves as 4.30."""

from collections.abc import Sequence

from exporters.report.contents import Quoted
from solver.analysis.report.ends import Ends
from solver.analysis.report.figures import Figure
from solver.analysis.report.report import Report
from solver.analysis.statistics import decimals
from solver.database.wording import plies

NONE = "-"
"""Stands for a figure, a ply or a remoteness that there is not."""

LONGEST = 300
"""Characters that are shown of a text of the game."""

ERRING = {"random": "moves at random", "one_ply": "looks one ply ahead", "two_plies": "looks two plies ahead"}
"""The players who err, in words."""

CHOICE = {
    "forced": "one move alone is legal",
    "one_keeps": "exactly one move keeps the value",
    "all_keep": "every move keeps the value",
}
"""What there is to choose, in words."""


def percent(figure: Figure | None) -> str:
    """A share, with its interval if it is an estimate; with two decimals below a tenth."""
    if figure is None:
        return NONE
    if figure.interval is None:
        return f"{figure.value:.2%}" if 0 < figure.value < 0.1 else f"{figure.value:.1%}"
    low, high = (100 * bound for bound in figure.interval)
    places = decimals(low, high, 2 if high < 10 else 1)
    return f"{figure.value:.{places}%} ({low:.{places}f} to {high:.{places}f})"


def amount(figure: Figure | None) -> str:
    """A mean, with its interval if it is an estimate."""
    if figure is None:
        return NONE
    if figure.interval is None:
        return f"{figure.value:,.2f}"
    low, high = figure.interval
    places = decimals(low, high, 2)
    return f"{figure.value:,.{places}f} ({low:,.{places}f} to {high:,.{places}f})"


def quoted(text: object) -> Quoted:
    """A text of the game, cut if it is very long."""
    shown = str(text)
    return Quoted(shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}...")


def listed(texts: Sequence[object]) -> list[str | Quoted]:
    """Several texts of the game, with commas between them."""
    words: list[str | Quoted] = []
    for text in texts:
        words += [", ", quoted(text)] if words else [quoted(text)]
    return words


def span(shortest: int, longest: int) -> str:
    """Lengths from one to another."""
    return plies(longest) if shortest == longest else f"{shortest:,} to {plies(longest)}"


def length(report: Report, ends: Ends) -> str:
    """How long games are, in words, and that they need not end where some were given up."""
    games, figures, lengths = f"{round(ends.games):,} games", ends.figures(), ends.lengths
    words = f"none of {games} ended"
    if len(lengths) > 1:
        words = f"{amount(figures['plies'])} plies in the mean, {min(lengths):,} to {max(lengths):,}"
    elif lengths:
        words = plies(max(lengths))
    if ends.given_up is None:
        return words if ends.exact or len(lengths) > 1 else f"{words} in each of {games}"
    unfinished = f", but {percent(figures['unfinished'])} of {games} did not end" if lengths else ""
    need_not = "" if report.counts.by == "ply" else "need not end: "
    return f"{need_not}{words}{unfinished} within {ends.given_up:,} plies"


def across(by: str) -> str:
    """What an axis of plies, or of remoteness, shows."""
    return "ply (moves made before)" if by == "ply" else "remoteness (plies to the end under best play)"


def positions_of(report: Report) -> str:
    """What a file has."""
    return "classes of symmetric positions" if report.db.folded else "positions"


def ways_of(report: Report) -> dict[str, str]:
    """The ways in which play ends, in words."""
    first, second = report.db.game.players
    return {
        "first": f"{first} wins",
        "draw": "a draw",
        "second": f"{second} wins",
        "unfinished": f"given up after {report.random.given_up or 0:,} plies",
    }
