"""Pictures as DOT text that only change on purpose, in the folder `golden`.

After a change on purpose look at the new pictures, then write them:
`python -m tests.exporters.support.dot_goldens`. What Graphviz makes of such texts depends on its release;
of SVG there is one file, docs/plan.svg, which the tests of the README hold against what the program draws.
"""

from typing import Any

import solver
from exporters.diagram import dot, scene
from exporters.diagram.board_label import Diagram
from exporters.search_tree.dot import digraph
from exporters.search_tree.scene import make_scene
from solver.game import AnyGame
from solver.plans.plan import Plan
from solver.search import Settings, search
from solver.search.recorder import SearchRecorder
from tests.exporters.support.first_best_plan import first_best
from tests.exporters.support.small_plans import Handmade, plan
from tests.exporters.support.svg_goldens import GOLDEN, solved
from tests.support.folded_plans import folded_plan
from tests.support.pages import ROOT


def drawing(of: Plan, depth: int | None = None, follow: str | None = None) -> Diagram:
    """The drawing of a plan."""
    return dot.digraph(scene.make_scene(of, depth, follow))


def of_tictactoe() -> dict[str, Diagram]:
    """The drawings of plans for tic-tac-toe."""
    db = solved("tictactoe")
    return {
        "small": drawing(first_best(db, "xo..x....", owner="x")),
        "depth": drawing(first_best(db, owner="o"), depth=2),
        "follow": drawing(first_best(db, owner="o"), follow="4 2"),
        "folded": drawing(folded_plan(db, owner="x")),
    }


def of_others() -> dict[str, Diagram]:
    """The drawings of plans for other games: each ground, and a game without boards."""
    chess, mate = solver.load_game("chess-ending"), "k7/8/1K6/8/8/8/8/7R w"
    letters = Handmade({"a": (1, {"l": "b", "r": "c"}), "b": 3, "c": -2}, {"a": "a  picture\nof <letters>"})
    return {
        "chequered": drawing(Plan(chess, 0, "win", mate, 1, {mate: "Rh8"}, mate)),
        "letters": drawing(plan(letters, {})),
        "lattice": drawing(first_best(solved("dots-and-boxes", rows=1)), depth=2),
        "ways": drawing(first_best(solved("ponghauki")), depth=3),
        "filled": drawing(first_best(solved("domineering", rows=2, columns=3))),
        "open": drawing(first_best(solved("nim"), owner="second"), depth=2),
    }


def of_searches() -> dict[str, Diagram]:
    """The drawings of searches: with triangles, cuts, plans, visits and evaluations."""
    figure = solver.load_game(f"{ROOT / 'docs' / 'aima_5_2.py'}:Figure")
    game, connect = (
        solver.load_game("tictactoe"),
        solver.load_game("connect", {"rows": 3, "columns": 3, "k": 3}),
    )
    position = game.parse("xo.ox....")
    return {
        "search-triangles": searched("alpha-beta", figure, "A"),
        "search-cuts": searched("alpha-beta-table", game, position, 2),
        "search-plan": searched("and-or", game, position),
        "search-visits": searched("uct", connect, connect.initial, 2, playouts=40),
        "search-guesses": searched("depth-limited", connect, connect.initial, 2),
    }


def searched(name: str, game: AnyGame, state: Any, depth: int | None = None, *, playouts: int = 1) -> Diagram:
    """The drawing of a search."""
    recorder = SearchRecorder(game, name, depth)
    search(name, game, state, Settings(depth=depth or 4, playouts=playouts, recorder=recorder))
    return digraph(make_scene(recorder.trace()))


def drawings() -> dict[str, Diagram]:
    """The drawings by the names of their files."""
    return of_tictactoe() | of_others() | of_searches()


def main() -> None:
    """Write the files."""
    for name, drawn in drawings().items():
        (GOLDEN / f"{name}.gv").write_text(drawn.dot, "utf-8")


if __name__ == "__main__":
    main()
