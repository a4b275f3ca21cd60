"""Proofs of plans in JSON: their tables against the rules, and folded plans played out."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings, strategies as st

from exporters import plan_json
from exporters.lookup.player import Player
from solver import Database, Plan, make_plan, verify_plan
from solver.errors import BadPlan, BrokenPlan, BrokenRules
from solver.games.mnk import TicTacToe
from solver.plans.plan import root_of, unfold
from solver.proof.plan import verify_document
from solver.rules.source.trust import trusting
from tests.support.folded_plans import folded_plan
from tests.support.games.explicit_graph import Mirrored, mirrored
from tests.support.games.false_symmetry import Crooked
from tests.support.solved import solving

Document = dict[str, Any]


@pytest.fixture(autouse=True, scope="module")
def trusted() -> Iterator[None]:
    """Let the rules of the games run that the tests draw: no command has run them before."""
    with trusting():
        yield


@pytest.fixture(scope="module")
def texts(db: Database) -> Mapping[str, str]:
    """JSON of plans from the empty board, by their owners."""
    made = {"": make_plan, " folded": folded_plan}
    return {f"{who}{how}": plan_json.render(made[how](db, owner=who)) for how in made for who in "xo"}


@pytest.mark.parametrize("owner", ["x", "o"])
def test_folded_plan_has_the_guarantee_of_the_unfolded_plan(db: Database, owner: str) -> None:
    made, plain = folded_plan(db, owner=owner), verify_plan(make_plan(db, owner=owner))
    proved = verify_plan(made)
    assert len(made.moves) < len(make_plan(db, owner=owner).moves)
    for same in ("gain", "plies", "unused", "best", "soonest", "latest", "after_error"):
        assert getattr(proved, same) == getattr(plain, same)
    assert verify_document(plan_json.document(made), game=made.game)[2] is None


def test_graph_of_a_folded_plan_has_one_node_per_class(db: Database) -> None:
    made = folded_plan(db, "..xo.....", owner="x")
    graph = unfold(made)
    assert root_of(made) == ".o....x.." != made.root
    assert next(iter(graph)) == root_of(made)
    assert graph.nodes[root_of(made)]["gain"] == made.gain(made.value)
    classes = {made.game.canonical(made.game.parse(node)) for node in graph}
    assert len(classes) == len(graph)
    assert {node for node, kind in graph.nodes.data("kind") if kind == "or"} == made.moves.keys()


def test_unreachable_moves_of_a_folded_plan_are_counted(db: Database) -> None:
    made = folded_plan(db, "..xo.....", owner="x")
    assert verify_plan(replace(made, moves={**made.moves, ".........": 4})).unused == 1


def worst_by_player(plan: Plan, document: Document) -> int | None:
    """The least gain of one who has nothing but the tables, every line tried; None where it gets lost."""
    game, gains = plan.game, []
    todo: list[tuple[Any, tuple[str, ...]]] = [(game.parse(plan.root), ())]
    while todo:
        state, line = todo.pop()
        player = Player(document)
        try:
            for move in line:
                player.play(move)
        except KeyError:
            return None
        after = {str(game.action_name(action)): game.result(state, action) for action in game.actions(state)}
        if not after:
            if player.utility != game.utility(state):
                return None
            gains.append(plan.gain(game.utility(state)))
        elif player.utility is not None:
            return None
        elif game.to_move(state) == plan.owner:
            if player.move not in after:
                return None
            after = {player.move: after[player.move]}
        elif player.move is not None:
            return None
        todo += [(child, (*line, move)) for move, child in after.items()]
    return min(gains)


@st.composite
def folded_plans(draw: st.DrawFn) -> Plan:
    """A plan of any moves for a game, all of whose play ends, with a symmetry that may be false."""
    game = draw(mirrored())
    game = replace(game, children=downwards(game))
    moves: dict[str, str | int] = {}
    for state, children in enumerate(game.children):
        if children and game.movers[state] == 0:
            moves[str(state)] = draw(st.integers(0, len(children) - 1))
    return Plan(game, 0, -9, "0", -9, moves, "0", folded=True)


def proved_gain(made: Plan) -> int | None:
    """The gain of a plan in JSON that is proved, None of one that is refuted; or there is no such JSON."""
    try:
        return verify_document(plan_json.document(made), game=made.game)[1].gain
    except (BadPlan, BrokenRules):
        return None


@given(folded_plans())
def test_verified_gain_matches_play_by_lookup(made: Plan) -> None:
    gain = proved_gain(made)
    assert gain is None or worst_by_player(made, plan_json.document(made)) == gain


@pytest.mark.parametrize("proved", [True, False])
def test_drawn_plans_have_true_and_false_symmetries(proved: bool) -> None:
    def fits(made: Plan) -> bool:
        try:
            document = plan_json.document(made)
        except (BadPlan, BrokenRules):
            return False
        return bool(document["folded"]) and (proved_gain(made) is not None) == proved

    once = settings(max_examples=2000, database=None, phases=[Phase.generate])  # not the least one
    assert find(folded_plans(), fits, settings=once)


def downwards(game: Mirrored) -> tuple[tuple[int, ...], ...]:
    """The moves that lead to states of a greater number in either half, so that all play ends."""
    half, moves = len(game.children) // 2, enumerate(game.children)
    return tuple(tuple(child for child in after if child % half > at % half) for at, after in moves)


def test_false_symmetry_is_refuted_with_a_line_of_play() -> None:
    with solving(Crooked()) as db:
        plans = [folded_plan(db, owner=owner) for owner in ("x", "o")]
    for made in plans:
        with pytest.raises(BrokenPlan, match="after the moves") as caught:
            verify_plan(made)
        line, state = str(caught.value).partition("after the moves ")[2], made.game.initial
        for move in (int(word) for word in line.partition(" the game")[0].partition(":")[0].split()):
            state = made.game.result(state, made.game.actions(state)[made.game.actions(state).index(move)])
        assert repr(made.game.position(state)) in str(caught.value)


def change(document: Document, path: str, value: Any) -> None:
    """Put a value in a place of the document, or take the place out (`...`)."""
    place: Any = document
    *keys, last = path.split("/")
    for key in keys:
        place = place[int(key) if isinstance(place, list) else key]
    if value is ...:
        del place[last]
    else:
        place[last] = value


UNREADABLE = "not a usable plan: cannot read the position 'nothing'"

LIES: list[tuple[str, str, Any, str]] = [
    ("x", "states/........./then", "....x....", "leads from '.........' to '....x....', but it leads to 'x"),
    ("x", "states/x........", {"move": 4, "then": "x...o...."}, "x is not to move there"),
    ("x", "states/xx.oo....", {"move": 0, "then": "xxxoo...."}, "0 is not legal in 'xx.oo....'"),
    ("x", "replies/x......../4", ..., "lacks the reply '4' in 'x........'"),
    (
        "x",
        "replies/x......../4",
        "x..o.....",
        "leads from 'x........' to 'x..o.....', but it leads to 'x...o",
    ),
    ("x", "replies/x......../0", "o........", "the reply '0' in 'x........', which is not legal"),
    ("x", "replies/.........", {"4": "....x...."}, "x is to move there"),
    ("x", "replies/xxxoo....", {"5": "xxxooo..."}, "the reply '5' in 'xxxoo....', which is not legal"),
    ("x", "replies/x........", ..., "a lookup of the move '1' in 'x........' does not find it, after the"),
    ("x", "ends/xxxoo....", -1, "an end with utility -1, but it is 1"),
    ("x", "ends/x........", 0, "'x........' among the ends, but the game goes on"),
    ("x", "ends", {}, "the game ends with 1 for the first player, but in .* does not have it"),
    ("o", "states/xo.......", {"move": 2, "then": "xoo......"}, "o is not to move there"),
    ("o", "symmetries", [{"0": "1"}], "the symmetry 0 of the plan does not take its moves to all"),
    ("x folded", "folded", {}, "a lookup of a move in 'xo?.* finds none, after the moves|is not legal"),
    ("x folded", "symmetries/0/0", "8", "the symmetry 0 of the plan does not take its moves to all"),
    ("x folded", "folded/x........", {"as": "xo.......", "by": 0}, "the rules tell them apart"),
    ("x folded", "start", "nothing", UNREADABLE),
    ("x folded", "states/........./then", "nothing", UNREADABLE),
    ("x folded", "replies/nothing", {"0": "x"}, UNREADABLE),
    ("x folded", "ends/nothing", 0, UNREADABLE),
    ("x folded", "folded/nothing", {"as": ".........", "by": 0}, UNREADABLE),
]


@pytest.mark.parametrize(("owner", "path", "value", "says"), LIES)
def test_altered_plan_is_refuted(
    texts: Mapping[str, str], owner: str, path: str, value: Any, says: str
) -> None:
    document = json.loads(texts[owner])
    assert verify_document(document)[2] is None
    change(document, path, value)
    with pytest.raises(BadPlan, match=says) as caught:
        verify_document(document)
    assert isinstance(caught.value, BrokenPlan) == (says != UNREADABLE)


@pytest.mark.parametrize("owner", ["x", "o"])
def test_wrong_fold_is_refuted_or_keeps_the_guarantee(texts: Mapping[str, str], owner: str) -> None:
    text, refuted = texts[f"{owner} folded"], 0
    plan, _, _ = verify_document(json.loads(text))
    folds, count = [*json.loads(text)["folded"]], len(json.loads(text)["symmetries"])
    for raw in folds[:: max(9, len(folds) // 20)]:
        document = json.loads(text)
        fold = document["folded"][raw]
        fold["by"] = (fold["by"] + 1) % count
        try:
            verify_document(document)
        except BrokenPlan:
            refuted += 1
        else:
            worst = worst_by_player(plan, document)
            assert worst is not None
            assert worst >= 0
    assert refuted > 1


CHOICE = {"move": 2, "then": "XXX/OO_/___"}
BY_HAND: Document = {
    "schema": "perfectplay/plan/1",
    "game": "tictactoe",
    "parameters": {},
    "owner": "FIRST",
    "goal": "win",
    "root": "XX_/OO_/___",
    "value": 1,
    "states": {"XX_/OO_/___": CHOICE, "oo.xx....": {"move": 8}},
}


@pytest.mark.parametrize(
    ("extra", "lacks"),
    [
        ({}, "replies"),
        ({"replies": {}}, "ends"),
        ({"replies": {}, "ends": {"XXX/OO_/___": 1}}, "then"),
        ({"replies": {}, "ends": {"XXX/OO_/___": 1}, "states": {"XX_/OO_/___": CHOICE}}, None),
    ],
)
def test_handwritten_plan_may_use_any_notation(extra: Document, lacks: str | None) -> None:
    plan, proved, lacking = verify_document({**BY_HAND, **extra})
    assert (plan.root, proved.gain, proved.plies, lacking) == ("xx.oo....", 1, 1, lacks)
    assert proved.unused == (0 if lacks is None else 1)


def test_lookup_plan_with_mixed_notations_is_refused() -> None:
    states = {"xx.oo....": {"move": 2, "then": "xxxoo...."}}
    document = {**BY_HAND, "states": states, "replies": {}, "ends": {"xxxoo....": 1}}
    with pytest.raises(BrokenPlan, match="a lookup of a move in 'XX_/OO_/___' finds none, at once"):
        verify_document(document)
    assert verify_document({**document, "root": "xx.oo...."})[2] is None


def test_handwritten_folded_plan_may_start_anywhere_in_a_class() -> None:
    game = TicTacToe()
    state = game.parse("xx.oo....")
    members = [game.position(item) for item in (state, *(image.state(state) for image in game.symmetries()))]
    assert len(set(members)) == 8
    document = {**BY_HAND, "states": {"xx.oo....": {"move": 2}}, "folded": {}}
    for root in members:
        plan, proved, lacks = verify_document({**document, "root": root})
        assert (plan.root, proved.gain, proved.unused, lacks) == (root, 1, 0, "replies")
    twice = {"xx.oo....": {"move": 2}, "....oo.xx": {"move": 0}}
    with pytest.raises(BadPlan, match="there are two moves for the position"):
        verify_document({**document, "states": twice})
    with pytest.raises(BrokenPlan, match="move 0 is not legal"):
        verify_document({**document, "states": {"xx.oo....": {"move": 0}}})
