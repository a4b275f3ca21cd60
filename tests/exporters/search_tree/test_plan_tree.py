"""A plan as a tree: each line of play once, with OR and AND nodes as in pictures of searches."""

import re
from functools import partial
from pathlib import Path

import pytest

from exporters.search_tree.plan_tree import traced, written
from solver import Database, make_plan
from solver.search.trace import Visit
from tests.exporters.support.rendered_text import BEGINS
from tests.support.commandline import call, succeeded
from tests.support.solved import solved_file

plan = partial(call, "plan")


@pytest.mark.parametrize(
    ("position", "owner", "nodes"),
    [("xo..x....", "x", 21), (".........", "x", 182), ("x.......o", "x", 22), ("xxo......", "o", 18)],
)  # as docs/plans.md has the sizes of trees, which dynamic programming counts
def test_every_line_of_play_is_drawn_once(tictactoe: Database, position: str, owner: str, nodes: int) -> None:
    made = make_plan(tictactoe, position, owner=owner)
    tree = traced(made)
    assert len(tree.nodes) == sum(tree.sizes) == nodes
    for node in tree.nodes:
        assert len(node.children) == {
            Visit.TERMINAL: 0,
            Visit.SEARCHED: 1,
            Visit.REPLIES: made.game.position(node.state).count("."),
        }.get(node.visit)
    drawn = str(written(made))
    assert f"<desc>{nodes} nodes.\n" in drawn
    assert len(re.findall(r'id="n\d+" class="node"', drawn)) == nodes
    assert len(re.findall(r'id="a\d+"', drawn)) == sum(len(node.children) > 1 for node in tree.nodes)


def test_all_plan_pictures_mark_or_and_and_nodes(tictactoe_db_path: Path) -> None:
    marks = {"--tree": ["x (OR)", "o (AND)"], "map": ["move of o (AND)", "answer of x (OR)"]}
    marks["svg"] = ["x moves (OR)", "o replies (AND)"]
    for name, said in marks.items():
        form = [name] if name == "--tree" else ["--format", name]
        drawn = plan(tictactoe_db_path, "x.......o", *form).stdout
        assert [item for item in said if item not in drawn] == []


def test_plan_tree_is_written_in_every_figure_format(tictactoe_db_path: Path, tmp_path: Path) -> None:
    for ending, first in BEGINS.items():
        file = tmp_path / f"tree.{ending}"
        done = plan(tictactoe_db_path, "x.......o", "--tree", "-o", file)
        assert done.stderr == f"{file}: x wins in at most 5 plies; 22 positions\n"
        assert file.read_bytes().startswith(first)


def test_looping_plan_is_drawn_only_to_a_depth(tmp_path: Path) -> None:
    game = solved_file("ponghauki")
    refused = plan(game, "--tree")
    depth = re.findall(r"--depth (\d+)", refused.stderr)
    assert (refused.exit_code, len(depth)) == (2, 1)
    succeeded(plan(game, "--tree", "--depth", depth[0], "-o", tmp_path / "tree.svg"))
    assert plan(game, "--tree", "--depth", int(depth[0]) + 1).exit_code == 2


@pytest.mark.parametrize(
    ("owner", "goal", "says"), [("x", None, "x reaches"), ("o", -1, "x wins, for -1 or better.")]
)
def test_tree_of_a_finished_game_names_owner_and_goal(
    tictactoe: Database, owner: str, goal: int | None, says: str
) -> None:
    assert says in str(written(make_plan(tictactoe, "xxxoo....", owner=owner, goal=goal)))
