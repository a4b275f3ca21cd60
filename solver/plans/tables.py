"""The tables of a plan in JSON, by which a program plays it without knowing the rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from solver.errors import BadPlan

MoveName = str | int


class ChosenMove(NamedTuple):
    """The chosen move in a position of the owner."""

    move: MoveName
    then: str | None
    """The position after the move; None if the plan does not say."""


class Fold(NamedTuple):
    """The position that stands for a symmetric one."""

    position: str
    by: int
    """The index of the symmetry that maps the moves of the symmetric position to those of `position`."""


@dataclass(frozen=True)
class Tables:
    """Positions and moves as the JSON spells them; None for an optional table that is missing."""

    root: str
    states: Mapping[str, ChosenMove]
    replies: Mapping[str, Mapping[str, str]] | None
    ends: Mapping[str, int] | None
    folded: Mapping[str, Fold] | None
    symmetries: Sequence[Mapping[str, str]]

    @property
    def lacks(self) -> str | None:
        """The name of a table or field that is missing but needed for play without rules; None if none is."""
        if self.replies is None or self.ends is None:
            return "replies" if self.replies is None else "ends"
        return "then" if any(choice.then is None for choice in self.states.values()) else None


def tables_from_json(found: Mapping[str, Any]) -> Tables:
    """Return the tables of a plan in parsed JSON; raises `BadPlan` if one is malformed."""
    symmetries = found.get("symmetries", [])
    if not isinstance(symmetries, list) or not all(map(_maps_texts, symmetries)):
        raise BadPlan("'symmetries' should be a list of objects of texts")
    folded = _table(found, "folded")
    replies, ends = _table(found, "replies"), _table(found, "ends")
    for position, moves in (replies or {}).items():
        if not moves or not _maps_texts(moves):
            raise BadPlan(f'the replies in {position!r} should be {{"MOVE": POSITION, ...}}')
    for position, utility in (ends or {}).items():
        if type(utility) is not int:
            raise BadPlan(f"the utility of the end {position!r} should be an integer")
    return Tables(
        root=found["root"],
        states={position: _choice(position, choice) for position, choice in found["states"].items()},
        replies=replies,
        ends=ends,
        folded=folded and {raw: _fold(raw, fold, len(symmetries)) for raw, fold in folded.items()},
        symmetries=symmetries,
    )


def _table(found: Mapping[str, Any], key: str) -> dict[str, Any] | None:
    """Return the object under `key`; None if there is none."""
    table = found.get(key)
    if key in found and not isinstance(table, dict):
        raise BadPlan(f"{key!r} should be an object")
    return table


def _choice(position: str, choice: Any) -> ChosenMove:
    move = choice.get("move") if isinstance(choice, dict) else None
    if not isinstance(move, str | int) or isinstance(move, bool):
        raise BadPlan(f'the position {position!r} should have {{"move": MOVE}}')
    then = choice.get("then")
    if "then" in choice and not isinstance(then, str):
        raise BadPlan(f"'then' of the position {position!r} should be a position")
    return ChosenMove(move, then)


def _fold(raw: str, fold: Any, symmetries: int) -> Fold:
    if isinstance(fold, dict) and isinstance(fold.get("as"), str):
        by = fold.get("by")
        if type(by) is int and 0 <= by < symmetries:
            return Fold(fold["as"], by)
    raise BadPlan(
        f'the folded position {raw!r} should have {{"as": POSITION, "by": N}}, N the number of one of the '
        f"{symmetries} symmetries, the first being 0"
    )


def _maps_texts(found: Any) -> bool:
    """Return whether `found` is an object whose values are texts."""
    return isinstance(found, dict) and all(isinstance(each, str) for each in found.values())
