"""Small pictures of each kind, by name, as `tests/exporters/golden` has them: as SVG, or as DOT text.

`python -m tests.exporters.support.goldens` writes them anew: look at each that changes. What Graphviz makes
of DOT text depends on its release; of SVG there is one file, docs/plan.svg, which the tests of the README
hold against what the program draws.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from exporters.diagram import dot, scene
from exporters.diagram.board_label import Diagram
from exporters.search_tree import game_graph
from exporters.search_tree.dot import digraph
from exporters.search_tree.scene import make_scene
from exporters.svg import position as position_svg
from exporters.svg.plan_map import page as plan_map
from solver import Database, load_game
from solver.engines.graph_states import explore
from solver.game import AnyGame
from solver.plans.plan import Plan
from solver.search import Settings, search
from solver.search.recorder import SearchRecorder
from tests.exporters.support.first_best_plan import first_best
from tests.exporters.support.small_plans import Handmade, plan
from tests.support import solved as solved_games
from tests.support.folded_plans import folded_plan
from tests.support.pages import ROOT

GOLDEN = Path(__file__).parents[1] / "golden"


@cache
def solved(name: str, **parameters: int | str) -> Database:
    """A database of the game, which stays open until the process ends."""
    return solved_games.solved(name, parameters)


def _map(name: str, position: str | None, owner: str, depth: int | None = None, **rules: str) -> str:
    return plan_map.render(first_best(solved(name, **rules), position, owner=owner), depth)


def _value(name: str, position: str | None = None, **rules: str) -> str:
    db = solved(name, **rules)
    return position_svg.render(db.game, db[db.start if position is None else position])


def _plan(of: Plan, depth: int | None = None, follow: str | None = None) -> Diagram:
    return dot.digraph(scene.make_scene(of, depth, follow))


def _search(name: str, game: AnyGame, state: Any, depth: int | None = None, *, playouts: int = 1) -> Diagram:
    recorder = SearchRecorder(game, name, depth)
    search(name, game, state, Settings(depth=depth or 4, playouts=playouts, recorder=recorder))
    return digraph(make_scene(recorder.trace()))


SMALL = {"rows": "3", "columns": "4", "k": "3"}

PICTURES: dict[str, Callable[[], str]] = {
    "map-of-a-win": lambda: _map("tictactoe", "xo..x....", "x"),
    "map-of-a-draw-for-o": lambda: _map("tictactoe", "xox.o....", "o"),
    "map-that-is-cut": lambda: _map("connect", None, "x", 4, **SMALL),
    "map-of-misere": lambda: _map("tictactoe", "xoxo.....", "o", misere="true"),
    "value-of-a-loss": lambda: _value("tictactoe", "xo..x...."),
    "value-of-an-end": lambda: _value("tictactoe", "xxxoo...."),
    "value-in-columns": lambda: _value("connect", **SMALL),
    "value-of-a-score": lambda: _value("dots-and-boxes", rows="1", columns="2"),
    "value-with-a-list": lambda: _value("nim", heaps="3,4,5"),
    "value-in-circles": lambda: _value("ponghauki"),
    "graph": lambda: game_graph.render(explore(load_game("nim", {"heaps": "1,2"}))),
    "graph-in-part": lambda: game_graph.render(explore(load_game("tictactoe"))),
}

LETTERS = Handmade({"a": (1, {"l": "b", "r": "c"}), "b": 3, "c": -2}, {"a": "a  picture\nof <letters>"})
MATE = "k7/8/1K6/8/8/8/8/7R w"
FIGURE = load_game(f"{ROOT / 'docs' / 'aima_5_2.py'}:Figure")
GAME, CONNECT = load_game("tictactoe"), load_game("connect", {"rows": 3, "columns": 3, "k": 3})
OPEN = GAME.parse("xo.ox....")

DRAWINGS: dict[str, Callable[[], Diagram]] = {
    "small": lambda: _plan(first_best(solved("tictactoe"), "xo..x....", owner="x")),
    "depth": lambda: _plan(first_best(solved("tictactoe"), owner="o"), depth=2),
    "follow": lambda: _plan(first_best(solved("tictactoe"), owner="o"), follow="4 2"),
    "folded": lambda: _plan(folded_plan(solved("tictactoe"), owner="x")),
    "chequered": lambda: _plan(Plan(load_game("chess-ending"), 0, "win", MATE, 1, {MATE: "Rh8"}, MATE)),
    "letters": lambda: _plan(plan(LETTERS, {})),
    "lattice": lambda: _plan(first_best(solved("dots-and-boxes", rows=1)), depth=2),
    "ways": lambda: _plan(first_best(solved("ponghauki")), depth=3),
    "filled": lambda: _plan(first_best(solved("domineering", rows=2, columns=3))),
    "open": lambda: _plan(first_best(solved("nim"), owner="second"), depth=2),
    "search-triangles": lambda: _search("alpha-beta", FIGURE, "A"),
    "search-cuts": lambda: _search("alpha-beta-table", GAME, OPEN, 2),
    "search-plan": lambda: _search("and-or", GAME, OPEN),
    "search-visits": lambda: _search("uct", CONNECT, CONNECT.initial, 2, playouts=40),
    "search-guesses": lambda: _search("depth-limited", CONNECT, CONNECT.initial, 2),
}
"""Plans on each ground and of a game without boards; searches with triangles, cuts, visits and guesses."""


if __name__ == "__main__":
    for name, drawn in PICTURES.items():
        (GOLDEN / f"{name}.svg").write_text(drawn(), "utf-8")
    for name, diagram in DRAWINGS.items():
        (GOLDEN / f"{name}.gv").write_text(diagram().dot, "utf-8")
