"""The tables of docs/games.md and docs/plans.md."""

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import networkx as nx

import solver
from solver.plans.plan import Plan, unfold
from tests.benchmarks.measured import Bench, table

GAMES = [
    "tictactoe",
    "tictactoe misere=true",
    "mnk rows=4 columns=3 k=3",
    "connect",
    "hexapawn",
    "hexapawn rows=4 columns=4",
    "nim heaps=3,4,5",
    "nim heaps=1,3,5,7",
    "subtraction",
    "kayles",
    "chomp rows=3 columns=4",
    "domineering rows=4 columns=4",
    "morris",
    "morris variant=tsoro-yematatu",
    "ponghauki",
    "lgame",
    "dots-and-boxes rows=2 columns=2",
    "othello",
    "quixo rows=3 columns=3 k=3",
    "teeko rows=3 columns=4",
    "chess-ending pieces=KQK",
]


@table("", columns=("game ", "parameters ", "states", "value", "remoteness", "seconds", "published by "))
def games(bench: Bench) -> Iterator[Sequence[str]]:
    """The built-in games, each solved in its own process."""
    catalogue = Path(__file__).parents[2] / "data" / "catalogue.toml"
    tables = tomllib.loads(catalogue.read_text("utf-8"))["solve"]
    sources = {table["game"]: table["source"] for table in tables}
    for game in GAMES if not bench.small else GAMES[:2]:
        name, _, parameters = game.partition(" ")
        seconds, facts = bench.solve(game).seconds, bench.facts(game)
        value = f"{facts['value']:+d}" if facts["value"] else "0"
        plies = "" if facts["remoteness_of_start"] is None else str(facts["remoteness_of_start"])
        shape = (f"{facts['states']:,}", value, plies, f"{seconds:.1f}")
        yield name, parameters, *shape, sources.get(game, "")


ASKED = [
    ("x", "draw", "........."),
    ("o", "draw", "........."),
    ("x", "win", "x.......o"),
    ("o", "win", "xxo......"),
]
"""The owner, the goal and the start of each plan."""

KINDS = ("tree", "merged", "folded")

SIZES = [f"{kind}, {choice}" for kind in KINDS for choice in ("by default", "smallest")]


@table("", columns=("for ", "goal ", "from ", *SIZES))
def plan_sizes(bench: Bench) -> Iterator[Sequence[str]]:
    """The number of positions in plans for tic-tac-toe."""
    with solver.open_database(bench.solved("tictactoe")) as db:
        for owner, goal, root in ASKED if not bench.small else ASKED[3:]:
            cells = [owner, goal, f"`{root}`"]
            for kind in KINDS:
                form: Any = {"owner": owner, "goal": goal, "tree": kind == "tree", "fold": kind == "folded"}
                made = [solver.choose_plan(db, root, **form, smallest=item) for item in (False, True)]
                for item in made:
                    size = written_out(item.plan) if kind == "tree" else item.size
                    proved = item.at_least in (None, item.size)
                    cells.append(f"{size:,}" if proved else f"{size:,} (at least {item.at_least:,})")
            yield cells


def written_out(plan: Plan) -> int:
    """The number of positions in the tree of a plan."""
    graph, sizes = unfold(plan), dict[str, int]()
    for node in reversed(list(nx.topological_sort(graph))):
        sizes[node] = 1 + sum(sizes[child] for child in graph.successors(node))
    return sizes[plan.root]
