"""Prints the table of docs/plans.md: `python tests/benchmarks/plan_sizes.py`."""

from pathlib import Path
from tempfile import TemporaryDirectory

import networkx as nx

import solver
from solver.database import Database
from solver.plans.plan import Plan, unfold

ASKED = [
    ("x", "draw", "........."),
    ("o", "draw", "........."),
    ("x", "win", "x.......o"),
    ("o", "win", "xxo......"),
]
"""Whose plan, for what goal, from where."""

HEADING = """\
| for | goal | from | tree, by default | tree, smallest | merged, by default | merged, smallest | folded, by default | folded, smallest |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"""  # noqa: E501


def main() -> None:
    """Print the table."""
    print(HEADING)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tictactoe.db"
        solver.solve(solver.load_game("tictactoe"), path)
        with solver.open_database(path) as db:
            for owner, goal, root in ASKED:
                print(row(db, owner, goal, root), flush=True)


def row(db: Database, owner: str, goal: str, root: str) -> str:
    """The sizes of all kinds of plans for one goal."""
    cells = [owner, goal, f"`{root}`"]
    for kind in ("tree", "merged", "folded"):
        for smallest in (False, True):
            made = solver.choose_plan(
                db,
                root,
                owner=owner,
                goal=goal,
                smallest=smallest,
                tree=kind == "tree",
                fold=kind == "folded",
            )
            size = written_out(made.plan) if kind == "tree" else made.size
            proved = made.at_least in (None, made.size)
            cells.append(f"{size:,}" if proved else f"{size:,} (at least {made.at_least:,})")
    return f"| {' | '.join(cells)} |"


def written_out(plan: Plan) -> int:
    """How many positions the tree of a plan has."""
    graph = unfold(plan)
    sizes: dict[str, int] = {}
    for node in reversed(list(nx.topological_sort(graph))):
        sizes[node] = 1 + sum(sizes[child] for child in graph.successors(node))
    return sizes[plan.root]


if __name__ == "__main__":
    main()
