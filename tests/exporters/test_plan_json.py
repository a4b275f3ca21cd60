import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import solver
from exporters import plan_json
from solver.errors import SolverError
from solver.plan_file import plan_from_json

SCHEMA = json.loads((files("exporters") / "plan.schema.json").read_text("utf-8"))

BY_HAND = {
    "schema": "perfectplay/plan/1",
    "game": "tictactoe",
    "parameters": {},
    "owner": "x",
    "goal": "win",
    "root": "xo.ox....",
    "value": 1,
    "states": {"xo.ox....": {"move": 8}},
}


def is_valid(document: object) -> bool:
    return bool(Draft202012Validator(SCHEMA).is_valid(document))


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    ("position", "owner"), [(None, "x"), (None, "o"), ("xo.ox....", "x"), ("xox.o....", "o")]
)
def test_a_plan_is_as_the_schema_says(tictactoe_db_path: Path, position: str | None, owner: str) -> None:
    with solver.open_database(tictactoe_db_path) as db:
        made = solver.make_plan(db, position, owner=owner)
    document = json.loads(plan_json.render(made))
    Draft202012Validator(SCHEMA).validate(document)
    assert plan_from_json(document) == made


def test_a_plan_by_hand_needs_no_more_than_its_moves() -> None:
    assert is_valid(BY_HAND)
    assert plan_from_json(BY_HAND).moves == {"xo.ox....": 8}


@pytest.mark.parametrize("extra", [{"goal": 1}, {"goal": -2}, {"endless": "first"}, {"endless": "draw"}])
def test_a_goal_may_be_a_number_and_endless_play_somebodys(extra: dict[str, Any]) -> None:
    assert is_valid(BY_HAND | extra)
    plan = plan_from_json(BY_HAND | extra)
    assert (plan.goal, plan.endless) == (extra.get("goal", "win"), extra.get("endless", "draw"))


MISTAKES: list[dict[str, Any]] = [
    *({key: ...} for key in BY_HAND),
    {"schema": "perfectplay/plan/0"},
    {"game": 3},
    {"parameters": [3, 3, 3]},
    {"owner": 0},
    {"goal": "lose"},
    {"goal": 1.5},
    {"goal": True},
    {"endless": "x"},
    {"endless": 0},
    {"root": None},
    {"value": "win"},
    {"value": True},
    {"value": 0.5},
    {"states": [8]},
    {"states": {"xo.ox....": 8}},
    {"states": {"xo.ox....": {}}},
    {"states": {"xo.ox....": {"move": True}}},
    {"states": {"xo.ox....": {"move": None}}},
    {"states": {"xo.ox....": {"move": [8]}}},
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_the_schema_and_the_reader_refuse_the_same_mistakes(mistake: dict[str, Any]) -> None:
    document = {key: value for key, value in (BY_HAND | mistake).items() if value is not ...}
    assert not is_valid(document)
    with pytest.raises(SolverError):
        plan_from_json(document)
