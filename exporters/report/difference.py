"""The chapter on what other rules change, in the report on two games."""

from collections.abc import Iterator, Sequence

from exporters.report.contents import Grid, Paragraph, Piece
from exporters.report.wording import listed
from solver.analysis.difference import Difference
from solver.analysis.difference.report import outcomes
from solver.analysis.report.report import Report
from solver.database.wording import winners


def changes(reports: Sequence[Report], found: Difference | None) -> Iterator[Piece]:
    """What `diff` tells, in short; `found` is None where no position is in both files."""
    if found is None:
        yield Paragraph("The two games have no position in common.")
        return
    only_a, only_b = (only.total() for only in found.only)
    yield Paragraph(
        f"Positions in both files: {found.common.total():,}. "
        f"{found.count('value'):,} of them change in value, {found.count('outcome'):,} in outcome, "
        f"and {found.count('remoteness'):,} more in remoteness. "
        f"In A alone: {only_a:,}, in B alone: {only_b:,}."
    )
    words, numbers = winners(reports[0].db, reports[1].db), outcomes(found)
    rows = [[f"in A: {words[x]}", *(f"{numbers[x, y]:,}" for y in words)] for x in words]
    yield Grid(["", *(f"in B: {word}" for word in words.values())], rows)
    if found.other_value:
        yield Paragraph(["The first that change in value: ", *listed(found.other_value), "."])
