"""The steps of a Monte Carlo tree search: selection by UCB1, expansion, simulation and backup."""

import re
from math import log, sqrt

import pytest

from exporters.search_tree.scene import make_scene
from exporters.search_tree.steps import steps
from solver.game import AnyGame
from solver.games.dots_and_boxes import DotsAndBoxes
from solver.games.mnk import TicTacToe
from solver.search.trace import Sample
from tests.support.search_examples import traced

TERM = re.compile(r"(▶ )?(\S+): (?:(-?[\d.]+) \+ ([\d.]+) = (-?[\d.]+)|proved)")


def terms(window: str) -> list[tuple[str, ...]]:
    plain = window.replace("\N{NO-BREAK SPACE}", " ").replace("\N{MINUS SIGN}", "-")
    return [TERM.fullmatch(part).groups() for part in plain.removeprefix("mean + exploration: ").split(" · ")]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "game", "position", "exploration"),
    [
        ("uct", TicTacToe(), ".........", 2**0.5),
        ("uct", TicTacToe(), "xo..x....", 0.5),
        ("uct-solver", TicTacToe(), "xo..x....", 2**0.5),
        ("uct", DotsAndBoxes(1, 2), None, 1.0),
        ("ucb1", TicTacToe(), ".........", 2**0.5),
    ],
)
def test_each_playout_selects_by_ucb1_expands_plays_and_backs_up(
    name: str, game: AnyGame, position: str | None, exploration: float
) -> None:
    state = game.parse(position) if position else game.initial
    _, trace = traced(name, game, state, playouts=60, exploration=exploration)
    scene = make_scene(trace)
    visits = dict.fromkeys(range(len(trace.nodes)), 0)
    totals = dict.fromkeys(range(len(trace.nodes)), 0)
    scale, phases = 1, ""
    waiting = iter(trace.playouts)
    for step in steps(scene)[1:-1]:
        phase = re.search("selection|expansion|Simulation|Backup", step.said)
        assert phase
        phases += phase[0][0]
        if phase[0] == "selection":
            node = trace.nodes[step.at]
            sign = -1 if game.to_move(node.state) else 1
            shown = {move: (mark, mean, bonus, both) for mark, move, mean, bonus, both in terms(step.window)}
            tried = [child for child in node.children if visits[child]]
            assert list(shown) == [scene.move(trace.nodes[child]) for child in tried]
            for child in tried:
                _, mean, bonus, both = shown[scene.move(trace.nodes[child])]
                if not mean:
                    assert trace.nodes[child].finding.proved is not None  # type: ignore[union-attr]
                    continue
                expected = 2 * scale * exploration * sqrt(log(visits[step.at]) / visits[child])
                assert float(mean) == pytest.approx(sign * totals[child] / visits[child], abs=0.0051)
                assert float(bonus) == pytest.approx(expected, abs=0.0051)
                assert float(both) == pytest.approx(float(mean) + float(bonus), abs=0.011)
            highest = max(float(both) for _, _, _, both in shown.values() if both)
            (chosen,) = [both for mark, _, _, both in shown.values() if mark]
            assert float(chosen) == highest
            assert not node.children[len(tried) :] or visits[node.children[-1]] == 0
        if phase[0] == "expansion":
            assert visits[step.at] == 0
        if phase[0] == "Backup":
            leaf, utility = next(waiting)
            scale = max(scale, abs(utility))
            at: int | None = leaf
            while at is not None:
                visits[at] += 1
                totals[at] += utility
                at = trace.nodes[at].parent
    assert re.fullmatch("(s*e?SB)*", phases)
    assert phases.count("B") == len(trace.playouts)
    for number, node in enumerate(trace.nodes):
        if isinstance(node.finding, Sample):
            assert (node.finding.visits, node.finding.total) == (visits[number], totals[number])
