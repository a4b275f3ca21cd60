"""Chapters of a report on how play ends: who wins, after which first move, how soon, or never."""

from collections.abc import Iterator

from exporters.report.contents import ColumnPlot, Grid, Paragraph, Piece, StackPlot
from exporters.report.wording import (
    NONE,
    across,
    amount,
    length,
    listed,
    percent,
    positions_of,
    quoted,
    span,
    ways_of,
)
from solver.analysis.report.counted import SIDES
from solver.analysis.report.draws import Draws
from solver.analysis.report.report import Report
from solver.database.wording import result_of, winners

FIRST_MOVES = 12
"""Rows of first moves that are shown, the best ones."""

LONGEST_SHOWN = 60
"""Plies up to which all lengths are plotted; of more up to that beyond which one game in a thousand is."""


def outcomes(report: Report) -> Iterator[Piece]:
    """Who wins, by ply or by remoteness."""
    rows, by, won = report.counts.rows, report.counts.by, report.counts.won
    names = list(winners(report.db).values())
    shares = [(row.at, [row.won[side] / row.positions for side in SIDES.values()]) for row in rows]
    stacks = [(at, parts) for at, parts in shares if at is not None]
    if stacks:
        yield StackPlot(f"Who wins, by {by}", across(by), names, stacks)
    whole = report.counts.positions
    parts = [
        f"{name}: {won[side]:,} ({won[side] / whole:.1%})"
        for name, side in zip(names, SIDES.values(), strict=True)
    ]
    yield Paragraph(f"Of all {positions_of(report)}, with perfect play from there: {'; '.join(parts)}.")
    cells = [
        [
            NONE if row.at is None else str(row.at),
            f"{row.positions:,}",
            *(f"{row.won[side]:,}" for side in SIDES.values()),
        ]
        for row in rows
    ]
    yield Grid([by, "positions", *names], cells, frozenset(), f"Positions by {by}")


def first_moves(report: Report) -> Iterator[Piece]:
    """What each first move leads to."""
    if not report.openings:
        yield Paragraph("The game is over at the start.")
        return
    ways, rows = ways_of(report), []
    for opening in report.openings[:FIRST_MOVES]:
        move, figures = opening.moves[0], opening.random.figures()
        verdict = result_of(move) + (", best" if move.best else "")
        random = [percent(figures[way]) for way in SIDES.values()]
        names = listed([each.move for each in opening.moves])
        rows.append([names, verdict, *random, amount(figures["plies"])])
    head = ["move", f"for {report.start.to_move}", *(f"random: {ways[way]}" for way in SIDES.values())]
    yield Grid([*head, "mean plies after it"], rows, frozenset({0, 1}))
    if (more := len(report.openings) - FIRST_MOVES) > 0:
        yield Paragraph(f"There are {more:,} more rows of moves that are no better.")


def lengths(report: Report) -> Iterator[Piece]:
    """How long random and perfect play are."""
    for name, ends in (("random", report.random), ("perfect", report.perfect)):
        if len(ends.lengths) > 1:
            yield ColumnPlot(f"Length of {name} play", "plies", _shown(ends.lengths))
    random, perfect = length(report, report.random), length(report, report.perfect)
    words = f"Random play: {random}. Perfect play: {perfect}."
    if report.counts.shortest is not None and report.counts.longest is not None:
        words += f" Possible games: {span(report.counts.shortest, report.counts.longest)}."
    yield Paragraph(words)


def longest(report: Report) -> Iterator[Piece]:
    """The positions that take longest to win."""
    if not report.longest:
        yield Paragraph("There is no won position.")
        return
    rows = [[quoted(each.position), str(each.plies), listed(each.line)] for each in report.longest]
    yield Grid(["position", "plies", "best play"], rows, frozenset({0, 2}))


def draws(report: Report) -> Iterator[Piece]:
    """The ends, and draws by an end told from endless play."""
    ends, (first, _, second) = report.counts.ends, winners(report.db).values()
    words = f"Positions in which the game is over: {sum(ends.values()):,}. "
    words += f"Of these, {first} {ends['first']:,} and {second} {ends['second']:,}; "
    words += f"{ends['draw']:,} are drawn."
    if report.counts.by == "ply":
        words += " Play cannot return to a position, so every draw is a drawn end."
    elif report.draws is not None:
        words += _open_play(report.draws)
    elif not ends["draw"]:
        words += " There is no drawn end, so every draw is endless play."
    yield Paragraph(words)


def _open_play(found: Draws) -> str:
    """What best play does from the positions from which it need not end."""
    if found.exact:
        drawn, ends, either, endless = "", f"{found.ends:,}", f"{found.either:,}", f"{found.endless:,}"
    else:
        drawn = f", of which {found.asked:,} were drawn by chance"
        ends, either, endless, unknown = map(percent, found.figures().values())
    words = (
        f" Positions from which neither side hurries to an end{drawn}: best play comes to one in any case "
        f"from {ends}, ends or goes on for ever from {either}, and never ends from {endless}."
    )
    return f"{words} From {unknown} it leads to too many positions to tell." if found.unknown else words


def _shown(shares: dict[int, float]) -> list[tuple[int, float]]:
    """The lengths that are plotted."""
    shown, seen = [], 0.0
    for at, share in shares.items():
        shown.append((at, share))
        seen += share
        if seen > 0.999 and at > LONGEST_SHOWN:
            break
    return shown
