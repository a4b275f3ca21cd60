"""What cannot be done is refused in a line, or with how the command is used; by `--json` as an object."""

import gzip
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from solver import cli
from solver.system.plugins import EntryPoint, entries
from tests.commands.test_json import checked
from tests.support.commandline import call
from tests.support.pages import ROOT
from tests.support.solved import solved_file

FILES = {
    "rules.py": "from solver import Game\nclass Nim(Game): pass\nclass Kayles(Game): pass\n",
    "broken.py": "from solver.games.mnk import MNK\nclass Bad(MNK): initial = property(lambda self: 1 / 0)\n",
    "there.csv": "precious",
    "player.py": "class Wrong:\n    def __init__(self, game): pass\n    def choose(self, *_): return 99\n",
    "plain.py": "from solver import Game\nclass Plain(Game):\n    heap: int = 3\n"
    "    to_move = actions = result = utility = initial = None\n",
    "blind.py": "from solver.games.mnk import MNK\n"
    "class Blind(MNK):\n    def evaluate(self, state): return float('nan')\n",
    "text.jsonl": "not a game",
    "thing.py": "thing = 5\n",
    "one.toml": '[[solve]]\ngame = "nim"\n',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Databases a.db, packed.db, nim.db and nim.svg, certificates, a plan, sites and other files."""
    folder = tmp_path_factory.mktemp("refused")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    shutil.copy(solved_file("tictactoe"), folder / "a.db")
    shutil.copy(solved_file("nim"), folder / "nim.db")
    shutil.copy(solved_file("nim"), folder / "nim.svg")
    shutil.copy(solved_file("hexapawn", layout="packed"), folder / "packed.db")
    shutil.copy(ROOT / "data" / "certificates" / "tictactoe.first", folder / "out.first")
    assert call("certify", solved_file("hexapawn"), "--strong", "-o", folder / "out").exit_code == 0
    assert call("match", "nim", "random", "random", "--save", folder / "games.jsonl").exit_code == 0
    assert call("plan", folder / "a.db", "-o", folder / "a.json").exit_code == 0
    assert call("site", folder / "a.db", "-o", folder / "site").exit_code == 0
    shutil.copytree(folder / "site", folder / "unlisted")
    (folder / "unlisted" / "SHA256SUMS").unlink()
    (folder / "no.gz").write_bytes(gzip.compress(b"nothing"))
    (folder / "value.svg").mkdir()
    (folder / "loop").symlink_to("loop")
    return folder


REFUSED = [
    ("verify site --adopt", 2, "usage-error", "site is a site: omit --adopt and --cluster"),
    ("verify unlisted", 4, "damaged-file", "unlisted has no SHA256SUMS that can be read"),
    ("verify a.json --cluster local:1", 2, "usage-error", "a.json is a plan: omit --cluster"),
    ("match nim thing.py:thing random", 2, "unknown-player", "should be a class or function that makes one"),
    ("match nim 'plan(a.json)' random", 2, "bad-parameter", "tictactoe misere=false wild=false, but what is"),
    ("match a.db rows=4 random random", 2, "bad-parameter", "a.db says what game it is for: omit rows=..."),
    ("compare nim --database a.db", 2, "wrong-database", "tictactoe misere=false wild=false, not of nim"),
    ("solve chess", 2, "unknown-game", "there is no game 'chess'"),
    ("solve mnk k=4", 2, "bad-parameter", "k can be at most 3"),
    ("solve tictactoe --start xx", 2, "unreadable-position", "cannot read the position 'xx'"),
    ("solve tictactoe -o none/a.db", 4, "missing-file", "there is no folder 'none'"),
    ("solve mnk rows=5 columns=5 --engine graph", 2, "too-large", "states"),
    ("solve mnk rows=x", 2, "bad-parameter", "takes rows as an integer, not 'x'"),
    ("solve mnk depth=3", 2, "bad-parameter", "no parameter 'depth'; it has rows, columns, k, misere"),
    ("solve none.py:Game", 2, "unknown-game", "no rules file 'none.py'"),
    ("solve tictactoe -o .", 2, "target-exists", "is a folder"),
    ("search tictactoe 3=4 --with minimax", 2, "unreadable-position", "cannot read the position '3=4'"),
    ("compare tictactoe x=4", 2, "bad-parameter", "no parameter 'x'"),
    ("play tictactoe 3=4", 2, "", "'3=4' should be PARAM=VALUE"),
    ("query none.db", 4, "missing-file", "none.db does not exist"),
    (
        "query .",
        4,
        "missing-file",
        ". is a folder: build a database with `perfectplay solve GAME -o FILE.db`",
    ),
    ("query /dev/null", 4, "missing-file", "/dev/null is no regular file"),
    ("query loop", 4, "missing-file", "loop does not exist"),
    ("solve nim -o /sys/a.db", 4, "unwritable-file", "cannot write /sys/a.db: "),
    ("solve nim -o /proc/a.db", 4, "unwritable-file", "cannot write /proc/a.db: "),
    ("site nim.db -o /proc/a", 4, "unwritable-file", "cannot write /proc/a: "),
    ("solve mnk rows=4 --engine layers --work loop/a", 4, "missing-file", "there is no folder 'loop'"),
    ("stats none.db", 4, "missing-file", "none.db does not exist"),
    ("stats -", 4, "missing-file", "build a database with `perfectplay solve GAME -o FILE.db`"),
    ("query a.db xo", 2, "unreadable-position", "9 cells"),
    ("query a.db xxx......", 3, "unknown-position", "cannot reach it"),
    ("query a.db 'xxx...... o'", 3, "unknown-position", "cannot reach it"),
    ("query a.db xxxooo...", 3, "unknown-position", "cannot reach it"),
    ("games chess", 2, "unknown-game", "there is no game 'chess'"),
    ("solve plain.py:Plain heap=2", 2, "bad-parameter", "it has none: write @dataclass(frozen=True) above"),
    ("check none.py:Game", 2, "unknown-game", "no rules file 'none.py'"),
    ("solve broken.py:Bad", 2, "broken-rules", "division by zero"),
    ("solve tictactoe --cluster nonsense", 2, "usage-error", "'nonsense' is not the address of a scheduler"),
    ("solve tictaktoe", 2, "unknown-game", "did you mean tictactoe?"),
    ("solve Tic-Tac-Toe", 2, "unknown-game", "did you mean tictactoe?"),
    ("games conect", 2, "unknown-game", "did you mean connect?"),
    ("solve mnk row=3", 2, "bad-parameter", "did you mean rows?"),
    ("solve mnk colums=3", 2, "bad-parameter", "did you mean columns?"),
    ("solve rules.py:Nym", 2, "unknown-game", "did you mean Nim"),
    ("match nim perfekt random", 2, "unknown-player", "did you mean perfect?"),
    ("match nim 'uct(playout=3)' random", 2, "bad-parameter", "did you mean playouts?"),
    ("play nim --against alphabeta", 2, "", "did you mean alpha-beta?"),
    ("query a.db xo", 2, "unreadable-position", "cannot read the position 'xo'"),
    ("query a.db -o a.gif", 2, "unknown-format", "should end in .svg, .png or .pdf"),
    ("query a.db -o nowhere/value.svg", 4, "missing-file", "there is no folder"),
    ("query a.db -o value.svg", 2, "target-exists", "value.svg is a folder: choose a file for the picture"),
    ("explore a.db -o a.db", 2, "target-exists", "a.db is a database: choose another file for the page"),
    ("plan a.db -o nim.db --format json", 2, "target-exists", "nim.db is a database: choose another file"),
    ("certify a.db --checker coq -o a.db", 2, "target-exists", "a.db is a database: choose another file"),
    ("export a.db --as datasette -o a.db --force", 2, "target-exists", "a.db is a database: choose another"),
    ("match nim.db perfect random --save a.db --force", 2, "target-exists", "a.db is a database: choose"),
    ("grade a.db random --plot nim.svg", 2, "target-exists", "nim.svg is a database: choose another file"),
    ("search nim --with uct -o nim.svg", 2, "target-exists", "nim.svg is a database: choose another file"),
    ("query a.db - --line", 2, "usage-error", "--line"),
    ("query a.db --tremble 0.2", 2, "usage-error", "--tremble is for --rank"),
    ("query a.db --rank -o x.svg", 2, "usage-error", "omit all but one"),
    ("stats rules.py", 4, "foreign-file", "rules.py"),
    ("verify none.db", 4, "missing-file", "none.db does not exist"),
    ("verify value.svg", 4, "missing-file", "value.svg is a folder: give a database"),
    ("replay value.svg", 4, "missing-file", "value.svg is a folder"),
    ("batch value.svg", 4, "missing-file", "value.svg is a folder"),
    ("verify a.db --cluster local:0", 2, "usage-error", "omit --cluster"),
    ("diff a.db none.db", 4, "missing-file", "none.db does not exist"),
    ("trust a.db", 2, "usage-error", "a.db is no rules file: give the Python file, such as nim.py"),
    ("trust none.py", 4, "missing-file", "none.py"),
    ("play chess", 2, "", "there is no game"),
    ("play tictactoe --as z", 2, "", "there is no player 'z'"),
    ("play tictactoe --against nobody", 2, "", "there is no player 'nobody'"),
    ("play tictactoe minimax", 2, "", "PARAM=VALUE"),
    ("play mnk rows=4 columns=4", 2, "", "build its database"),
    ("play none.json", 4, "", "does not exist"),
    ("play tictactoe --start zzz", 2, "", "cannot read"),
    ("match tictactoe random", 2, "usage-error", "two players, not 1"),
    ("match tictactoe random random random", 2, "usage-error", "two players, not 3"),
    ("match tictactoe random nobody", 2, "unknown-player", "there is no player 'nobody'"),
    ("match chess random random", 2, "unknown-game", "there is no game 'chess'"),
    ("match mnk rows=4 k=9 random random", 2, "bad-parameter", "k=9"),
    ("match mnk rows=4 columns=4 perfect random", 2, "unsolved", "build its database"),
    ("match none.db random random", 4, "missing-file", "does not exist"),
    ("match tictactoe random random --start xx", 2, "unreadable-position", "cannot read"),
    ("match tictactoe random random --save /nowhere/games", 4, "missing-file", "no folder"),
    (
        "match tictactoe random 'plan(none.json)'",
        4,
        "missing-file",
        "none.json does not exist: `perfectplay plan",
    ),
    (
        "match tictactoe random 'plan(value.svg)'",
        4,
        "missing-file",
        "value.svg is a folder: `perfectplay plan",
    ),
    ("search tictactoe xo --with minimax", 2, "unreadable-position", "cannot read the position 'xo'"),
    ("search tictactoe xo....... x --with minimax", 2, "unreadable-position", "quote a position"),
    ("search chess960 --with minimax", 2, "unknown-game", "there is no game"),
    ("search mnk rows=0 --with minimax", 2, "bad-parameter", "rows must be at least 1"),
    ("search mnk rows=3 rows=4 --with minimax", 2, "bad-parameter", "more than once"),
    ("search tictactoe --with and-or --for white", 2, "unknown-player", "there is no player 'white'"),
    ("search tictactoe --with uct --policy nobody", 2, "unknown-player", "there is no player 'nobody'"),
    (
        "search connect --with minimax -o t.bmp",
        2,
        "unknown-format",
        "drawn as svg, png, pdf, gv, dot, html: 't.bmp'",
    ),
    ("search connect --with minimax -o no/tree.svg", 4, "missing-file", "no folder 'no'"),
    ("search nim --with uct --policy player.py:Wrong", 2, "forfeit", "plays 99 in '0,2,3 second'"),
    ("search blind.py:Blind --with depth-limited", 2, "broken-rules", "a number, not nan, in the state"),
    ("match nim 'perfect(tricky=true, tremble=2)' random", 2, "bad-parameter", "0 to 1, not 2"),
    ("match nim 'uct(exploration=-1)' random", 2, "bad-parameter", "exploration should be at least 0"),
    ("replay a.db", 4, "foreign-file", "a.db is a database: `perfectplay match a.db PLAYER PLAYER --save"),
    ("replay games.jsonl --show 2", 2, "", "has no game 2: its last one is game 1"),
    ("compare tictactoe xxx...... --database a.db", 3, "unknown-position", "not in"),
    ("compare tictactoe --database none.db", 4, "missing-file", "none.db does not exist"),
    ("plan a.db --goal win", 1, "no-such-plan", "x cannot force a win"),
    ("plan a.db --for z", 2, "unknown-player", "no player 'z'"),
    ("plan a.db --format gif", 2, "unknown-format", "json, map, nested-json, pdf, png, svg"),
    ("plan a.db -o plan.gif", 2, "unknown-format", "json, map, nested-json, pdf, png, svg"),
    ("plan a.db --depth 2", 2, "usage-error", "--depth cuts pictures"),
    ("plan a.db --follow 4", 2, "usage-error", "--follow cuts pictures"),
    (
        "plan a.db xo..x.... --for x --follow 4 --format svg",
        2,
        "usage-error",
        "is called '4': there are 2, 3, 5",
    ),
    ("plan a.db --tree --format svg", 2, "usage-error", "omit it or --format svg"),
    ("plan a.db --for o --tree", 2, "not-legible", "of 775 nodes or more cannot be read: use --depth 5"),
    ("plan a.db --certificate nothing.first", 4, "missing-file", "nothing.first"),
    ("plan a.db --certificate out.strong", 4, "foreign-file", "out.strong is a strong solution, not a cert"),
    ("plan a.db --format nested-json --certificate out.first", 2, "not-legible", "a nested list has no"),
    ("plan a.db xo.ox.... --tree -o tree.json", 2, "unknown-format", "dot, html, not as 'json'"),
    ("plan a.db xo", 2, "unreadable-position", "cannot read the position"),
    ("plan a.db xxx......", 3, "unknown-position", "cannot reach it"),
    ("plan a.db xxxooo...", 3, "unknown-position", "xxxooo..."),
    ("plan a.db -o no/such/folder/plan.svg", 4, "missing-file", "no folder 'no/such/folder'"),
    ("plan a.db -o .", 2, "target-exists", "folder"),
    ("plan nothing.db", 4, "missing-file", "nothing.db"),
    ("plan none.db --depth 3 -o plan.json", 2, "usage-error", "json has the whole plan: omit it"),
    ("explore a.db -o no/such/folder/game.html", 4, "missing-file", "no folder"),
    ("explore a.db -o .", 2, "target-exists", "folder"),
    ("explore nothing.db -o game.html", 4, "missing-file", "nothing.db"),
    ("export a.db -o states.txt", 2, "usage-error", "should end in .parquet, .csv, .npz"),
    ("export a.db -o states", 2, "usage-error", "should end in"),
    ("export a.db -o none/states.csv", 4, "missing-file", "no folder"),
    ("export a.db -o there.csv", 2, "target-exists", "--force"),
    ("export a.db -o t.csv --ply x", 2, "bad-parameter", "--ply takes a number"),
    ("export a.db -o t.csv --ply 3-", 2, "bad-parameter", "--ply takes a number"),
    ("export a.db -o t.csv --ply -1", 2, "bad-parameter", "--ply takes a number"),
    ("export a.db -o m --as datasette --ply 1", 2, "usage-error", "only a table can have some positions"),
    (
        "export packed.db -o m --as datasette",
        2,
        "usage-error",
        "is packed, which SQL cannot ask: `perfectplay convert",
    ),
    ("export a.db -o t.graphml --ply 3", 2, "usage-error", "only a table can have some positions"),
    ("grade a.db nobody", 2, "unknown-player", "there is no player 'nobody'"),
    ("grade a.db random --plot /nowhere/plot.svg", 4, "missing-file", "no folder '/nowhere'"),
    ("grade a.db random --plot /tmp", 2, "target-exists", "is a folder"),
    ("grade none.db random", 4, "missing-file", "none.db"),
    ("report a.db -o report.pdf", 2, "unknown-format", "written as .html, .md, .json"),
    ("report a.db -o none/report.md", 4, "missing-file", "no folder"),
    ("report a.db --memory 1M", 2, "too-large", "--memory"),
    ("puzzles a.db -o p.txt", 2, "unknown-format", "ends in .json, .html, .pdf"),
    ("puzzles a.db --format png", 2, "usage-error", "name their folder"),
    ("puzzles a.db -o p.pdf --format png", 2, "usage-error", "not for p.pdf"),
    ("puzzles a.db -o no/p.pdf", 4, "missing-file", "there is no folder"),
    ("puzzles a.db --plies 8 -o p.pdf", 2, "usage-error", "nothing to draw"),
    ("puzzles a.db --plies many", 2, "bad-parameter", "not 'many'"),
    ("puzzles a.db --plies 5-1", 2, "bad-parameter", "--plies takes a number of plies, or the least"),
    ("puzzles a.db --for z", 2, "unknown-player", "'z'"),
    ("annotate a.db", 2, "usage-error", "--moves"),
    ("annotate none.db", 4, "missing-file", "none.db does not exist"),
    ("annotate none.jsonl", 4, "missing-file", "does not exist"),
    ("annotate a.db --moves 0 --db nim.db", 2, "usage-error", "--db"),
    ("annotate text.jsonl", 4, "foreign-file", "line 1 of"),
    (
        "annotate a.db --moves 0,0",
        2,
        "unreadable-position",
        "ply 2: '0' is no move in 'x........'; the moves are 1, 2",
    ),
    ("annotate a.db --moves '0;1'", 2, "unreadable-position", "ply 1: '0;1' is no move in '.........'"),
    ("annotate a.db --moves 0,4,,8", 2, "unreadable-position", "ply 3: '' is no move"),
    (
        "annotate a.db --moves 0,3,1,4,2,5",
        2,
        "unreadable-position",
        "'xxxoo....'; the moves are none: the game is over",
    ),
    ("certify", 2, "usage-error", "give a database, and with -o the name"),
    ("certify a.db", 2, "usage-error", "give a database, and with -o the name"),
    ("certify a.db --checker c", 2, "usage-error", "omit FILE and -o"),
    ("certify a.db xxx...... -o a", 3, "unknown-position", "is not in"),
    ("verify no.gz", 4, "foreign-file", "is not a certificate"),
    ("verify out.first --adopt", 2, "usage-error", "omit --adopt"),
    ("verify out.first --cluster local:2", 2, "usage-error", "omit --cluster"),
    ("certify --strong", 2, "usage-error", "give a database, and with -o the name"),
    ("certify --strong --checker js", 2, "usage-error", "by programs in c or python"),
    ("certify a.db --strong --checker coq -o a", 2, "usage-error", "by programs in c or"),
    ("certify a.db x........ --strong -o a", 2, "usage-error", "omit POSITION"),
    ("verify out.strong --adopt", 2, "usage-error", "omit --adopt"),
    ("verify out.strong --cluster local:2", 2, "usage-error", "omit --cluster"),
    ("certify --checker coq", 2, "usage-error", "give a database"),
    ("certify a.db --checker coq", 2, "usage-error", "give a database"),
    ("certify nim.db --checker coq -o a.v", 2, "usage-error", "needs packed rules"),
    ("serve none.db --port 0", 4, "", "none.db"),
    (
        "serve a.db --port 0 --allow-host https://example.org/",
        2,
        "",
        "should be a name such as games.example.org",
    ),
    (
        "serve a.db --port 0 --allow-origin https://example.org/",
        2,
        "",
        "should be an origin such as https://games.",
    ),
    (
        "serve a.db --port 0 --allow-origin example.org",
        2,
        "",
        "should be an origin such as https://games.example.org",
    ),
    ("sweep nim heep=3", 2, "bad-parameter", "has no parameter 'heep'"),
    ("sweep nim heaps=1 heaps=1", 2, "bad-parameter", "the same value twice"),
    ("sweep nim heaps=1 heaps=01", 2, "bad-parameter", "nim heaps=1 and nim heaps=01 are the same game"),
    ("sweep nim heaps=1 --folder a.db", 4, "unwritable-file", "a.db: File exists"),
    ("batch one.toml -o a.db/out", 4, "unwritable-file", "out: Not a directory"),
    ("sweep nim heaps=1 -o x.doc", 2, "unknown-format", "x.doc"),
    ("sweep subtraction heap=3 --plot x.svg", 2, "not-legible", "nothing to plot: give one parameter"),
    ("sweep subtraction heap=3..4 --plot x.doc", 2, "unknown-format", "x.doc"),
]
"""Commands, the exit status, the code of the error, none where there is no `--json`, and what is said."""

MISUSED = [
    ("solve nim --memory abc", 2, "usage-error", "'abc' should be a size, such as 4G or 500M"),
    ("solve tictactoe -o ''", 2, "usage-error", "Invalid value for '-o' / '--output': the name is empty"),
    ("query ''", 2, "usage-error", "Invalid value for 'FILE': the name is empty"),
    ("query a.db -a:1,2", 2, "usage-error", "Write -- before a text that begins with -."),
    ("verify ''", 2, "usage-error", "the name is empty"),
    ("trust ''", 2, "usage-error", "the name is empty"),
    ("compare nim --database ''", 2, "usage-error", "the name is empty"),
    ("solve nim --work loop", 2, "usage-error", "loop is a link that leads to itself"),
    ("solve nim --work ''", 2, "usage-error", "'--work': the name is empty"),
    ("batch value.svg -o -", 2, "usage-error", "this is not printed: give a name"),
    ("convert a.db -o -", 2, "usage-error", "'-o' / '--output': this is not printed: give a name"),
    ("site a.db -o -", 2, "usage-error", "this is not printed: give a name"),
    ("match nim random random --save -", 2, "usage-error", "'--save': this is not printed: give a name"),
    ("export a.db -o - --as x", 2, "usage-error", "'x' is not one of them; there is datasette"),
    ("solve nim -o loop", 2, "usage-error", "loop is a link that leads to itself"),
    ("query a.db --rank --tremble ''", 2, "usage-error", "'' is not a valid number."),
    ("search tictactoe --with depth-limited --depth 1.5", 2, "usage-error", "'1.5' is not a valid integer."),
    ("match tictactoe random random --save ''", 2, "usage-error", "the name is empty"),
    ("solve mnk rows", 2, "usage-error", "PARAM=VALUE"),
    ("solve", 2, "usage-error", "Missing argument"),
    ("solve mnk --engine x", 2, "usage-error", "'x' is not one of them"),
    ("slove", 2, "usage-error", "id you mean solve"),
    ("search tictactoe --with uct --exploration nan", 2, "usage-error", "'nan' should be a finite number"),
    ("compare tictactoe --exploration inf", 2, "usage-error", "'inf' should be a finite number"),
    ("plan a.db --smallest --time-limit nan", 2, "usage-error", "'nan' should be a finite number"),
    ("search nim --with minmax", 2, "usage-error", "id you mean minimax"),
    ("solve nim --forc", 2, "usage-error", "Did you mean one of: '--fold', '--force'"),
    ("dance", 2, "usage-error", "there is no command 'dance'; there are annotate, batch"),
    ("query", 2, "usage-error", "Missing argument"),
    ("query a.db --rank --tremble 2", 2, "usage-error", "--tremble"),
    ("search tictactoe --with oracle", 2, "usage-error", "'oracle' is not one of"),
    ("search tictactoe --with uct --playouts 0", 2, "usage-error", "0 is not in the range"),
    ("search tictactoe --with depth-limited --depth 0", 2, "usage-error", "0 is not in the range"),
    ("grade a.db random --sample 0", 2, "usage-error", "--sample"),
    ("serve", 2, "", "Missing argument"),
]
"""Those which the parser refuses, which also says how the command is used."""


@pytest.mark.parametrize(("line", "status", "code", "says"), [*REFUSED, *MISUSED])
def test_what_cannot_be_done_is_refused_and_nothing_is_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, line: str, status: int, code: str, says: str
) -> None:
    monkeypatch.chdir(folder)
    before = contents(folder)
    result = call(*shlex.split(line))
    *usage, last = result.stderr.splitlines()
    assert (result.exit_code, result.stdout) == (status, ""), result.output
    assert isinstance(result.exception, SystemExit)
    assert last.startswith("Error: ")
    assert says in last
    assert bool(usage) == ((line, status, code, says) in MISUSED)
    if code:
        result = call(*shlex.split(line), "--json")
        error = checked("error", result.stderr)["error"]
        assert (result.exit_code, result.stdout, error) == (status, "", {"code": code, "message": last[7:]})
    assert contents(folder) == before


def contents(folder: Path) -> dict[str, bytes]:
    """What is in the files, and nothing of folders."""
    return {path.name: path.read_bytes() if path.is_file() else b"" for path in folder.iterdir()}


COINS = """
import click
from solver.games.nim import Nim

class Coins(Nim):
    pass

@click.command()
def lengths():
    shortest([])

def shortest(lengths):
    return min(lengths)
"""


def test_a_command_beside_rules_that_fails_is_no_fault_of_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "coins_beside.py").write_text(COINS)
    monkeypatch.syspath_prepend(tmp_path)
    commands = {"lengths": EntryPoint("lengths", "coins_beside:lengths", "perfectplay.commands")}
    monkeypatch.setattr(cli, "entries", lambda group: entries(group) | commands)
    result = CliRunner().invoke(cli.main, ["lengths"])
    assert (type(result.exception), result.output) == (ValueError, "")  # a fault of the command, as of ours
