"""A wide tree is drawn in strips: no figure is wider than 2,500 pixels, and a PDF fits a sheet."""

import re
from collections import defaultdict
from itertools import pairwise
from math import hypot
from pathlib import Path
from random import Random

import pytest

from exporters.search_tree.strips import rows_at, strips
from solver.search.trace import TracedNode, Visit
from tests.exporters.support.rendered_text import assert_small
from tests.support.commandline import call


def random_tree(seed: int, size: int) -> list[TracedNode]:
    """A tree whose nodes are numbered as they are when a search goes down first."""
    rng = Random(seed)
    parents: list[int | None] = [None]
    depths, path = [0], [0]
    for number in range(1, size):
        del path[rng.randrange(1, len(path) + 1) :]
        parents.append(path[-1])
        depths.append(len(path))
        path.append(number)
    below = [tuple(child for child, parent in enumerate(parents) if parent == nth) for nth in range(size)]
    return [
        TracedNode(number, None, parent, depths[number], Visit.SEARCHED, None, None, below[number], None, 0)
        for number, parent in enumerate(parents)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_strips_have_each_node_once_and_repeat_ancestors(seed: int) -> None:
    nodes = random_tree(seed, 10 + 5 * seed)
    actual = strips(nodes, [10] * len(nodes), 100)
    assert [number for strip in actual for number in strip.nodes] == list(range(len(nodes)))
    earlier: set[int] = set()
    for strip in actual:
        assert sum(not nodes[number].children for number in strip.nodes) <= 10
        parents = {nodes[number].parent for number in strip.nodes} - {None}
        assert parents - {*strip.nodes} == {*strip.again} & parents
        assert {*strip.again} <= earlier
        for upper, lower in zip(strip.again, strip.again[1:], strict=False):
            assert nodes[lower].parent == upper
        earlier |= {*strip.nodes}


def test_fitting_tree_and_small_subtree_are_not_split() -> None:
    (only,) = strips(random_tree(3, 9), [10] * 9, 90)
    assert (only.nodes, only.again) == (list(range(9)), [])
    fan = [TracedNode(0, None, None, 0, Visit.SEARCHED, None, None, (1, 5), None, 0)]
    for number in (1, 5):
        below = tuple(range(number + 1, number + 4))
        fan.append(TracedNode(0, None, 0, 1, Visit.SEARCHED, None, None, below, None, 0))
        fan += [TracedNode(0, None, number, 2, Visit.SEARCHED, None, None, (), None, 0)] * 3
    assert [(strip.nodes, strip.again) for strip in strips(fan, [10] * 9, 50)] == [
        ([0, 1, 2, 3, 4], []),
        ([5, 6, 7, 8], [0]),
    ]
    assert [rows_at(depth, fan, [10] * 9, 50) for depth in (0, 1, 2)] == [1, 2, 3 + 3]


@pytest.mark.parametrize(
    ("words", "nodes"),
    [
        (["lgame", "--with", "minimax", "--depth", "1"], 66),
        (["chess-ending", "--with", "minimax", "--depth", "1"], 15),
        (["tictactoe", "--with", "uct", "--playouts", "80"], 81),
        (["tictactoe", "xo.ox....", "--with", "and-or"], 0),
    ],
)
def test_figures_are_not_too_wide_and_lines_run_down(words: list[str], nodes: int, tmp_path: Path) -> None:
    paths = [tmp_path / f"tree.{ending}" for ending in ("svg", "png", "pdf")]
    for path in paths:
        assert call("search", *words, "-o", str(path)).exit_code == 0
    assert_small(*(path.read_bytes() for path in paths))
    svg = paths[0].read_text("utf-8")
    assert len(re.findall(r'<g id="n\d+"', svg)) == nodes or not nodes
    lines = re.findall(r'<g id="e\d+".*? d="M[\d.-]+,([\d.-]+)C.*?,([\d.-]+)"', svg, re.DOTALL)
    assert len(lines) == len(re.findall(r'<g id="e\d+"', svg))
    assert all(float(end) > float(begin) for begin, end in lines)


def test_lines_from_a_node_are_apart_after_a_third(tmp_path: Path) -> None:
    path = tmp_path / "tree.svg"
    assert call("search", "tictactoe", "--with", "uct", "--playouts", "20", "-o", str(path)).exit_code == 0
    number = r"(-?[\d.]+)"
    line = rf'<g id="e\d+".*?stroke-width="{number}" d="M{number},{number}C.*? {number},{number}"'
    fans = defaultdict[tuple[float, float], list[tuple[float, float, float]]](list)
    for parts in re.findall(line, path.read_text(), re.DOTALL):
        width, x, y, end, below = map(float, parts)
        fans[x, y].append((end - x, below - y, width))
    assert sorted(map(len, fans.values())) == [1, 1, 1, 2, 2, 2, 2, 9]
    for left, right in (pair for fan in fans.values() for pair in pairwise(sorted(fan))):
        gap = (right[0] - left[0]) * left[1] / max(hypot(*left[:2]), hypot(*right[:2]))
        assert gap / 3 > (left[2] + right[2]) / 2
