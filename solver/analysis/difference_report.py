"""The difference of two solved games as JSON, and in words with boards side by side."""

from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from solver.analysis.difference import CHANGES, Difference, finer_first
from solver.database import Database
from solver.database.wording import count_of, endless_play, standing_of, winners
from solver.game import OUTCOMES, outcome_sign
from solver.rules.asking import picture_of
from solver.rules.notation import read_position
from solver.rules.parameters import with_parameters

MAX_BOARD_WIDTH = 100
"""The greatest width of a column for a board or an outcome, in characters."""

GAP = 4
"""The number of characters between two boards."""

MIN_LEFT_WIDTH = 27
"""The least width of the left board with its text, in characters."""


def as_dict(a: Database, b: Database, difference: Difference) -> dict[str, Any]:
    """The difference in the form printed by `diff --json`; docs/diff.md explains the keys."""
    values = Counter[tuple[int, int]]()
    for kind, number in difference.common.items():
        values[kind.values] += number
    return {
        "a": _file(a),
        "b": _file(b),
        "same": difference.same,
        **_counts(difference),
        "outcomes": {f"{OUTCOMES[x]}-{OUTCOMES[y]}": n for (x, y), n in outcomes(difference).items()},
        "values": [{"a": x, "b": y, "positions": n} for (x, y), n in sorted(values.items())],
        "per_ply": [{"ply": ply, **_counts(difference.at(ply))} for ply in difference.plies],
        "first": {
            "value": [_position(a, b, text) for text in difference.other_value],
            "remoteness": [_position(a, b, text) for text in difference.other_remoteness],
            "only_a": list(difference.first_only[0]),
            "only_b": list(difference.first_only[1]),
        },
    }


def in_words(a: Database, b: Database, difference: Difference) -> str:
    """The difference for people, in several lines, with drawings of the first positions that change in value.

    If no value changes, the first positions that change in remoteness are drawn.
    """
    lines = [f"{name:<12}{text}" for name, text in _summary(a, b, difference)]
    if not difference.same:
        lines += ["", *_by_ply(difference)]
    if difference.count("outcome"):
        lines += ["", *_matrix(a, b, difference)]
    for text in difference.other_value or difference.other_remoteness:
        lines += ["", *_side_by_side(a, b, text)]
    return "\n".join(lines)


def _file(db: Database) -> dict[str, Any]:
    return {
        "file": str(db.path),
        "game": db.game_name,
        "parameters": db.parameters,
        "endless": db.endless,
        "folded": db.folded,
        "positions": len(db),
        "start": db.start,
        **db.probe(db.start)._asdict(),
    }


def _counts(difference: Difference) -> dict[str, int]:
    return {
        "common": difference.common.total(),
        **{change: difference.count(change) for change in CHANGES},
        "only_a": difference.only[0].total(),
        "only_b": difference.only[1].total(),
    }


def outcomes(difference: Difference) -> dict[tuple[int, int], int]:
    """The number of positions by their outcomes for the first player in A and in B."""
    numbers = {(x, y): 0 for x in OUTCOMES for y in OUTCOMES}
    for kind, number in difference.common.items():
        numbers[outcome_sign(kind.values[0]), outcome_sign(kind.values[1])] += number
    return numbers


def _position(a: Database, b: Database, text: str) -> dict[str, Any]:
    counted, _ = finer_first(a, b)
    labels = {name: db.probe(text)._asdict() for name, db in (("a", a), ("b", b))}
    return {"position": text, "ply": counted[text].ply, **labels}


def _summary(a: Database, b: Database, difference: Difference) -> Iterator[tuple[str, str]]:
    for letter, db in (("A", a), ("B", b)):
        yield letter, f"{db.path}: {with_parameters(db.game_name, db.parameters)}{_endless(db)}"
        yield "", f"starts in {db.start}, {standing_of(db[db.start])}"
    counts, both = _counts(difference), a.folded and b.folded
    yield "in both", count_of(counts["common"], folded=both)
    winner = f" ({counts['outcome']:,} of them in outcome)" if a.scored or b.scored else ""
    yield "different", f"{counts['value']:,} in value{winner}, {counts['remoteness']:,} only in remoteness"
    for letter, db, only, first in zip("AB", (a, b), difference.only, difference.first_only, strict=True):
        examples = ", ".join([*first, *(["..."] if only.total() > len(first) else [])])
        number = count_of(only.total(), folded=db.folded)
        yield f"only in {letter}", number + (f": {examples}" if first else "")


def _endless(db: Database) -> str:
    return "" if db.endless == "draw" else f", endless play {endless_play(db.game, db.endless)}"


def _by_ply(difference: Difference) -> Iterator[str]:
    row = "{:>5}{:>14}{:>14}{:>12}{:>12}{:>12}"
    yield row.format("ply", "in both", "other value", "remoteness", "only in A", "only in B")
    for ply in difference.plies:
        counts = _counts(difference.at(ply))
        columns = (counts[key] for key in ("common", "value", "remoteness", "only_a", "only_b"))
        yield row.format("-" if ply is None else ply, *(f"{number:,}" for number in columns))


def _matrix(a: Database, b: Database, difference: Difference) -> Iterator[str]:
    """The counts of outcomes as a table, with a row for each outcome in A and a column for each in B."""
    words = winners(a, b)
    width = min(MAX_BOARD_WIDTH, max(map(len, words.values())))
    numbers = outcomes(difference)
    rows = {f"in A: {word}": [f"{numbers[x, y]:,}" for y in words] for x, word in words.items()}
    for name, cells in {"in B:": words.values(), **rows}.items():
        yield "  ".join([f"{name:<{width + 6}}", *(f"{cell:>{width + 4}}" for cell in cells)])


def _side_by_side(a: Database, b: Database, text: str) -> Iterator[str]:
    yield text
    left, right = _drawn(a, text), _drawn(b, text)
    width = min(MAX_BOARD_WIDTH, max(MIN_LEFT_WIDTH, *map(len, left)))
    for one, other in zip_longest(left, right, fillvalue=""):
        yield f"{one:<{width}}{' ' * GAP}{other}".rstrip()


def _drawn(db: Database, text: str) -> list[str]:
    entry = db[text]
    best = ", ".join(str(move.move) for move in entry.moves if move.best)
    lines = [*picture_of(db.game, read_position(db.game, text)).split("\n"), "", standing_of(entry)]
    return [*lines, f"best: {best}"] if best else lines
