"""Prints the sizes of plans: `python tests/benchmarks/plan_sizes.py > docs/plans.md`."""

from pathlib import Path
from tempfile import TemporaryDirectory

import networkx as nx

import solver
from solver.database import Database
from solver.plans.plan import Plan, unfold
from solver.plans.selection.choose import FAST_LIMIT, SMALLEST_LIMIT

ASKED = [
    ("x", "draw", "........."),
    ("o", "draw", "........."),
    ("x", "win", "x.......o"),
    ("o", "win", "xxo......"),
]
"""Whose plan, for what goal, from where."""

HEADING = """# How large plans are

Positions in the plans for tic-tac-toe, by `python tests/benchmarks/plan_sizes.py > docs/plans.md`. From the
empty board nobody can force a win, so plans for a win begin after a mistake. *By default* a plan keeps to the
best moves, so it wins as fast as can be; the *smallest* (`--smallest`) keeps its goal and no more. In a tree
(`--format nested-json`) a position counts as often as ways lead to it, in a merged plan once, and in a folded
one (`--fold`) all that are symmetric to it count once together.

| for | goal | from | tree, by default | tree, smallest | merged, by default | merged, smallest | folded, by default | folded, smallest |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"""  # noqa: E501

NOTES = """
Every number in a column of smallest ones is proved: trees by dynamic programming (D. E. Knuth, "A generalization of
Dijkstra's algorithm", 1977), the others by an exact solver (CP-SAT of [OR-Tools](https://developers.google.com/optimization),
in the extra `small`).

`--time-limit` is in seconds of a usual machine, but counted in steps of the solver, so that the same command writes the
same plan everywhere. Where more than {most:,} positions are to be chosen among, `--smallest` refuses; where they are
more than {fast:,}, plans by default are first-found ones that come back to what is known where they can.
"""  # noqa: E501


def main() -> None:
    """Print the page."""
    print(HEADING)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tictactoe.db"
        solver.solve(solver.load_game("tictactoe"), path)
        with solver.open_database(path) as db:
            for owner, goal, root in ASKED:
                print(row(db, owner, goal, root), flush=True)
    print(NOTES.format(most=SMALLEST_LIMIT, fast=FAST_LIMIT), end="")


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
