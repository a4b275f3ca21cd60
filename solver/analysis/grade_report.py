"""A grade as JSON and in words."""

from collections.abc import Iterator
from operator import attrgetter
from typing import Any

from solver.analysis.against_opponents import WorstCase
from solver.analysis.grade import AllCounts, ChoiceCounts, Grade
from solver.analysis.statistics import percentages
from solver.database.wording import count_of, result
from solver.players.trembling import TREMBLE
from solver.system.words import number_of

MEASURES = {"best": attrgetter("best"), "keeps value": attrgetter("keeps_value")}
"""The kinds of good choices, by their names."""


def as_dict(grade: Grade) -> dict[str, Any]:
    """The grade in the form printed by `grade --json`.

    Counts are of choices. The 95% intervals are null if every choice is known.
    """
    total = grade.total
    return {
        "player": grade.player,
        "states": total.states,
        **_counts(total),
        "best_interval": grade.interval(total.best, total),
        "keeps_value_interval": grade.interval(total.keeps_value, total),
        "decisive": {"states": total.decisive.states, **_counts(total.decisive)},
        "blunders": grade.blunders,
        "failures": grade.failures,
        "silent": grade.silent,
        "by_ply": [
            {"ply": ply, **_counts(counts), "decisive": _counts(counts.decisive)}
            for ply, counts in grade.by_ply.items()
        ],
        "worst": [
            {"position": choice.entry.position}
            | {key: getattr(choice, key) for key in ("move", "blunder", "failure")}
            for choice in grade.worst
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
    """The grade for people, in several lines."""
    return "\n".join(_lines(grade))


def _counts(counts: ChoiceCounts) -> dict[str, int]:
    return {"choices": counts.choices, "best": counts.best, "keeps_value": counts.keeps_value}


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
    asked = f", {number_of(total.choices, 'choice')}" if total.choices != total.states else ""
    silent = f"; it has no move in {grade.silent:,} more" if grade.silent else ""
    states = count_of(total.states, "state", folded=grade.folded)
    yield f"states      {states}{asked}{silent}"
    yield f"decisive    {total.decisive.states:,} of these, in which some move loses value"
    for name, measure in MEASURES.items():
        decisive, every = (_share(measure(counts), counts, grade) for counts in (total.decisive, total))
        yield f"{name:<11} {decisive} where decisive; {every} of all"
    yield "blunders    " + ", ".join(
        f"{name.replace('-', ' to ')} {count:,}" for name, count in grade.blunders.items()
    )
    if grade.failures:
        words = number_of(grade.failures, "choice was not a legal move", "choices were not legal moves")
        yield f"failures    {words}"
    for worst, name in zip(grade.against or (), grade.sides, strict=False):
        begin = f", from the first of {grade.starts}" if grade.starts else ""
        yield f"at worst    as {name}{begin}: {_line(worst)}"
    if mean := grade.trembling:
        yield f"expected    {mean.expected:.4f} from one who trembles ({TREMBLE:g}), value {mean.value:.4f}"
    if grade.by_ply:
        yield from ("", *_table(grade.by_ply))
    if grade.worst:
        yield from ("", "worst         position, move")
        for choice in grade.worst:
            kind = (choice.blunder or "loss").replace("-", " to ")
            yield f"{kind:<14}{choice.entry.position} {choice.failure or choice.move}"


def _line(worst: WorstCase) -> str:
    moves = " ".join(map(str, worst.line))
    if not worst.ends:
        return f"{worst.outcome} without end: {moves}"
    ending = f"; {worst.failure}" if worst.failure else ""
    if not worst.line:
        return f"{worst.outcome} at once{ending}"
    return f"{result(worst.outcome, len(worst.line), worst.margin)}: {moves}{ending}"


def _share(good: int, counts: ChoiceCounts, grade: Grade) -> str:
    if not counts.choices:
        return "none"
    interval = grade.interval(good, counts)
    return f"{good:,}, {good / counts.choices:.1%}" + (f" (95%: {percentages(interval)})" if interval else "")


def _table(by_ply: dict[int, AllCounts]) -> Iterator[str]:
    yield f"{'ply':>3}" + "".join(
        f"  {kind:>9}  {'best':>6}  {'keeps value':>11}" for kind in ("decisive", "all")
    )
    for ply, all_counts in by_ply.items():
        cells = [f"{ply:>3}"]
        for counts in (all_counts.decisive, all_counts):
            best, keeps = (
                f"{measure(counts) / counts.choices:.1%}" if counts.choices else "-"
                for measure in MEASURES.values()
            )
            cells.append(f"{counts.choices:>9,}  {best:>6}  {keeps:>11}")
        yield "  ".join(cells)
