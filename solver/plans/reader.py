"""Reads a `Plan` from JSON, which may come from any program; exporters/plan_json.py writes it.

A program can play a plan by its `Tables` without knowing the rules.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from solver.errors import BadPlan, ForeignFile, SolverError
from solver.game import ENDLESS, AnyGame
from solver.plans.plan import GOALS, SCHEMA, Plan
from solver.rules.asking import actions_of, from_representative
from solver.rules.named import game_of_file
from solver.rules.notation import read_position, write_action, write_position
from solver.system.strict_json import read_json

MoveName = str | int


class ChosenMove(NamedTuple):
    """The chosen move in a position of the owner."""

    move: MoveName
    then: str | None
    """The position after the move; None if the plan does not state it."""


class Fold(NamedTuple):
    """The position that represents a symmetric one."""

    position: str
    by: int
    """The index of the symmetry that maps the moves of the symmetric position to those of `position`."""


@dataclass(frozen=True)
class Tables:
    """The tables of a plan, with positions and moves as in the JSON; None for a missing optional table."""

    root: str
    states: Mapping[str, ChosenMove]
    replies: Mapping[str, Mapping[str, str]] | None
    ends: Mapping[str, int] | None
    folded: Mapping[str, Fold] | None
    symmetries: Sequence[Mapping[str, str]]

    @property
    def lacks(self) -> str | None:
        """The name of a missing table or field that play without rules needs; None if there is none."""
        if self.replies is None or self.ends is None:
            return "replies" if self.replies is None else "ends"
        return "then" if any(choice.then is None for choice in self.states.values()) else None


def tables_from_json(document: Mapping[str, Any]) -> Tables:
    """The tables of a plan in parsed JSON; raises `BadPlan` if one is malformed."""
    symmetries = document.get("symmetries", [])
    if not isinstance(symmetries, list) or not all(map(_maps_texts, symmetries)):
        raise BadPlan("'symmetries' should be a list of objects of texts")
    folded = _table(document, "folded")
    replies, ends = _table(document, "replies"), _table(document, "ends")
    for position, moves in (replies or {}).items():
        if not moves or not _maps_texts(moves):
            raise BadPlan(f'the replies in {position!r} should be {{"MOVE": POSITION, ...}}')
    for position, utility in (ends or {}).items():
        if type(utility) is not int:
            raise BadPlan(f"the utility of the end {position!r} should be an integer")
    return Tables(
        root=document["root"],
        states={position: _choice(position, choice) for position, choice in document["states"].items()},
        replies=replies,
        ends=ends,
        folded=folded and {raw: _fold(raw, fold, len(symmetries)) for raw, fold in folded.items()},
        symmetries=symmetries,
    )


def _table(document: Mapping[str, Any], key: str) -> dict[str, Any] | None:
    table = document.get(key)
    if key in document and not isinstance(table, dict):
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


def _maps_texts(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


FIELD_TYPES = {
    "game": str,
    "parameters": dict,
    "owner": str,
    "goal": str | int,
    "root": str,
    "value": int,
    "states": dict,
    "start": str,
    "rules": str,
    "play": str,
}
"""The type of each field of a plan."""

OPTIONAL_FIELDS = {"start", "rules", "play"}

TYPE_NAMES = {str | int: "a text or an integer", str: "a text", dict: "an object", int: "an integer"}


def read_plan(path: str | Path) -> Plan:
    """The plan in a JSON file; it is well formed but not proved (see `verify_plan`).

    Raises `MissingFile`, `ForeignFile` (no JSON, or no plan), `BadPlan` and what `Database.game` raises.
    """
    return plan_from_json(read_json(path), str(path))


def plan_from_json(
    document: Any, source: str = "the plan", *, game: AnyGame | None = None, changed: bool = False
) -> Plan:
    """The plan described by parsed JSON; `source`, its file if it has one, names it in messages.

    Its rules are those of `game`, if given, else those that the plan names. These are refused if they have
    changed since it was made, unless `changed` is true. Raises `ForeignFile` if it is not a plan, `BadPlan`
    if it is not a usable one, and what `game_of_file` raises for its game.
    """
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise ForeignFile(f'{source} is not a plan: it should be an object with "schema": "{SCHEMA}"')
    for key, kind in FIELD_TYPES.items():
        if key not in document and key in OPTIONAL_FIELDS:
            continue
        if not isinstance(document.get(key), kind) or isinstance(document[key], bool):
            raise BadPlan(f"{source} is not a usable plan: {key!r} should be {TYPE_NAMES[kind]}")
    if isinstance(document["goal"], str) and document["goal"] not in GOALS:
        raise BadPlan(f"{source} is not a usable plan: 'goal' should be {', '.join(GOALS)} or an integer")
    if (endless := document.get("endless", "draw")) not in tuple(ENDLESS):
        raise BadPlan(f"{source} is not a usable plan: 'endless' should be one of {', '.join(ENDLESS)}")
    folder = Path(source).resolve().parent
    game = game or game_of_file(source, document, document["parameters"], folder=folder, changed=changed)
    start_key = "start" if "start" in document else "root"
    try:
        tables = tables_from_json(document)
        return Plan(
            game=game,
            owner=game.player(document["owner"]),
            goal=document["goal"],
            root=write_position(game, read_position(game, document["root"])),
            value=document["value"],
            moves=_moves(game, tables),
            start=write_position(game, read_position(game, document[start_key])),
            endless=endless,
            folded=tables.folded is not None,
            scored=_is_scored(document, tables),
        )
    except SolverError as error:
        raise BadPlan(f"{source} is not a usable plan: {error}") from error


def _is_scored(document: Any, tables: Tables) -> bool:
    """Whether margins matter: by the field `scored`, an integer goal, or a utility beyond -1 to 1."""
    scored = document.get("scored", isinstance(document["goal"], int))
    if not isinstance(scored, bool):
        raise BadPlan("'scored' should be true or false")
    return scored or any(abs(utility) > 1 for utility in (document["value"], *(tables.ends or {}).values()))


def _moves(game: AnyGame, tables: Tables) -> dict[str, MoveName]:
    """The chosen moves by position; in a folded plan, by the game's canonical position."""
    moves: dict[str, MoveName] = {}
    for text, choice in tables.states.items():
        state, move = read_position(game, text), choice.move
        if tables.folded is not None:
            state, move = _in_class(game, state, move)
        if moves.setdefault(write_position(game, state), move) != move:
            raise BadPlan(f"there are two moves for the position {text!r}: there should be one")
    return moves


def _in_class(game: AnyGame, state: Any, move: MoveName) -> tuple[Any, MoveName]:
    """The canonical state and the name of `move` in it; an illegal move keeps its name."""
    chosen, back = from_representative(game, state)
    names = (
        write_action(game, action)
        for action in actions_of(game, chosen)
        if write_action(game, back(action)) == move
    )
    return chosen, next(names, move)
