"""Plans in JSON files, which need not be of our making, read into a `Plan`."""

from pathlib import Path
from typing import Any

from solver.errors import BadPlan, ForeignFile, SolverError
from solver.game import ENDLESS, AnyGame
from solver.plans.plan import GOALS, SCHEMA, Plan
from solver.plans.tables import Move, Tables, tables_from_json
from solver.rules.asking import actions_of, from_representative
from solver.rules.loading import game_of_file
from solver.rules.notation import read_position, write_action, write_position
from solver.system.strict_json import read_json

KINDS = {
    "game": str,
    "parameters": dict,
    "owner": str,
    "goal": str | int,
    "root": str,
    "value": int,
    "states": dict,
    "start": str,
}
"""What a plan has, and of which kind."""

OPTIONAL = {"start"}
"""What it may do without."""

NAMES = {str | int: "a text or an integer", str: "a text", dict: "an object", int: "an integer"}


def read_plan(path: str | Path) -> Plan:
    """The plan in a JSON file, which need not be of our making.

    Raises what `read_json` and `plan_from_json` raise. Whether it keeps its promise is for
    `solver.proof.plan` to say.
    """
    return plan_from_json(read_json(path), str(path))


def plan_from_json(found: Any, source: str = "the plan") -> Plan:
    """The plan that parsed JSON describes.

    Raises `ForeignFile` (it describes no plan), `BadPlan` (an unusable one) or, for its game, what
    `game_of_file` raises.
    """
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise ForeignFile(f'{source} is not a plan: it should be an object with "schema": "{SCHEMA}"')
    for key, kind in KINDS.items():
        if key not in found and key in OPTIONAL:
            continue
        if not isinstance(found.get(key), kind) or isinstance(found[key], bool):
            raise BadPlan(f"{source} is not a usable plan: {key!r} should be {NAMES[kind]}")
    if isinstance(found["goal"], str) and found["goal"] not in GOALS:
        raise BadPlan(f"{source} is not a usable plan: 'goal' should be {', '.join(GOALS)} or an integer")
    if (endless := found.get("endless", "draw")) not in tuple(ENDLESS):
        raise BadPlan(f"{source} is not a usable plan: 'endless' should be one of {', '.join(ENDLESS)}")
    game = game_of_file(source, found["game"], found["parameters"])
    try:
        tables = tables_from_json(found)
        return Plan(
            game=game,
            owner=game.player(found["owner"]),
            goal=found["goal"],
            root=write_position(game, read_position(game, found["root"])),
            value=found["value"],
            moves=_moves(game, tables),
            start=str(found.get("start", found["root"])),
            endless=endless,
            folded=tables.folded is not None,
        )
    except SolverError as error:
        raise BadPlan(f"{source} is not a usable plan: {error}") from error


def _moves(game: AnyGame, tables: Tables) -> dict[str, Move]:
    """The chosen moves by position, of a folded plan by the canonical ones of this game."""
    moves: dict[str, Move] = {}
    for text, choice in tables.states.items():
        state, move = read_position(game, text), choice.move
        if tables.folded is not None:
            state, move = _in_class(game, state, move)
        if moves.setdefault(write_position(game, state), move) != move:
            raise BadPlan(f"there are two moves for the position {text!r}: there should be one")
    return moves


def _in_class(game: AnyGame, state: Any, move: Move) -> tuple[Any, Move]:
    """The canonical state for `state`, and the name there of `move`, which may be illegal."""
    chosen, back = from_representative(game, state)
    names = (
        write_action(game, each)
        for each in actions_of(game, chosen)
        if write_action(game, back(each)) == move
    )
    return chosen, next(names, move)
