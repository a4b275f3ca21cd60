"""What the service takes: `python -m tests.benchmarks.service [FILE ...] [--requests N]`.

Without a file tic-tac-toe and connect 5x5 are solved for it. Each is asked for random positions over 32
connections by `wrk`, the load generator (Debian: apt-get install wrk), on the same machine; then for
1,000 at once, and last N times for single positions, with the memory before and after: that of the process
alone, without the pages of the file that the system keeps.
"""

import argparse
import random
import re
import shutil
import statistics
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import httpx2
import psutil

from solver import open_database
from solver.database import Database
from solver.rules.notation import write_position
from tests.benchmarks.lookups import drawn
from tests.benchmarks.measured import PROGRAM, bytes_in_words, setting, table

CONNECTIONS, POSITIONS, AT_ONCE, SECONDS, BATCHES = 32, 20_000, 1000, 10, 21

COLUMNS = ("file ", "requests/s", "median", "99%", "1,000 at once", "memory", "after all requests")

LUA = """
local paths = {{}}
for line in io.lines("{paths}") do paths[#paths + 1] = line end
request = function() return wrk.format("GET", paths[math.random(#paths)]) end
"""


@contextmanager
def served(path: Path) -> Iterator[tuple[str, int]]:
    """The address of a service of the file, and its process."""
    command = [PROGRAM, "serve", str(path), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as program:
        assert program.stderr is not None
        yield program.stderr.readline().partition("/ ")[0], program.pid
        program.terminate()


def positions(db: Database, path: Path) -> list[str]:
    """Texts of positions of a file, drawn from all of them."""
    if hasattr(db, "rules"):
        return [write_position(db.game, int(key)) for key in drawn(path, POSITIONS)]
    texts = [*db]
    return random.Random(1).choices(texts, k=POSITIONS)


def loaded(address: str, paths: Path, script: Path, seconds: float) -> dict[str, str]:
    """What `wrk` says of a service that is asked for `seconds`."""
    script.write_text(LUA.format(paths=paths))
    threads = ["-t1", f"-c{CONNECTIONS}", f"-d{seconds:.0f}s", "--latency"]
    said = subprocess.run(
        ["wrk", *threads, "-s", script, address], capture_output=True, text=True, check=True
    ).stdout
    assert "Non-2xx" not in said, said
    found = {key: re.search(rf"{key}\s+(\S+)", said) for key in ("Requests/sec:", "50%", "99%")}
    return {key: match[1] for key, match in found.items() if match}


def row(path: Path, requests: int, folder: Path) -> list[str]:
    """Serve a file, and say what that takes."""
    with open_database(path) as db:
        texts = positions(db, path)
    paths, script = folder / "paths", folder / "ask.lua"
    url = f"/games/{quote(path.stem)}/positions"
    paths.write_text("".join(f"{url}?position={quote(text)}\n" for text in texts))
    with served(path) as (address, pid):
        process = psutil.Process(pid)
        loaded(address, paths, script, 2)
        found = loaded(address, paths, script, SECONDS)
        times = []
        with httpx2.Client(base_url=address, timeout=60) as client:
            for nth in range(BATCHES):
                some = texts[nth * 900 : nth * 900 + AT_ONCE]
                began = time.perf_counter()
                client.post(url, json=some).raise_for_status()
                times.append(time.perf_counter() - began)
        before = process.memory_full_info().uss
        loaded(address, paths, script, requests / float(found["Requests/sec:"]))
        after = process.memory_full_info().uss
    return [
        path.stem,
        f"{float(found['Requests/sec:']):,.0f}",
        found["50%"],
        found["99%"],
        f"{1000 * statistics.median(times):.0f} ms",
        bytes_in_words(before),
        bytes_in_words(after),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--requests", type=int, default=200_000, help="single positions at the end")
    arguments = parser.parse_args()
    if shutil.which("wrk") is None:
        parser.error("there is no wrk: apt-get install wrk")
    with TemporaryDirectory() as scratch:
        files = arguments.files
        for game in ("tictactoe", "connect rows=5 columns=5") if not files else ():
            path = Path(scratch) / f"{'-'.join(game.replace('=', '').split())}.db"
            subprocess.run([PROGRAM, "solve", *game.split(), "-o", path], check=True, capture_output=True)
            files = [*files, path]
        rows = [row(path, arguments.requests, Path(scratch)) for path in files]
    print(setting(), table(COLUMNS, rows), sep="\n\n")


if __name__ == "__main__":
    main()
