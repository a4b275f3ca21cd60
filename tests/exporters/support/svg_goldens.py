"""Small pictures of each kind, by name, as `tests/exporters/golden` has them.

`python -m tests.exporters.support.svg_goldens` writes them anew: look at each that changes.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import solver
from exporters.search_tree import game_graph
from exporters.svg import position as position_svg
from exporters.svg.plan_map import page as plan_map
from solver.engines.graph_states import explore
from tests.exporters.support.first_best_plan import first_best
from tests.support import solved as solved_games

GOLDEN = Path(__file__).parents[1] / "golden"


@cache
def solved(name: str, **parameters: int | str) -> solver.Database:
    """A database of the game, which stays open until the process ends."""
    return solved_games.solved(name, parameters)


def _map(name: str, position: str | None, owner: str, depth: int | None = None, **rules: str) -> str:
    return plan_map.render(first_best(solved(name, **rules), position, owner=owner), depth)


def _value(name: str, position: str | None = None, **rules: str) -> str:
    db = solved(name, **rules)
    return position_svg.render(db.game, db[db.start if position is None else position])


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
    "graph": lambda: game_graph.render(explore(solver.load_game("nim", {"heaps": "1,2"}))),
    "graph-in-part": lambda: game_graph.render(explore(solver.load_game("tictactoe"))),
}

if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, drawn in PICTURES.items():
        (GOLDEN / f"{name}.svg").write_text(drawn(), "utf-8")
