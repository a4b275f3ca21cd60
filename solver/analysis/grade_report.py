"""A grade as JSON and in words."""

from collections.abc import Iterator
from typing import Any

from solver.analysis.best_response import WorstCase
from solver.analysis.grade import ChoiceCounts, Grade
from solver.analysis.statistics import percentages, wilson
from solver.database.wording import plies
from solver.players.trembling import TREMBLE


def as_dict(grade: Grade) -> dict[str, Any]:
    """The grade as `grade --json` prints it.

    The counts are of choices. The intervals, at 95%, are null where every choice is known.
    """
    total = grade.total
    return {
        "player": grade.player,
        "states": grade.states,
        "choices": total.choices,
        "best": total.best,
        "best_interval": None if grade.exact else wilson(total.best, total.choices),
        "keeps_value": total.keeps_value,
        "keeps_value_interval": None if grade.exact else wilson(total.keeps_value, total.choices),
        "blunders": grade.blunders,
        "failures": grade.failures,
        "silent": grade.silent,
        "by_ply": [
            {"ply": ply, "choices": each.choices, "best": each.best, "keeps_value": each.keeps_value}
            for ply, each in grade.by_ply.items()
        ],
        "worst": [
            {"position": each.position, "move": each.move, "blunder": each.blunder, "failure": each.failure}
            for each in grade.worst
        ],
        "against_perfect": {
            name: _as_dict(worst) for name, worst in zip(("first", "second"), grade.against, strict=True)
        }
        if grade.against
        else None,
        "against_trembling": None
        if grade.trembling is None
        else {"tremble": TREMBLE, **grade.trembling._asdict()},
    }


def in_words(grade: Grade) -> str:
    """The grade for a person, in several lines."""
    return "\n".join(_lines(grade))


def _as_dict(worst: WorstCase) -> dict[str, Any]:
    return {
        "outcome": worst.outcome,
        "value": worst.utility,
        "plies": len(worst.line) if worst.ends else None,
        "line": list(worst.line),
        "failure": worst.failure,
    }


def _lines(grade: Grade) -> Iterator[str]:
    total = grade.total
    yield f"player      {grade.player}"
    asked = f", {total.choices:,} choices" if total.choices != grade.states else ""
    silent = f"; it has no move to offer in {grade.silent:,} more" if grade.silent else ""
    yield f"states      {grade.states:,}{asked}{silent}"
    yield f"best        {_share(total.best, total, grade.exact)}"
    yield f"keeps value {_share(total.keeps_value, total, grade.exact)}"
    yield "blunders    " + ", ".join(
        f"{name.replace('-', ' to ')} {count:,}" for name, count in grade.blunders.items()
    )
    if grade.failures:
        yield f"failures    {grade.failures:,} choices were no legal moves"
    for worst, name in zip(grade.against or (), grade.sides, strict=False):
        yield f"at worst    as {name}: {_line(worst)}"
    if found := grade.trembling:
        yield f"expected    {found.expected:.4f} from one who trembles ({TREMBLE:g}), value {found.value:.4f}"
    if grade.by_ply:
        yield from ("", *_table(grade.by_ply))
    if grade.worst:
        yield from ("", "worst       position, move")
        for each in grade.worst:
            what = (each.blunder or "loss").replace("-", " to ")
            yield f"{what:<12}{each.position} {each.failure if each.failure else each.move}"


def _line(worst: WorstCase) -> str:
    moves = " ".join(map(str, worst.line))
    if not worst.ends:
        return f"{worst.outcome} without end: {moves}"
    ending = f"; {worst.failure}" if worst.failure else ""
    when = f"in {plies(len(worst.line))}: {moves}" if worst.line else "at once"
    return f"{worst.outcome} {when}{ending}"


def _share(count: int, total: ChoiceCounts, exact: bool) -> str:
    if not total.choices:
        return "none"
    interval = "" if exact else f" (95%: {percentages(count, total.choices)})"
    return f"{count:,}, {count / total.choices:.1%}{interval}"


def _table(by_ply: dict[int, ChoiceCounts]) -> Iterator[str]:
    yield f"{'ply':>3}  {'choices':>9}  {'best':>6}  {'keeps value':>11}"
    for ply, count in by_ply.items():
        best, keeps = count.best / count.choices, count.keeps_value / count.choices
        yield f"{ply:>3}  {count.choices:>9,}  {best:>6.1%}  {keeps:>11.1%}"
