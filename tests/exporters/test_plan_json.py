import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from exporters import plan_json
from solver import Database, make_plan
from solver.errors import BadPlan, BrokenRules, SolverError
from solver.game import Game, Symmetry
from solver.plans.plan import Plan, unfold
from solver.plans.reader import plan_from_json
from tests.exporters.support.small_plans import Handmade, Rules
from tests.support.folded_plans import folded_plan

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


class Ambiguous(Handmade):
    """Left and right are symmetric, but "l" is also what one of the second moves is called."""

    def action_name(self, action: str) -> str:
        return dict(zip("abcd", "lrlx", strict=True))[action]

    def symmetries(self) -> Sequence[Symmetry[str, str]]:
        pairs = ("01234", "02143"), ("abcd", "badc")
        return [Symmetry(*(dict(zip(*pair, strict=True)).__getitem__ for pair in pairs))]


@dataclass(frozen=True)
class Parameters(Game[int, int]):
    """A game that is over at once, with parameters of the kinds that built-in games have not."""

    number: float = 0.5
    limit: int | None = None
    weights: tuple[float | None, ...] = (0.5, None)
    rows: tuple[tuple[int, ...], ...] = ((1, 2), (3,))

    initial = 0
    to_move = utility = lambda self, state: 1
    actions = lambda self, state: ()  # noqa: E731
    result = lambda self, state, action: state  # noqa: E731


def is_valid(document: object) -> bool:
    return bool(Draft202012Validator(SCHEMA).is_valid(document))


def test_schema_is_a_valid_json_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("make", [make_plan, folded_plan])
@pytest.mark.parametrize(
    ("position", "owner"),
    [(None, "x"), (None, "o"), ("..xo.....", "x"), ("xo.ox....", "x"), ("xox.o....", "o")],
)
def test_plans_follow_the_schema(
    tictactoe: Database, position: str | None, owner: str, make: Callable[..., Plan]
) -> None:
    made = make(tictactoe, position, owner=owner)
    document = json.loads(plan_json.render(made))
    Draft202012Validator(SCHEMA).validate(document)
    assert plan_from_json(document) == made
    assert document["root"] == (position or ".........")
    assert not made.folded or ("..xo....." in document["folded"]) == (position == "..xo.....")


def test_parameters_follow_the_schema() -> None:
    made = json.loads(plan_json.render(Plan(Parameters(), 0, "win", "0", 1, {}, "0")))
    assert made["parameters"] == {"number": 0.5, "limit": None, "weights": [0.5, None], "rows": [[1, 2], [3]]}
    Draft202012Validator(SCHEMA).validate(made)
    assert not is_valid(made | {"parameters": {"rows": {}}})


def test_folded_plan_maps_reached_positions_to_canonical_ones(
    tictactoe: Database,
) -> None:
    made = folded_plan(tictactoe, owner="o")
    document, game = json.loads(plan_json.render(made)), made.game
    known = {**document["states"], **document["replies"], **document["ends"]}
    assert len(known) == len(unfold(made))
    assert all(game.canonical(game.parse(position)) == game.parse(position) for position in known)
    led_to = [choice["then"] for choice in document["states"].values()]
    led_to += [child for replies in document["replies"].values() for child in replies.values()]
    assert {child for child in led_to if child not in known} == document["folded"].keys()
    for raw, fold in document["folded"].items():
        table = document["symmetries"][fold["by"]]
        assert "".join(raw[int(at)] for at in sorted(table, key=lambda at: int(table[at]))) == fold["as"]


def test_ambiguous_move_names_are_refused() -> None:
    rules: Rules = {
        "0": (1, {"a": "1", "b": "2"}),
        "1": (1, {"c": "3"}),
        "2": (1, {"d": "4"}),
        "3": 0,
        "4": 0,
    }
    made = Plan(Ambiguous(rules), 0, "draw", "0", 0, {}, "0", folded=True)
    with pytest.raises(BrokenRules, match=r"more than one move 'l'.*without --fold"):
        plan_json.render(made)


def test_handwritten_plan_needs_only_its_moves() -> None:
    by_hand = BY_HAND | {"root": "XX_/OO_/___", "states": {"xx./oo./...": {"move": 2}}}
    assert is_valid(by_hand)
    plan = plan_from_json(by_hand)
    assert (plan.root, plan.owner, plan.start) == ("xx.oo....", 0, "xx.oo....")
    assert plan.moves == {"xx.oo....": 2}


@pytest.mark.parametrize("extra", [{"goal": 1}, {"goal": -2}, {"endless": "first"}, {"endless": "draw"}])
def test_integer_goal_and_endless_value_are_read(extra: dict[str, Any]) -> None:
    assert is_valid(BY_HAND | extra)
    plan = plan_from_json(BY_HAND | extra)
    assert (plan.goal, plan.endless) == (extra.get("goal", "win"), extra.get("endless", "draw"))


FOLDS: list[Any] = [
    *("........x", {"as": "........x"}, {"as": 3, "by": 0}, {"as": "........x", "by": "0"}),
    *({"as": "........x", "by": True}, {"as": "........x", "by": -1}),
]

CHOICES: list[Any] = [8, {}, {"move": True}, {"move": None}, {"move": [8]}]

MISTAKES: dict[str, list[dict[str, Any]]] = {
    "schema": [{"schema": ...}, {"schema": "perfectplay/plan/0"}],
    "'game' should be a text": [{"game": ...}, {"game": 3}],
    "'parameters' should be an object": [{"parameters": ...}, {"parameters": [3, 3, 3]}],
    "'owner' should be a text": [{"owner": ...}, {"owner": 0}],
    "'goal' should be a text": [{"goal": ...}, {"goal": ["win"]}, {"goal": 1.5}, {"goal": True}],
    "win, draw": [{"goal": "lose"}],
    "'endless' should be one of draw, first, second": [{"endless": item} for item in ("x", ["draw"], 0)],
    "'root' should be a text": [{"root": ...}, {"root": None}],
    "'value' should be an integer": [{"value": item} for item in (..., "win", True, 0.5)],
    "'states' should be an object": [{"states": ...}, {"states": [8]}],
    "'xo.ox....' should have": [{"states": {"xo.ox....": choice}} for choice in CHOICES],
    "'then' of .* should be a position": [{"states": {"xo.ox....": {"move": 8, "then": 5}}}],
    "'replies' should be an object": [{"replies": []}],
    "the replies in 'xo.ox....' should be": [
        *({"replies": {"xo.ox....": []}}, {"replies": {"xo.ox....": {}}}),
        {"replies": {"xo.ox....": {"8": 8}}},
    ],
    "'ends' should be an object": [{"ends": []}],
    "the end 'xo.ox...x' should be an integer": [{"ends": {"xo.ox...x": item}} for item in ("1", True, None)],
    "'folded' should be an object": [{"folded": []}, {"folded": None}],
    "the folded position 'x........' should have": [
        {"folded": {"x........": fold}, "symmetries": [{}, {}]} for fold in FOLDS
    ],
    "'symmetries' should be a list": [{"symmetries": {}}, {"symmetries": [[]]}, {"symmetries": [{"0": 8}]}],
}
"""By what is said of them: what is wrong in plans, and what is left out."""


@pytest.mark.parametrize(
    ("says", "mistake"), [(says, item) for says, some in MISTAKES.items() for item in some], ids=str
)
def test_schema_and_reader_refuse_the_same_mistakes(says: str, mistake: dict[str, Any]) -> None:
    document = {key: value for key, value in (BY_HAND | mistake).items() if value is not ...}
    assert not is_valid(document)
    with pytest.raises(SolverError, match=says):
        plan_from_json(document)


@pytest.mark.parametrize(
    ("mistake", "says"),
    [
        ({"owner": "z"}, "no player 'z'"),
        ({"root": "xx"}, "cannot read the position"),
        ({"value": 1.0}, "'value' should be an integer"),
        ({"states": {"xx": {"move": 2}}}, "cannot read the position"),
    ],
)
def test_reader_refuses_mistakes_beyond_the_schema(mistake: dict[str, Any], says: str) -> None:
    assert is_valid(BY_HAND | mistake)
    with pytest.raises(BadPlan, match=says):
        plan_from_json(BY_HAND | mistake)
