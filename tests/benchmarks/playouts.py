"""Random playouts a second: `python tests/benchmarks/playouts.py`.

Plays tic-tac-toe from the empty board, one game at a time in plain Python and many at once as arrays, in
turns in the same run; prints the median rate of each, their ratio and the peak memory.
"""

import resource
import statistics
import time
from random import Random

import numpy as np

from solver.games.mnk import TicTacToe
from solver.search.packed_playouts import packed_playouts
from solver.search.playouts import MAX_PLAYOUT_PLIES, playout, random_policy

RUNS = 5
ONE_BY_ONE, AT_ONCE = 5_000, 200_000


def main() -> None:
    """Print the figures."""
    game = TicTacToe()
    policy, generator = random_policy(game, Random(0)), np.random.default_rng(0)
    rates: dict[str, list[float]] = {"one by one": [], "at once": []}
    for _ in range(RUNS):
        began = time.perf_counter()
        for _ in range(ONE_BY_ONE):
            playout(game, game.initial, policy)
        rates["one by one"].append(ONE_BY_ONE / (time.perf_counter() - began))
        starts = np.zeros(AT_ONCE, np.int64)
        began = time.perf_counter()
        packed_playouts(game, starts, generator, MAX_PLAYOUT_PLIES)
        rates["at once"].append(AT_ONCE / (time.perf_counter() - began))
    medians = {name: statistics.median(rate) for name, rate in rates.items()}
    for name, rate in medians.items():
        print(f"{name:<12}{rate:>12,.0f} playouts/s")
    print(f"{'ratio':<12}{medians['at once'] / medians['one by one']:>12.1f}")
    print(f"{'peak memory':<12}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6:>12.0f} MB")


if __name__ == "__main__":
    main()
