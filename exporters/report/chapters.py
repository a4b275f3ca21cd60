"""What a report says, chapter by chapter: about one solved game, or about two beside each other."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from exporters.report.choosing import choices, errors
from exporters.report.contents import Chapter, Contents, Grid, Paragraph, Piece, Plot, Words
from exporters.report.difference import changes
from exporters.report.outcomes import draws, first_moves, lengths, longest, outcomes
from exporters.report.symmetry import symmetry
from exporters.report.wording import (
    CHOICE,
    ERRING,
    NONE,
    amount,
    length,
    percent,
    positions_of,
    quoted,
    span,
    ways_of,
)
from solver.analysis.difference import Difference
from solver.analysis.report.report import Report
from solver.database.wording import standing_of

PLAY = (
    "What each first move leads to in perfect play, and in random play, in which both sides choose among all "
    "moves with equal chances. Moves that are symmetric to each other are in one row."
)

ERRORS = (
    "The share of positions, each counted once, in which a player lets the value slip: one who moves at "
    "random, one who takes the best end that a move brings, and one who sees the answer to it, too. They "
    "know ends alone, and choose with equal chances among what looks as good. A trap is a position in which "
    "the last of them errs at least every other time; of symmetric ones the first is told."
)


def contents_of(reports: Sequence[Report], found: Difference | None) -> Contents:
    """What the report says; `found` is the difference of two games that have positions in common."""
    chapters = [
        Chapter("At a glance", [_glance(reports)]),
        Chapter("Who wins", list(_each(reports, outcomes))),
        Chapter("The first moves", list(_each(reports, first_moves, PLAY))),
        Chapter("How long it is", list(_each(reports, lengths))),
        Chapter("What there is to choose", list(_each(reports, choices))),
        Chapter("Who throws it away, and where", list(_each(reports, errors, ERRORS))),
        Chapter("The longest wins", list(_each(reports, longest))),
        Chapter("Draws and endless play", list(_each(reports, draws))),
        Chapter("Symmetry", list(_each(reports, symmetry))),
    ]
    if len(reports) > 1:
        chapters.insert(1, Chapter("What the other rules change", list(changes(reports, found))))
    title = " and ".join(dict.fromkeys(report.title for report in reports))
    return Contents(f"{title}: a report", _about(reports), chapters)


def _about(reports: Sequence[Report]) -> str:
    """What is exact, and how the rest was found."""
    parts = []
    for report, name in zip(reports, _names(reports), strict=True):
        parts.append(f"{name}{': a' if name else 'A'}{_asked(report)}")
        if not report.random.exact:
            parts.append(f"{round(report.random.games):,} random games were played.")
    if all(report.exact and report.random.exact and report.perfect.exact for report in reports):
        return " ".join([*parts, "Every figure is exact."])
    seed = f"(seed {reports[0].seed})"
    return " ".join(
        [*parts, f"A figure with a 95% interval behind it is an estimate {seed}; all others are exact."]
    )


def _asked(report: Report) -> str:
    """The positions that were asked, after the letter a."""
    going_on = f"{report.counts.going_on:,} {positions_of(report)} in which play goes on"
    if report.exact:
        return f"ll {going_on} were asked."
    more = ", and more of each ply that had few of these" if report.counts.by == "ply" else ""
    return f" sample of {report.sample:,} of the {going_on} was asked, drawn with equal chances{more}."


def _names(reports: Sequence[Report]) -> list[str]:
    """The names of the games: none for one alone."""
    return ["A", "B"] if len(reports) > 1 else [""]


def _each(
    reports: Sequence[Report], pieces_of: Callable[[Report], Iterable[Piece]], said: str = ""
) -> Iterator[Piece]:
    """What there is about each report: plots of all of them, what is said once, and the rest."""
    found = [(name, list(pieces_of(report))) for name, report in zip(_names(reports), reports, strict=True)]
    for name, pieces in found:
        for piece in pieces:
            if isinstance(piece, Plot):
                yield piece._replace(title=f"{name}: {piece.title}" if name else piece.title)
    if said:
        yield Paragraph(said)
    for name, pieces in found:
        rest = [piece for piece in pieces if not isinstance(piece, Plot)]
        if name and rest and not isinstance(rest[0], Paragraph):
            yield Paragraph(f"{name}:")
        for at, piece in enumerate(rest):
            yield _named(name, piece) if name and at == 0 and isinstance(piece, Paragraph) else piece


def _named(name: str, paragraph: Paragraph) -> Paragraph:
    words = [paragraph.words] if isinstance(paragraph.words, str) else [*paragraph.words]
    return Paragraph([f"{name}: ", *words])


def _glance(reports: Sequence[Report]) -> Grid:
    """The figures of all positions, a column for each game."""
    columns = [dict(_figures(report)) for report in reports]
    names = list(dict.fromkeys(name for column in columns for name in column))
    titles = [f"{name}: {report.title}" for name, report in zip(_names(reports), reports, strict=True)]
    head = ["", *(title.removeprefix(": ") for title in titles)]
    rows = [[name, *(column.get(name, NONE) for column in columns)] for name in names]
    return Grid(head, rows, frozenset(range(len(head))))


def _figures(report: Report) -> Iterator[tuple[str, Words]]:
    counts, start, db = report.counts, report.start, report.db
    yield "file", [quoted(db.path), f", {counts.positions:,} {positions_of(report)}"]
    yield "play begins in", quoted(db.start)
    if db.starts > 1:
        yield "other starts", f"{db.starts - 1:,}"
    yield "with perfect play", standing_of(start)
    if db.endless != "draw":
        yield "endless play", f"won by {db.game.players[db.game.player(db.endless)]}"
    yield "moves", f"{report.moves:,}"
    if counts.shortest is not None and counts.longest is not None:
        yield "possible games", span(counts.shortest, counts.longest)
    yield "length of perfect play", length(report, report.perfect)
    yield "length of random play", length(report, report.random)
    random, figures = report.random.figures(), report.figures
    for way, words in ways_of(report).items():
        if way != "unfinished" or report.random.given_up is not None:
            yield f"random play: {words}", percent(random[way])
    if db.scored:
        yield f"random play: mean utility for {db.game.players[0]}", amount(random["utility"])
    yield "moves to choose from", amount(figures["branching"])
    for name, words in {
        **CHOICE,
        "one_of_choice": "exactly one does, of positions with several moves",
    }.items():
        yield words, percent(figures[name])
    for name, words in ERRING.items():
        yield f"loses value: who {words}", percent(figures[name])
