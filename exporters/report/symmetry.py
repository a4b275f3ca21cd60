"""The chapter of a report on symmetry."""

from collections.abc import Iterator

from exporters.report.contents import Paragraph, Piece
from exporters.report.wording import amount
from solver.analysis.report.report import Report


def symmetry(report: Report) -> Iterator[Piece]:
    """Whether symmetries keep the game, and how many classes of positions there are."""
    found = report.symmetry
    if not found.symmetries:
        yield Paragraph("The rules tell of no symmetry.")
        return
    number = "one symmetry" if found.symmetries == 1 else f"{found.symmetries} symmetries"
    kept = found.keep_start
    sentences = [
        f"The rules tell of {number} besides the identity.",
        f"Play commutes with each in the {found.tried} positions that were tried"
        if found.fault is None
        else f"One of them does not keep the game ({found.fault})",
    ]
    sentences[-1] += (
        f"; the start is kept by {'each' if kept == found.symmetries else kept or 'none'} of them."
    )
    if found.classes is not None:
        classes = f"{found.classes.value:,.0f}"
        if found.classes.interval is not None:
            low, high = found.classes.interval
            classes = f"about {classes} ({low:,.0f} to {high:,.0f})"
        file = ", of each of which the file has one" if found.folded else ""
        sentences.append(f"There are {classes} classes of symmetric positions{file}.")
    if found.orbit is not None:
        of = "class" if found.folded else "position"
        sentences.append(
            f"In the mean a {of} of the file has {amount(found.orbit)} symmetric positions, itself included."
        )
    if found.exchanged:
        sentences.append("Positions with exchanged players are of one class, too.")
    yield Paragraph(" ".join(sentences))
