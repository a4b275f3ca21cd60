"""Commands write the same bytes, whatever the hash seed."""

import json
import os
import shlex
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

from solver import Database, load_game, solve
from solver.engines.conversion import convert
from tests.support.commandline import call, python, succeeded
from tests.support.pages import ROOT

COMMANDS = (
    *(f"plan ../tictactoe.db xox.o.... -o plan.{form}" for form in ("svg", "png", "pdf")),
    "plan ../late.db --for o --format map -o map.svg",
    "explore ../late.db -o page.html",
    "plan ../late.db -o plan.html",
    *(f"puzzles ../late.db -n 7 -o puzzles{form}" for form in ("", ".pdf", ".html")),
    *(f"puzzles ../{name}.db -n 20 -o {name}.json" for name in ("tictactoe", "packed")),
    *(
        f"search tictactoe xo.ox.... --with {name} --playouts 50 --depth 2 -o {name}.{form}"
        for name in ("and-or-retry", "uct", "alpha-beta-table")
        for form in ("gv", "html")
    ),
    *(f"report ../loops.db -o report.{form}" for form in ("md", "html", "json")),
    *(f"export ../packed.db --best-moves -o table.{form}" for form in ("csv", "parquet", "npz")),
    "export ../late.db -o graph.graphml",
)


def written_in(folder: str) -> dict[str, str]:
    """The sum of each file that the commands write into a new folder."""
    for command in COMMANDS:
        succeeded(call(*shlex.split(command), cwd=folder))
    files = (path for path in Path(folder).rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest() for path in files}


PROGRAM = """
import json, sys
from tests.whole.test_same_bytes import written_in
print(json.dumps(written_in(sys.argv[1])))
"""


def test_commands_write_the_same_bytes(tmp_path: Path, tictactoe_db_path: Path, tictactoe: Database) -> None:
    (tmp_path / "tictactoe.db").symlink_to(tictactoe_db_path)
    convert(tictactoe, tmp_path / "packed.db", "packed")
    solve(load_game("tictactoe"), tmp_path / "late.db", start="x...o....")
    solve(load_game("ponghauki"), tmp_path / "loops.db")
    written = written_in(mkdtemp(dir=tmp_path))
    environment = os.environ | {"PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT)}  # here it is drawn by chance
    done = python(PROGRAM, mkdtemp(dir=tmp_path), env=environment)
    assert json.loads(done.stdout) == written
    assert len(written) == len(COMMANDS) + 6  # the puzzles are seven pictures in a folder
    assert written["tictactoe.json"] == written["packed.json"]
