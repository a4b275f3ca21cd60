"""Chapters of a report on choices: how many moves there are, how many are good, and who errs."""

from collections.abc import Iterator, Mapping

from exporters.report.contents import Grid, Line, LinePlot, Piece
from exporters.report.wording import CHOICE, ERRING, NONE, across, amount, listed, percent, quoted
from solver.analysis.report.report import Report, RowFigures


def choices(report: Report) -> Iterator[Piece]:
    """How many moves there are, and how many are good, by ply or remoteness."""
    by, rows = report.counts.by, report.by_row
    if any(row.at is not None for row in rows):
        legal = [_line("legal moves", "branching", rows)]
        yield LinePlot(f"Moves to choose from, by {by}", across(by), legal, percent=False)
        lines = [_line(words, name, rows) for name, words in CHOICE.items()]
        yield LinePlot(f"Positions by what there is to choose, by {by}", across(by), lines)
    yield _grid(report, {"branching": "moves", **CHOICE})


def errors(report: Report) -> Iterator[Piece]:
    """How often players lose value, by ply or remoteness, and the first traps."""
    by, rows = report.counts.by, report.by_row
    if any(row.at is not None for row in rows):
        lines = [_line(f"who {words}", name, rows) for name, words in ERRING.items()]
        yield LinePlot(f"How often value is lost, by {by}", across(by), lines)
    if report.traps:
        traps = [
            [
                quoted(each.position),
                NONE if each.at < 0 else str(each.at),
                f"{each.error:.0%}",
                listed(each.keeps),
            ]
            for each in report.traps
        ]
        yield Grid(["trap", by, "how often", "moves that keep the value"], traps, frozenset({0, 3}))
    yield _grid(report, ERRING)


def _line(name: str, measure: str, rows: list[RowFigures]) -> Line:
    """The line of a figure; rows without a ply or remoteness are left out."""
    known = [(row.at, row.figures[measure]) for row in rows]
    points = [(at, figure) for at, figure in known if at is not None and figure is not None]
    bars = [(at, max(0.0, each.interval[0]), each.interval[1]) for at, each in points if each.interval]
    return Line(name, [(at, each.value) for at, each in points], bars)


def _grid(report: Report, names: Mapping[str, str]) -> Grid:
    """The same as numbers."""
    rows = [
        [
            NONE if row.at is None else str(row.at),
            f"{row.asked:,}",
            *((amount if name == "branching" else percent)(row.figures[name]) for name in names),
        ]
        for row in report.by_row
    ]
    by = report.counts.by
    return Grid([by, "positions asked", *names.values()], rows, frozenset(), f"The same as numbers, by {by}")
