"""Plans in JSON files, which need not be of our making, read into a `Plan`."""

import json
from pathlib import Path
from typing import Any

from solver.errors import BadPlan, ForeignFile, MissingFile, SolverError
from solver.game import ENDLESS
from solver.notation import read_position, write_position
from solver.plan import GOALS, SCHEMA, Plan
from solver.plugins import load_game

KINDS = {
    "game": str,
    "parameters": dict,
    "owner": str,
    "goal": str | int,
    "root": str,
    "value": int,
    "states": dict,
}
"""What a plan must have, and of which kind."""

NAMES = {str | int: "a text or an integer", str: "a text", dict: "an object", int: "an integer"}


def read_plan(path: str | Path) -> Plan:
    """The plan in a JSON file, which need not be of our making.

    Raises `MissingFile`, `ForeignFile` (not a plan in JSON), `BadPlan` (an unusable one) or, for its game,
    what `load_game` raises. Whether it keeps its promise is for `solver.plan_proof` to say.
    """
    try:
        found = json.loads(Path(path).read_text("utf-8"))
    except FileNotFoundError:
        raise MissingFile(f"{path} does not exist") from None
    except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, a number too long, too deep
        raise ForeignFile(f"{path} is not JSON: {error}") from error
    return plan_from_json(found, str(path))


def plan_from_json(found: Any, source: str = "the plan") -> Plan:
    """The plan that parsed JSON describes; raises as `read_plan` does."""
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise ForeignFile(f'{source} is not a plan: it should be an object with "schema": "{SCHEMA}"')
    for key, kind in KINDS.items():
        if not isinstance(found.get(key), kind) or isinstance(found[key], bool):
            raise BadPlan(f"{source} is not a usable plan: {key!r} should be {NAMES[kind]}")
    if isinstance(found["goal"], str) and found["goal"] not in GOALS:
        raise BadPlan(f"{source} is not a usable plan: 'goal' should be {', '.join(GOALS)} or an integer")
    if (endless := found.get("endless", "draw")) not in tuple(ENDLESS):
        raise BadPlan(f"{source} is not a usable plan: 'endless' should be one of {', '.join(ENDLESS)}")
    game = load_game(found["game"], found["parameters"])
    try:
        moves = {
            write_position(game, read_position(game, position)): _move(position, choice)
            for position, choice in found["states"].items()
        }
        return Plan(
            game=game,
            owner=game.player(found["owner"]),
            goal=found["goal"],
            root=write_position(game, read_position(game, found["root"])),
            value=found["value"],
            moves=moves,
            start=str(found.get("start", found["root"])),
            endless=endless,
        )
    except SolverError as error:
        raise BadPlan(f"{source} is not a usable plan: {error}") from error


def _move(position: str, choice: Any) -> str | int:
    move = choice.get("move") if isinstance(choice, dict) else None
    if not isinstance(move, str | int) or isinstance(move, bool):
        raise BadPlan(f'the position {position!r} should have {{"move": MOVE}}')
    return move
