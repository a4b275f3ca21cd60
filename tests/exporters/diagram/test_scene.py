import pytest

from exporters.diagram.excerpt import PlyPosition
from exporters.diagram.scene import Scene, make_scene
from exporters.palette import PLAYED, REPLIED
from solver import Database
from tests.exporters.support.small_plans import Handmade, Rules, plan
from tests.support.folded_plans import folded_plan


def test_merged_position_highlights_only_shared_cells() -> None:
    rules: Rules = {"a": (1, {"l": "b", "r": "c"}), "b": (1, {"r": "d"}), "c": (1, {"l": "d"}), "d": 1}
    drawn = {"a": [["", ""]], "b": [["x", ""]], "c": [["", "x"]], "d": [["x", "x"]]}
    scene = make_scene(plan(Handmade(rules, drawn), {}))
    assert scene.backgrounds(PlyPosition(1, "b")) == {(0, 0): REPLIED}
    assert scene.backgrounds(PlyPosition(2, "d")) == {}


def test_first_board_shows_no_last_move() -> None:
    rules: Rules = {"a": (1, {"on": "b"}), "b": (0, {"back": "a"})}
    scene = make_scene(plan(Handmade(rules, {"a": [["x", "o"]], "b": [["x", "."]]}), {"b": "back"}))
    assert scene.backgrounds(PlyPosition(0, "a")) == {}


@pytest.fixture(scope="module")
def folded(tictactoe: Database) -> Scene:
    return make_scene(folded_plan(tictactoe, owner="o"))


def test_folded_board_is_turned_unless_all_moves_reach_it(folded: Scene) -> None:
    rules = folded.plan.game
    assert folded.turns
    for (_, position), (_, child) in folded.part.moves:
        moves = folded.graph.edges[position, child]["moves"]
        reached = {rules.position(rules.result(rules.parse(position), move)) for move in moves}
        assert folded.turned(position, child) == (reached != {child})


def test_folded_plan_highlights_owner_move_in_its_cell(folded: Scene) -> None:
    for place in folded.part.places:
        if place.position in folded.plan.moves:
            move = int(folded.plan.moves[place.position])
            assert folded.backgrounds(place)[divmod(move, 3)] == PLAYED


def test_turned_board_does_not_highlight_last_move(folded: Scene) -> None:
    turned = {after for before, after in folded.part.moves if folded.turned(before.position, after.position)}
    seen = [place for place in turned if folded.kind(place.position) != "or"]
    assert seen
    assert all(folded.backgrounds(place) == {} for place in seen)


def test_difference_names_what_the_board_does_not_show() -> None:
    rules: Rules = {
        "a": (1, {"p": "b", "q": "c", "r": "d"}),
        "b": (0, {"go": "won"}),
        "c": (0, {"go": "won"}),
        "d": (1, {"go": "lost"}),
        "won": 1,
        "lost": -1,
    }
    drawn = {key: [["x"]] for key in ("b", "c", "d", "won", "lost")} | {"a": [["o"]]}
    scene = make_scene(plan(Handmade(rules, drawn), {"b": "go", "c": "go"}))
    said = {position: scene.difference(position) for position in scene.part.positions}
    # b and c differ in nothing that a picture shows; the ends say who wins
    assert said == {"a": "", "b": "b", "c": "c", "d": "second to move", "won": "", "lost": ""}
