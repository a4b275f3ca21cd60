"""What a state costs in the graph engine: `python tests/benchmarks/graph_memory.py`.

Solves m,n,k 4,3,3 (111,973 states) and prints states a second and the peak memory for each state, from the
rules to the finished database. solver.engines.graph_states.BYTES_PER_STATE should be no less.
"""

import resource
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from solver import load_game
from solver.engines import solve as solving
from solver.engines.forecast import GRAPH
from solver.system import resources


def main() -> None:
    """Print the figures."""
    before, began = resources.used(), time.perf_counter()
    with TemporaryDirectory() as folder:
        game = load_game("mnk", {"rows": 4, "columns": 3, "k": 3})
        states = solving.solve(game, Path(folder) / "mnk.db", engine="graph").states
        size = (Path(folder) / "mnk.db").stat().st_size
    taken = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
    print(f"{states:,} states in {taken:.1f} s: {states / taken:,.0f} states/s")
    print(f"peak memory {peak / 1e6:.0f} MB: {peak / states:,.0f} bytes a state")
    print(f"assumed     {GRAPH.memory_bytes:,} bytes a state")
    print(f"database    {size / states:,.0f} bytes a state")


if __name__ == "__main__":
    main()
