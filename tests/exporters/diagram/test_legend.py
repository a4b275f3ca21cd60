from dataclasses import replace

import solver
from exporters.diagram.dot import legend
from exporters.diagram.scene import make_scene
from solver.plans.plan import Plan
from tests.exporters.support.small_plans import Handmade, fork, plan


def ended(game: str, position: str) -> Plan:
    rules = solver.load_game(game)
    return Plan(rules, 0, "draw", position, 0, {}, position)


def test_the_legend_explains_what_is_there_and_nothing_else() -> None:
    assert legend(make_scene(fork(2))) == [
        "thick arrow: first moves (OR)",
        "thin: second replies (AND)",
        "solid border: win for first",
    ]
    drawn = Handmade({"a": (1, {"m": "b", "n": "c"}), "b": 0, "c": -1}, {"a": [["x"]]})
    assert legend(make_scene(plan(drawn, {}), depth=1)) == [
        "thick arrow: first moves (OR)",
        "thin: second replies (AND)",
        "yellow: first's move",
        "grey: second's last",
        "dotted border: draw or better for first",
        "double border: loss for first",
    ]


def test_a_folded_plan_says_what_its_boards_stand_for() -> None:
    folded = legend(make_scene(replace(fork(2), folded=True)))
    assert folded[-1] == "each board stands for its turned and mirrored ones, too"


def test_a_cut_picture_says_so() -> None:
    cut = plan(Handmade({"a": (1, {"m": "b"}), "b": (1, {"m": "c"}), "c": 0}), {})
    assert legend(make_scene(cut, depth=1))[-1] == "dashed border, …: goes on"
