"""What commands write is the same byte for byte, in whatever order sets and hashes come."""

import json
import shlex
from pathlib import Path

from solver import Database, load_game, solve
from solver.engines.conversion import convert
from tests.support.commandline import under_hash_seeds

COMMANDS = (
    *(f"plan ../tictactoe.db xox.o.... -o plan.{form}" for form in ("svg", "png", "pdf")),
    "plan ../late.db --for o --format map -o map.svg",
    "explore ../late.db -o page.html",
    "plan ../late.db -o plan.html",
    *(f"puzzles ../tictactoe.db -n 7 -o puzzles{form}" for form in ("", ".pdf", ".html")),
    *(f"puzzles ../{name}.db -n 20 -o {name}.json" for name in ("tictactoe", "packed")),
    *(
        f"search tictactoe xo.ox.... --with {name} --playouts 50 --depth 2 -o {name}.{form}"
        for name in ("and-or-retry", "uct", "alpha-beta-table")
        for form in ("gv", "html")
    ),
    *(f"report ../loops.db -o report.{form}" for form in ("md", "html", "json")),
)

PROGRAM = """
import hashlib, json, os, sys, tempfile
from pathlib import Path
from click.testing import CliRunner
from solver.cli import main
os.chdir(tempfile.mkdtemp(dir=sys.argv[1]))
for command in json.loads(sys.argv[2]):
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, (command, result.output)
    written = Path(command[-1])
    for path in sorted(written.iterdir()) if written.is_dir() else [written]:
        print(path, hashlib.sha256(path.read_bytes()).hexdigest())
"""


def test_the_same_command_writes_the_same_bytes(
    tmp_path: Path, tictactoe_db_path: Path, tictactoe: Database
) -> None:
    (tmp_path / "tictactoe.db").symlink_to(tictactoe_db_path)
    convert(tictactoe, tmp_path / "packed.db", "packed")
    solve(load_game("tictactoe"), tmp_path / "late.db", start="x...o....")
    solve(load_game("ponghauki"), tmp_path / "loops.db")
    (printed,) = under_hash_seeds(PROGRAM, tmp_path, json.dumps([*map(shlex.split, COMMANDS)]))
    written = dict(line.split() for line in printed.splitlines())
    assert len(written) == len(COMMANDS) + 6  # the puzzles are seven pictures in a folder
    assert written["tictactoe.json"] == written["packed.json"]
