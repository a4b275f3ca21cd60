"""How long the commands take from a cold start: `python tests/benchmarks/startup.py`.

Prints the median of eleven processes for each command, beside Python's own start in the same run.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

RUNS = 11
PROGRAM = str(Path(sys.executable).with_name("perfectplay"))


def seconds(command: list[str]) -> float:
    """The wall-clock time of one process."""
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def main() -> None:
    """Print one line a command."""
    with TemporaryDirectory() as folder:
        database = f"{folder}/tictactoe.db"
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "solve tictactoe": [PROGRAM, "solve", "tictactoe", "-o", database, "--force"],
            "query": [PROGRAM, "query", database, "xo..x...."],
            "stats": [PROGRAM, "stats", database],
            "verify": [PROGRAM, "verify", database],
            "plan": [PROGRAM, "plan", database],
        }
        for name, command in commands.items():
            times = [seconds(command) for _ in range(RUNS)]
            print(f"{name:<16} {statistics.median(times):6.3f} s  (best {min(times):.3f} s)")


if __name__ == "__main__":
    main()
