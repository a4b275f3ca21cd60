"""The chapters of a report on one solved game, or on two games side by side."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from solver.analysis.difference_report import outcomes
from solver.analysis.report.contents import (
    NONE,
    Chapter,
    Contents,
    Grid,
    LinePlot,
    Paragraph,
    Piece,
    Plot,
    Words,
    plot_of,
    quoted,
)
from solver.analysis.report.counted import at_name, noun_of, who_wins
from solver.analysis.report.figures import amount, percent
from solver.analysis.report.measures import MEASURES, Measure
from solver.analysis.report.report import Report, Reports
from solver.database.wording import counted_positions, endless_play, standing_of, winners
from solver.system.words import number_of

FIRST_MOVES = 12
"""The most rows of first moves, best first."""

PLAY = (
    "The result of each first move in perfect play, and in random play, in which both players choose among "
    "all moves with equal probability. Symmetric moves share a row."
)

ERRORS = (
    "How often three players lose value, where all {nouns} count alike: one moves at random, one looks one "
    "ply ahead, and one two plies. They know only the values of terminal positions, and choose at random "
    "among moves that look equally good. A trap is a position in which the player who looks two plies ahead "
    "loses value at least half of the time; of symmetric traps only the first is listed."
)

MOVES, CHOICES, MISTAKES = (
    [measure for measure in MEASURES if measure.plot == plot] for plot in ("moves", "choices", "errors")
)


def contents_of(whole: Reports) -> Contents:
    """The contents of a report."""
    reports = whole.reports
    errors = ERRORS.format(nouns=" and ".join(dict.fromkeys(noun_of(report.db)[1] for report in reports)))
    chapters = [
        Chapter("At a glance", [_glance(reports)]),
        Chapter("Who wins", list(_pieces(reports, lambda report: who_wins(report.counts, report.db)))),
        Chapter("The first moves", list(_pieces(reports, _first_moves, PLAY))),
        Chapter("Length of games", list(_pieces(reports, _lengths))),
        Chapter("Choices", list(_pieces(reports, _choices))),
        Chapter("Mistakes and traps", list(_pieces(reports, _errors, errors))),
        Chapter("The longest wins", list(_pieces(reports, _longest))),
        Chapter("Draws and endless play", list(_pieces(reports, _draws))),
        Chapter("Symmetry", list(_pieces(reports, lambda report: [Paragraph(report.symmetry.in_words())]))),
    ]
    if len(reports) > 1:
        chapters.insert(1, Chapter("What the other rules change", list(_changes(whole))))
    answers = [f"{name}{'. ' * bool(name)}{report.answer}" for name, report in _named(reports)]
    title = " and ".join(dict.fromkeys(report.title for report in reports))
    return Contents(f"{title}: a report", _about(reports), chapters, [of.db.game for of in reports], answers)


def _about(reports: Sequence[Report]) -> str:
    parts = []
    for name, report in _named(reports):
        parts.append(f"{name}: {report.asked}" if name else report.asked[0].upper() + report.asked[1:])
        if not report.random.exact:
            parts.append(f"{round(report.random.games):,} random games were played.")
    if all(of.exact and of.random.exact and of.perfect.exact and of.symmetry.exact for of in reports):
        return " ".join([*parts, "Every figure is exact."])
    seed = f"(seed {reports[0].seed})"
    return " ".join(
        [*parts, f"Figures with a 95% interval in parentheses are estimates {seed}; all others are exact."]
    )


def _named(reports: Sequence[Report]) -> Iterator[tuple[str, Report]]:
    return zip(["A", "B"] if len(reports) > 1 else [""], reports, strict=True)


def _pieces(
    reports: Sequence[Report], pieces_of: Callable[[Report], Iterable[Piece]], explanation: str = ""
) -> Iterator[Piece]:
    """The pieces of a chapter: the plots of all reports, a common explanation, and the other pieces."""
    by_report = [(name, report.title, list(pieces_of(report))) for name, report in _named(reports)]
    plots = [piece for *_, pieces in by_report for piece in pieces if isinstance(piece, Plot)]
    for name, title, pieces in by_report:
        title = f"{name}{': ' * bool(name)}{title}"
        yield from (plot_of(title, plot, plots) for plot in pieces if isinstance(plot, Plot))
    if explanation:
        yield Paragraph(explanation)
    for name, _, pieces in by_report:
        rest = [piece for piece in pieces if not isinstance(piece, Plot)]
        if name and rest and not isinstance(rest[0], Paragraph):
            yield Paragraph(f"{name}:")
        for at, piece in enumerate(rest):
            if name and at == 0 and isinstance(piece, Paragraph):
                words = [piece.words] if isinstance(piece.words, str) else [*piece.words]
                piece = Paragraph([f"{name}: ", *words])
            yield piece


def _glance(reports: Sequence[Report]) -> Grid:
    columns = [dict(_figures(report)) for report in reports]
    names = list(dict.fromkeys(name for column in columns for name in column))
    head = ["", *(f"{name}: {report.title}".removeprefix(": ") for name, report in _named(reports))]
    rows = [[name, *(column.get(name, NONE) for column in columns)] for name in names]
    return Grid(head, rows, frozenset(range(len(head))))


def _figures(report: Report) -> Iterator[tuple[str, Words]]:
    counts, db, random = report.counts, report.db, report.random.figures()
    yield "file", [quoted(db.path), f", {counted_positions(db)}"]
    yield "start", quoted(db.start, db.game)
    if db.starts > 1:
        yield "starts", f"this is the first of {db.starts_in_words}"
    yield "result of perfect play", standing_of(report.start)
    if db.endless != "draw":
        yield "endless play", endless_play(db.game, db.endless)
    yield "moves", f"{report.moves:,}"
    if counts.possible:
        yield "possible games", counts.possible
    yield "length of perfect play", report.perfect.in_words(layered=report.layered)
    yield "length of random play", report.random.in_words(layered=report.layered)
    for way, words in _ways(report).items():
        yield f"random play: {words}", percent(random[way])
    if (plies := report.random.given_up) is not None:
        yield f"random play: given up after {plies:,} plies", percent(random["unfinished"])
    if db.scored:
        yield f"random play: mean utility for {db.game.players[0]}", amount(random["utility"])
    for measure in MEASURES:
        words = f"a player {measure.words} loses value" if measure in MISTAKES else measure.words
        yield words, measure.text(report.figures[measure.name])


def _ways(report: Report) -> dict[str, str]:
    first, second = report.db.game.players
    return {"first": f"{first} wins", "draw": "a draw", "second": f"{second} wins"}


def _first_moves(report: Report) -> Iterator[Piece]:
    if not report.openings:
        yield Paragraph(f"The game is over at the {'first ' * (report.db.starts > 1)}start.")
        return
    rows = [opening.row() for opening in report.openings[:FIRST_MOVES]]
    random = [f"random: {words}" for words in _ways(report).values()]
    head = ["move", f"for {report.start.to_move}", *random, "mean plies after the move"]
    yield Grid(head, rows, frozenset({0, 1}))
    if (more := len(report.openings) - FIRST_MOVES) > 0:
        yield Paragraph(f"Rows of moves that are not shown, none of them better: {more:,}.")


def _lengths(report: Report) -> Iterator[Piece]:
    yield from report.random.plot("random")
    yield from report.perfect.plot("perfect")
    random, perfect = (ends.in_words(layered=report.layered) for ends in (report.random, report.perfect))
    possible = f" Possible games: {report.counts.possible}." if report.counts.possible else ""
    yield Paragraph(f"Random play: {random}. Perfect play: {perfect}.{possible}")


def _choices(report: Report) -> Iterator[Piece]:
    by, axis, rows = report.counts.by, report.counts.axis, report.by_row
    if any(row.at is not None for row in rows):
        legal = [measure.line(rows, "legal moves") for measure in MOVES]
        yield LinePlot(f"Legal moves on average, by {by}", axis, legal, percent=False, parities=by != "ply")
        lines = [measure.line(rows) for measure in CHOICES]
        yield LinePlot(f"Kinds of choices, by {by}", axis, lines, parities=by != "ply")
    yield _numbers(report, [*MOVES, *CHOICES])


def _errors(report: Report) -> Iterator[Piece]:
    by, rows = report.counts.by, report.by_row
    if any(row.at is not None for row in rows):
        lines = [measure.line(rows) for measure in MISTAKES]
        title = f"How often value is lost, by {by}"
        yield LinePlot(title, report.counts.axis, lines, parities=by != "ply")
    if report.traps:
        head = ["trap", by, "how often", "moves that keep the value"]
        yield Grid(head, [trap.row(report.db.game) for trap in report.traps], frozenset({0, 3}))
    yield _numbers(report, MISTAKES)


def _numbers(report: Report, measures: Sequence[Measure]) -> Grid:
    rows = [
        [at_name(row.at), f"{row.asked:,}", *(one.text(row.figures[one.name]) for one in measures)]
        for row in report.by_row
    ]
    by = report.counts.by
    names = ["moves" if measure in MOVES else measure.words.removeprefix("who ") for measure in measures]
    asked = f"{noun_of(report.db)[1]} evaluated"
    return Grid([by, asked, *names], rows, frozenset(), f"The same in numbers, by {by}")


def _longest(report: Report) -> Iterator[Piece]:
    if not report.longest:
        yield Paragraph("No win can be forced in a finite number of plies.")
        return
    head = ["position", "plies", "best play"]
    yield Grid(head, [win.row(report.db.game) for win in report.longest], frozenset({0, 2}))


def _draws(report: Report) -> Iterator[Piece]:
    ends, (first, _, second) = report.counts.ends, winners(report.db).values()
    one, more = noun_of(report.db)
    words = f"The game is over in {number_of(sum(ends.values()), one, more)}: "
    words += f"{first} in {ends['first']:,}, {second} in {ends['second']:,}, and {ends['draw']:,} are draws."
    if report.layered:
        words += " Positions cannot repeat, so every draw ends in one of these."
    elif report.draws is not None:
        words += f" {report.draws.in_words(more)}"
    elif not ends["draw"] and report.db.endless == "draw":
        words += " So every draw is endless play."
    yield Paragraph(words)


def _changes(whole: Reports) -> Iterator[Piece]:
    if whole.difference is None:
        yield Paragraph("The two games have no position in common.")
        return
    a, b, change = *(report.db for report in whole.reports), whole.difference
    only_a, only_b = map(counted_positions, (a, b), (only.total() for only in change.only))
    in_both = counted_positions(a if b.folded else b, change.common.total())  # classes if both are folded
    yield Paragraph(
        f"In both files: {in_both}. "
        f"The value differs in {change.count('value'):,}, the outcome in {change.count('outcome'):,}; "
        f"only the remoteness differs in {change.count('remoteness'):,}. "
        f"Only in A: {only_a}, only in B: {only_b}."
    )
    words, numbers = winners(a, b), outcomes(change)
    rows = [[f"in A: {words[x]}", *(f"{numbers[x, y]:,}" for y in words)] for x in words]
    yield Grid(["", *(f"in B: {word}" for word in words.values())], rows)
    if change.other_value:
        first = [(quoted(at, a.game), standing_of(a[at]), standing_of(b[at])) for at in change.other_value]
        yield Grid(["first positions of different value", "in A", "in B"], first, frozenset({0, 1, 2}))
