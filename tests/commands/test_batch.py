"""`perfectplay batch`: what is solved, made and catalogued, and what is up to date."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from solver import load_game, solve
from solver.commands.batch import run as batch_run
from solver.commands.batch.jobs import read_jobs
from solver.errors import UsageError
from solver.system import plugins
from solver.system.plugins import EntryPoint, entries, installed_entries
from tests.commands.test_json import checked
from tests.support.commandline import PROGRAM, call, python, refused, succeeded

batch = partial(call, "batch")

pytestmark = pytest.mark.usefixtures("started")

RULES = """
from solver.games.nim import Nim

class Mine(Nim):
    pass

class Broken(Nim):
    def actions(self, state):
        raise ZeroDivisionError("no actions")
"""

GAMES = """
[[solve]]
name = "small"
game = "mnk rows=2 columns=2 k=2"
expect = { states = 29, value = 1, outcomes = { win = 13, draw = 0, loss = 16 } }
source = "counted by hand"
then = ["verify", "plan --for first -o small.svg", "plan -o plan.json", "puzzles -n 1 -o pictures"]

[[solve]]
game = "mine.py:Mine heaps=1,2"
takes = "minutes"
then = ["verify --json"]
"""
FAILING = """
[[solve]]
game = "mine.py:Broken"

[[solve]]
game = "nim heaps=1,2,3 misere=true"
expect = { states = 23, value = 1 }
then = ["plan -o never.json"]
"""


def lines_of(actual: Result) -> list[dict[str, Any]]:
    """The objects that `--json` prints, which are as their schema says."""
    return [checked("batch", line) for line in actual.stdout.splitlines(keepends=True)]


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(folder / "catalogue.db")) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(f"select * from {table} order by 1, 2")]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "mine.py").write_text(RULES)
    file = tmp_path / "rules" / "games.toml"
    file.write_text(GAMES)
    return file


def test_batch_solves_checks_and_catalogues_games(file: Path, tmp_path: Path) -> None:
    file.write_text(GAMES + FAILING)
    out = tmp_path / "new" / "out"
    actual = batch(file, "-o", out, "--json")
    small, mine, broken, nim = lines_of(actual)
    assert (actual.exit_code, actual.stderr) == (1, "")
    assert [small[key] for key in ("name", "states", "value", "remoteness")] == ["small", 29, 1, 3]
    assert [item["status"] for item in (small, mine, broken, nim)] == ["done", "done", "failed", "failed"]
    assert "no actions" in broken["failure"]
    assert nim["failure"] == "value should be 1, not -1"
    assert sorted(os.listdir(out)) == [
        *("Mine-heaps-1-2.db", "catalogue.db", "catalogue.html", "nim-misere-true.db", "pictures"),
        *("plan.json", "small.db", "small.svg"),
    ]
    for words in ("plan small.db --for first -o ../by_hand.svg", "verify plan.json"):
        succeeded(call(*words.split(), cwd=out))
    assert (out / "small.svg").read_bytes() == (out.parent / "by_hand.svg").read_bytes()
    first, second, last = (row for row in rows(out, "games") if row["command"])
    assert (first["name"], first["states"], first["value"]) == ("Mine-heaps-1-2", 7, 1)
    assert last["command"] == "perfectplay solve mnk rows=2 columns=2 k=2"
    assert last["source"] == "counted by hand"
    assert (second["failure"], last["failure"], last["moves"]) == (nim["failure"], None, 4 + 4 * 3 + 12 * 2)
    for row in (first, second, last):
        assert row["bytes"] == (out / f"{row['name']}.db").stat().st_size
    made = {(row["game"], row["line"].split()[0], row["file"]): row for row in rows(out, "outputs")}
    picture = (out / "small.svg").read_bytes()
    assert made["small", "plan", "small.svg"]["sha256"] == sha256(picture).hexdigest()
    assert "proved. All 29 positions" in made["small", "verify", None]["printed"]
    assert json.loads(made["Mine-heaps-1-2", "verify", None]["printed"])["proved"]
    page = (out / "catalogue.html").read_text()
    assert all(f'href="{name}"' in page for name in ("small.db", "small.svg", "plan.json", "pictures"))


def test_only_outdated_lines_are_rerun(
    file: Path, tmp_path: Path, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def does(*options: str) -> list[str]:
        started.clear()
        actual = succeeded(batch(file, "-o", tmp_path, *options))
        assert ("  done, " in actual.stdout) == bool(started)
        return started

    small = ["verify", "plan --for first -o small.svg", "plan -o plan.json", "puzzles -n 1 -o pictures"]
    assert does()[1:5] == small
    page = (tmp_path / "catalogue.html").read_bytes()
    assert does() == []
    assert (tmp_path / "catalogue.html").read_bytes() == page
    (tmp_path / "small.svg").write_text("changed")
    shutil.rmtree(tmp_path / "pictures")
    assert does() == [small[1], small[3]]
    file.write_text(GAMES.replace("-o plan.json", "--goal win -o plan.json"))
    assert does() == ["plan --goal win -o plan.json"]
    assert [row["line"] for row in rows(tmp_path, "outputs") if row["file"] == "plan.json"] == started
    file.write_text(GAMES.replace("rows=2", "rows=3").replace("expect =", "# "))
    assert [words.split()[0] for words in does()] == ["solve", "verify", "plan", "plan", "puzzles"]
    monkeypatch.setattr(batch_run, "PROGRAM", "perfectplay 99")
    assert [words.split()[0] for words in does("--takes", "seconds")] == ["verify", "plan", "plan", "puzzles"]
    assert does("--only", "small") == []
    assert len(does("--only", "small", "--force")) == 5


def test_line_is_rerun_if_a_file_is_missing_or_changed(tmp_path: Path, started: list[str]) -> None:
    (tmp_path / "games.toml").write_text(TABLE + 'then = ["certify -o small", "grade random --plot a.svg"]')

    def does() -> list[str]:
        started.clear()
        succeeded(batch(tmp_path / "games.toml"))
        return [words.split()[0] for words in started]

    assert does() == ["solve", "certify", "grade"]
    assert does() == []
    (tmp_path / "small.second").write_text("broken")
    (tmp_path / "a.svg").unlink()
    assert does() == ["certify", "grade"]
    for name in ("small.first", "small.rules.h", "small.rules.js"):
        (tmp_path / name).unlink()
        assert does() == ["certify"]
    assert [row["file"] for row in rows(tmp_path, "outputs")] == ["small.first", "a.svg"]


def test_force_replaces_changed_output_of_a_line(tmp_path: Path) -> None:
    file, games = tmp_path / "games.toml", tmp_path / "games.jsonl"
    file.write_text(f'{TABLE}then = ["match random random --save games.jsonl"]')
    succeeded(batch(file))
    saved = games.read_text()
    games.write_text("changed")
    assert "use --force to replace it" in batch(file).stdout
    succeeded(batch(file, "--force"))
    assert games.read_text() == saved


def test_catalogue_links_to_the_page_of_a_site(tmp_path: Path) -> None:
    (tmp_path / "games.toml").write_text(TABLE + 'then = ["site -o played --force", "puzzles -n 1 -o drawn"]')
    for status in ("done", "up to date"):
        assert status in succeeded(batch(tmp_path / "games.toml", "-o", tmp_path)).stdout
    assert (tmp_path / "played" / "index.html").is_file()
    page = (tmp_path / "catalogue.html").read_text()
    assert '<a href="played/index.html">played</a>' in page
    assert '<a href="drawn">drawn</a>' in page  # a folder of pictures has no page


def test_force_deletes_only_what_the_batch_made(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis/text").write_text("all of it")
    (tmp_path / "games.toml").write_text(TABLE + 'then = ["site -o .", "site -o thesis"]')
    for _ in range(2):
        assert batch(tmp_path / "games.toml", "-o", tmp_path, "--force").exit_code == 1
        assert list(tmp_path.glob("*.db"))[1:]
        assert (tmp_path / "thesis/text").read_text() == "all of it"


def test_game_named_like_the_site_index_is_refused(tmp_path: Path) -> None:
    (tmp_path / "games.toml").write_text('[[solve]]\ngame = "nim heaps=1"\nname = "index.html"\n')
    said = refused(2, batch(tmp_path / "games.toml", "-o", tmp_path, "--sites"))
    assert "would be the catalogue and" in said


def test_only_force_replaces_database_outside_the_catalogue(file: Path, tmp_path: Path) -> None:
    solve(load_game("nim"), tmp_path / "small.db")
    before = (tmp_path / "small.db").read_bytes()
    actual = batch(file, "-o", tmp_path, "--only", "small")
    assert (actual.exit_code, "use --force to replace it" in actual.stdout) == (1, True)
    assert (tmp_path / "small.db").read_bytes() == before
    assert batch(file, "-o", tmp_path, "--only", "small", "--force").exit_code == 0
    assert "29 states" in batch(file, "-o", tmp_path, "--only", "small").stdout


def test_batch_continues_after_a_failed_line(file: Path, tmp_path: Path) -> None:
    file.write_text(GAMES.replace('"verify --json"', '"plan \'1,2 second\'", "query --moves 9-9"'))
    actual = batch(file, "-o", tmp_path, "--json")
    small, mine = lines_of(actual)
    assert (actual.exit_code, small["status"], mine["status"]) == (1, "done", "failed")
    assert mine["failure"].startswith("plan '1,2 second': ")
    assert [item["status"] for item in mine["outputs"]] == ["failed", "failed"]


TABLE = '[[solve]]\ngame = "mnk rows=2 columns=2 k=2"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[solve]]", "Missing argument 'GAME'"),
        ("\ufeff[[solve]]", "Missing argument 'GAME'"),
        ("solve = 1", "tables [[solve]]"),
        ("[[solve", "is not TOML"),
        ("solve = " + "[" * 1000, "go too deep"),
        ('[[solve]]\ngame = "tictacto"', "did you mean tictactoe?"),
        ('[[solve]]\ngame = "mnk --fild"', "'--fold'"),
        ('[[solve]]\ngame = "mnk -o x.db"', "omit --output and --dry-run"),
        ('[[solve]]\ngame = "mnk --dry-run"', "omit --output and --dry-run"),
        ('[[solve]]\ngame = "mnk \\u0000"', "cannot have the character \\0"),
        (TABLE + 'then = ["plan -o \\u0000"]', "cannot have the character \\0"),
        ('[[solve]]\ngame = "mnk \'"', "No closing quotation"),
        (TABLE + 'nam = "x"', "not nam = 'x'"),
        (TABLE + 'then = "verify"', "a list as then"),
        (TABLE + 'name = "../x"', "'../x' cannot name a file"),
        (TABLE + "expect = { stats = 5 }", "did you mean states"),
        (TABLE + "expect = { value = true }", "expects value = True; in `stats --json` its type is integer"),
        (TABLE + "expect = { states = nan }", "expects states = nan"),
        (TABLE + "expect = { outcomes = 5 }", "its type is object"),
        (TABLE + "expect = { best_move = [0] }", "its type is ['string', 'integer', 'null']"),
        (TABLE + 'takes = "second"', "did you mean seconds?"),
        (TABLE + 'then = ["plan --ford x"]', "'--for'"),
        (
            TABLE + 'then = ["play"]',
            "'play' is not a command for a batch; there are annotate, certify, convert, diff",
        ),
        (TABLE + 'then = ["plan --help"]', "only prints help"),
        (TABLE + 'then = ["plan -o a.foo"]', "the ending of 'a.foo' tells no format"),
        (TABLE + 'then = ["query -o a.gif"]', "should end in .svg, .png or .pdf"),
        (TABLE + 'then = ["report -o a.doc"]', "a report is written as .html, .md, .json"),
        (TABLE + 'then = ["export -o a.xls"]', "a.xls should end in .parquet, .csv"),
        (TABLE + 'then = ["grade random --plot a.gif"]', "should end in .svg, .png or .pdf"),
        (TABLE + 'then = ["puzzles -o a.doc"]', "puzzles are written to a file that ends in"),
        (TABLE + 'then = ["query xxxxx"]', "cannot read the position 'xxxxx'"),
        (TABLE + 'then = ["plan -o a.svg", "query -o ./a.svg"]', "'plan -o a.svg' of "),
        (TABLE + 'then = ["grade random --plot a.svg", "plan -o a.svg"]', "a.svg would be 'grade"),
        (TABLE + 'then = ["certify -o a", "plan -o a.first --format json"]', "a.first would be 'certify"),
        (TABLE + 'then = ["convert -o catalogue.db"]', "the catalogue and 'convert"),
        (TABLE + 'then = ["convert -o mnk-rows-2-columns-2-k-2.db"]', "the database of"),
        (TABLE + 'then = ["plan -o none/a.svg"]', "there is no folder"),
        (TABLE + TABLE, "give one another name"),
    ],
)
def test_invalid_batch_is_refused_before_the_first_solve(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "games.toml"
    file.write_text(f'{TABLE}name = "first"\n{text}' if text.startswith("[[solve]]") else text)
    actual = batch(file, "-o", tmp_path / "out")
    status = 4 if words in ("is not TOML", "go too deep", "there is no folder") else 2
    assert (actual.exit_code, words in actual.stderr) == (status, True), actual.output
    assert actual.stderr.splitlines()[-1].startswith("Error: ")
    assert os.listdir(tmp_path) == ["games.toml"]


def test_broken_command_does_not_hide_other_refusals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {"dance": EntryPoint("dance", "no.such.module:dance", "perfectplay.commands")}
    installed = installed_entries() | {"commands": entries("commands") | broken}
    monkeypatch.setattr(plugins, "installed_entries", lambda: installed)
    (tmp_path / "games.toml").write_text(TABLE + 'then = ["play"]')
    with pytest.raises(UsageError, match="'play' is not a command for a batch; there are annotate, certify"):
        read_jobs(tmp_path / "games.toml", tmp_path)


def test_colon_in_a_parameter_does_not_change_the_game_name(tmp_path: Path) -> None:
    (tmp_path / "ratio.py").write_text(RATIO)
    tables = (f'[[solve]]\ngame = "ratio.py:Ratio ratio={ratio}"\n' for ratio in ("1:2", "3:2"))
    (tmp_path / "games.toml").write_text("".join(tables))
    jobs = read_jobs(tmp_path / "games.toml", tmp_path)
    assert [job.name for job in jobs] == ["Ratio-ratio-1-2", "Ratio-ratio-3-2"]


RATIO = """
from dataclasses import dataclass
from solver.games.nim import Nim

@dataclass(frozen=True)
class Ratio(Nim):
    ratio: str = ""
"""


def test_certificates_of_two_games_cannot_share_rules_files(tmp_path: Path) -> None:
    file, other = tmp_path / "games.toml", '[[solve]]\ngame = "mnk rows=2 columns=3 k=2"\n'
    file.write_text(f'{TABLE}then = ["certify -o a", "certify --strong -o ./a"]\n{other}')
    assert len(read_jobs(file, tmp_path)) == 2
    file.write_text(f'{TABLE}then = ["certify -o a"]\n{other}then = ["certify --strong -o a"]')
    assert "a.rules.h would be the rules of 'mnk-" in refused(2, batch(file, "-o", tmp_path))


def test_unknown_name_is_refused(file: Path, tmp_path: Path) -> None:
    assert "did you mean small?" in refused(2, batch(file, "-o", tmp_path / "out", "--only", "smal"))
    assert not (tmp_path / "out").exists()


def test_foreign_catalogue_file_is_refused_and_unchanged(file: Path, tmp_path: Path) -> None:
    for make in (lambda path: path.write_text("mine"), lambda path: solve(load_game("nim"), path)):
        path = tmp_path / "catalogue.db"
        make(path)
        before = path.read_bytes()
        assert "catalogue" in refused(4, batch(file, "-o", tmp_path))
        assert path.read_bytes() == before
        path.unlink()


def test_catalogue_is_completed_after_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, connect = tmp_path / "games.toml", sqlite3.connect
    file.write_text(TABLE)

    def connected(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        if "catalogue.db" in str(arguments[0]):
            connection.execute("pragma max_page_count = 4")  # room for the first of its tables
        return connection

    with monkeypatch.context() as patch:
        patch.setattr("sqlite3.connect", connected)
        actual = batch(file, "-o", tmp_path, "--json")
    assert (actual.exit_code, '"code": "disk-full"' in actual.stderr) == (4, True), actual.output
    assert batch(file, "-o", tmp_path).exit_code == 0
    assert [row["states"] for row in rows(tmp_path, "games")] == [29]


WAITING = """
import os, time
from pathlib import Path
from solver.games.nim import Nim

class Waiting(Nim):
    @property
    def initial(self):
        Path("pid").write_text(str(os.getpid()))
        time.sleep(60)
"""


def test_interrupted_batch_keeps_finished_games(tmp_path: Path) -> None:
    """The batch is at its second game, which does not end."""
    (tmp_path / "waiting.py").write_text(WAITING)
    file = tmp_path / "games.toml"
    file.write_text(f'{TABLE}name = "first"\n[[solve]]\ngame = "waiting.py"\n')
    piped: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([PROGRAM, "batch", file], **piped) as process:
        assert process.stdout
        assert "first" in process.stdout.readline()
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert errors == "Error: interrupted: 1 of 2 games are done, the same command goes on\n"
    assert process.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
    (row,) = rows(tmp_path, "games")
    assert row["name"] == "first"
    assert row["seconds"] > 0.1
    assert 10 << 20 < row["peak_memory"] < 1 << 30
    assert 'href="first.db"' in (tmp_path / "catalogue.html").read_text()


def test_line_interrupted_after_writing_is_rerun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, runs, run = tmp_path / "games.toml", list[str](), batch_run.run_program
    file.write_text(f'{TABLE}then = ["match random random --save games.jsonl"]')

    def stopped(words: Any, *arguments: Any) -> Any:
        done = run(words, *arguments)
        runs.append(words[0])
        if runs == ["solve", "match"]:
            raise KeyboardInterrupt
        return done

    monkeypatch.setattr(batch_run, "run_program", stopped)
    assert [batch(file).exit_code for _ in range(2)] == [130, 0]
    assert runs == ["solve", "match", "match"]


@pytest.mark.parametrize("is_late", [False, True])
def test_line_of_a_killed_batch_is_rerun_over_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_late: bool
) -> None:
    file, games, run = tmp_path / "games.toml", tmp_path / "games.jsonl", batch_run.run_program
    file.write_text(f'{TABLE}then = ["match random random --save games.jsonl"]')

    def killed(words: Any, *arguments: Any) -> Any:
        if words[0] == "match":
            raise MemoryError  # like a kill, nothing catches it
        return run(words, *arguments)

    def late(words: Any, *arguments: Any) -> Any:
        if words[0] == "match":  # the line of the killed batch still runs, and ends first
            games.write_text("its game")
        return run(words, *arguments)

    monkeypatch.setattr(batch_run, "run_program", killed)
    assert batch(file).exit_code == 2
    if is_late:
        monkeypatch.setattr(batch_run, "run_program", late)
        assert (actual := batch(file)).exit_code == 1
        assert "games.jsonl exists already" in actual.stdout
    games.write_text("its game")
    monkeypatch.setattr(batch_run, "run_program", run)
    assert [batch(file).exit_code for _ in range(2)] == [0, 0]
    assert json.loads(games.read_text())["game"] == "mnk"


def test_file_at_the_place_of_a_failed_output_is_unchanged(tmp_path: Path) -> None:
    file, games = tmp_path / "games.toml", tmp_path / "games.jsonl"
    file.write_text(f'{TABLE}then = ["match random last.py:Last --save games.jsonl"]')
    assert batch(file).exit_code == 1
    games.write_text("mine")
    assert batch(file).exit_code == 1
    assert games.read_text() == "mine"


def test_memory_is_measured_for_each_program_alone(tmp_path: Path) -> None:
    (tmp_path / "large.py").write_text(f'HELD = b"x" * {300 << 20}\n{RULES}')
    # A process is said to have held what the one that starts it holds, so a small one starts them.
    script = (
        "from pathlib import Path\nfrom solver.commands.batch.run import run_program\n"
        "for game in ('large.py:Mine', 'nim'):\n"
        "    print(run_program(['check', game], Path(), print).memory)\n"
    )
    large, small = map(int, python(script, cwd=tmp_path).stdout.split())
    assert large > 300 << 20 > small > 10 << 20
