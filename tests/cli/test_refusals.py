"""Errors: one line, usage where it helps, and an object with `--json`."""

import gzip
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from solver import cli
from solver.errors import error_as_dict
from solver.system.plugins import EntryPoint, entries
from tests.commands.test_json import checked, kinds
from tests.support.commandline import call
from tests.support.pages import ROOT
from tests.support.solved import solved_file

FILES = {
    "rules.py": "from solver import Game\nclass Nim(Game): pass\nclass Kayles(Game): pass\n",
    "broken.py": "from solver.games.mnk import MNK\nclass Bad(MNK): initial = property(lambda self: 1 / 0)\n"
    "class Odd(MNK):\n    def actions(self, state): raise BaseException('odd')\n",
    "there.csv": "precious",
    "player.py": "class Wrong:\n    def __init__(self, game): pass\n    def choose(self, *_): return 99\n",
    "plain.py": "from solver import Game\nclass Plain(Game):\n    heap: int = 3\n"
    "    to_move = actions = result = utility = initial = None\n",
    "heap.py": "from dataclasses import dataclass\nfrom solver.games.nim import Nim\n"
    "@dataclass(frozen=True, kw_only=True)\nclass Heap(Nim):\n    size: int\n",
    "blind.py": "from solver.games.mnk import MNK\n"
    "class Blind(MNK):\n    def evaluate(self, state): return float('nan')\n",
    "text.jsonl": "not a game",
    "thing.py": "thing = 5\n",
    "one.toml": '[[solve]]\ngame = "nim"\n',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Databases a.db, packed.db, nim.db, nim.svg and nim.html, certificates, a plan, sites and others."""
    folder = tmp_path_factory.mktemp("refused")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    shutil.copy(solved_file("tictactoe"), folder / "a.db")
    shutil.copy(solved_file("nim"), folder / "nim.db")
    shutil.copy(solved_file("nim"), folder / "nim.svg")
    shutil.copy(solved_file("nim"), folder / "nim.html")
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
    ("verify site --adopt", "usage-error", "site is a site: omit --adopt and --cluster"),
    ("verify unlisted", "damaged-file", "unlisted has no SHA256SUMS that can be read"),
    ("verify a.json --cluster local:1", "usage-error", "a.json is a plan: omit --cluster"),
    ("match nim thing.py:thing random", "unknown-player", "should be a class or function that makes one"),
    ("match nim 'plan(a.json)' random", "bad-parameter", "tictactoe misere=false wild=false, but what is"),
    ("match a.db rows=4 random random", "bad-parameter", "a.db says what game it is for: omit rows=..."),
    ("compare nim --database a.db", "wrong-database", "tictactoe misere=false wild=false, not of nim"),
    ("solve chess", "unknown-game", "there is no game 'chess'"),
    ("solve mnk k=4", "bad-parameter", "k can be at most 3"),
    ("solve tictactoe --start xx", "unreadable-position", "cannot read the position 'xx'"),
    ("solve tictactoe -o none/a.db", "missing-file", "there is no folder 'none'"),
    ("solve mnk rows=5 columns=5 --engine graph", "too-large", "states"),
    ("solve mnk rows=x", "bad-parameter", "takes rows as an integer, not 'x'"),
    ("solve mnk depth=3", "bad-parameter", "no parameter 'depth'; it has rows, columns, k, misere"),
    ("solve none.py:Game", "unknown-game", "no rules file 'none.py'"),
    ("solve tictactoe -o .", "target-exists", "is a folder"),
    ("search tictactoe 3=4 --with minimax", "unreadable-position", "cannot read the position '3=4'"),
    ("play tictactoe 3=4", "usage-error", "'3=4' should be PARAM=VALUE"),
    ("query none.db", "missing-file", "none.db does not exist"),
    ("query .", "missing-file", ". is a folder: build a database with `perfectplay solve GAME -o FILE.db`"),
    ("query /dev/null", "missing-file", "/dev/null is no regular file"),
    ("query loop", "missing-file", "loop does not exist"),
    ("solve nim -o /sys/a.db", "unwritable-file", "cannot write /sys/a.db: "),
    ("solve nim -o /proc/a.db", "unwritable-file", "cannot write /proc/a.db: "),
    ("site nim.db -o /proc/a", "unwritable-file", "cannot write /proc/a: "),
    ("solve mnk rows=4 --engine layers --work loop/a", "missing-file", "there is no folder 'loop'"),
    ("stats -", "missing-file", "build a database with `perfectplay solve GAME -o FILE.db`"),
    ("query a.db 'xxx...... o'", "unknown-position", "cannot reach it"),
    ("games chess", "unknown-game", "there is no game 'chess'"),
    ("solve plain.py:Plain heap=2", "bad-parameter", "it has none: write @dataclass(frozen=True) above"),
    (
        "solve heap.py:Heap",
        "bad-parameter",
        "Heap needs its parameter 'size', which has no default: size=...",
    ),
    ("check none.py:Game", "unknown-game", "no rules file 'none.py'"),
    ("solve broken.py:Bad", "broken-rules", "division by zero"),
    ("search broken.py:Odd --with minimax", "broken-rules", "in the state 0: BaseException: odd"),
    ("solve tictactoe --cluster nonsense", "usage-error", "'nonsense' is not the address of a scheduler"),
    ("solve Tic-Tac-Toe", "unknown-game", "did you mean tictactoe?"),
    ("solve rules.py:Nym", "unknown-game", "did you mean Nim"),
    ("match nim perfekt random", "unknown-player", "did you mean perfect?"),
    ("match nim 'uct(playout=3)' random", "bad-parameter", "did you mean playouts?"),
    ("play nim --against alphabeta", "unknown-player", "did you mean alpha-beta?"),
    ("query a.db xo", "unreadable-position", "cannot read the position 'xo': it should be 9 cells"),
    ("query a.db -o a.gif", "unknown-format", "should end in .svg, .png or .pdf"),
    ("query a.db -o nowhere/value.svg", "missing-file", "there is no folder"),
    ("query a.db -o value.svg", "target-exists", "value.svg is a folder: choose a file for the picture"),
    ("explore a.db -o nim.html", "target-exists", "nim.html is a database: choose another file for the"),
    ("explore a.db -o page.png", "unknown-format", "ends in .html, not to 'page.png'"),
    ("plan a.db -o nim.db --format json", "target-exists", "nim.db is a database: choose another file"),
    ("certify a.db --checker coq -o a.db", "target-exists", "a.db is a database: choose another file"),
    ("export a.db --as datasette -o a.db --force", "target-exists", "a.db is a database: choose another"),
    ("match nim.db perfect random --save a.db --force", "target-exists", "a.db is a database: choose"),
    ("grade a.db random --plot nim.svg", "target-exists", "nim.svg is a database: choose another file"),
    ("search nim --with uct -o nim.svg", "target-exists", "nim.svg is a database: choose another file"),
    ("query a.db - --line", "usage-error", "--line"),
    ("query a.db --tremble 0.2", "usage-error", "--tremble is for --rank"),
    ("plan a.db --time-limit 9 -o b.json", "usage-error", "--time-limit is for --smallest"),
    ("match nim random random --force", "usage-error", "--force is for --save"),
    ("play nim --force", "usage-error", "--force is for --save"),
    ("query a.db --rank -o x.svg", "usage-error", "omit all but one"),
    ("stats rules.py", "foreign-file", "build one with `perfectplay solve rules.py -o FILE.db`"),
    ("solve rules", "unknown-game", ", or rules.py for your own"),
    ("verify none.db", "missing-file", "none.db does not exist"),
    ("verify value.svg", "missing-file", "value.svg is a folder: give a database"),
    ("replay value.svg", "missing-file", "value.svg is a folder"),
    ("batch value.svg", "missing-file", "value.svg is a folder"),
    ("verify a.db --cluster local:0", "usage-error", "omit --cluster"),
    ("diff a.db none.db", "missing-file", "none.db does not exist"),
    ("trust a.db", "usage-error", "a.db is no rules file: give the Python file, such as nim.py"),
    ("trust none.py", "missing-file", "none.py"),
    ("play chess", "unknown-game", "there is no game"),
    ("play tictactoe --as z", "unknown-player", "there is no player 'z'"),
    ("play mnk rows=4 columns=4", "unsolved", "build its database"),
    ("play none.json", "missing-file", "does not exist"),
    ("play tictactoe --start zzz", "unreadable-position", "cannot read"),
    ("match tictactoe random", "usage-error", "two players, not 1"),
    ("match tictactoe random random random", "usage-error", "two players, not 3"),
    ("match tictactoe random nobody", "unknown-player", "there is no player 'nobody'"),
    ("match none.db random random", "missing-file", "does not exist"),
    ("match nim random 'plan(none.json)'", "missing-file", "none.json does not exist: `perfectplay plan"),
    ("search tictactoe xo....... x --with minimax", "unreadable-position", "quote a position"),
    ("search mnk rows=0 --with minimax", "bad-parameter", "rows must be at least 1"),
    ("search mnk rows=3 rows=4 --with minimax", "bad-parameter", "more than once"),
    ("search tictactoe --with and-or --for white", "unknown-player", "there is no player 'white'"),
    ("search tictactoe --with uct --policy nobody", "unknown-player", "there is no player 'nobody'"),
    ("search nim --with minimax -o t.b", "unknown-format", "drawn as svg, png, pdf, gv, dot, html: 't.b'"),
    ("search nim --with uct --policy player.py:Wrong", "forfeit", "plays 99 in '0,2,3 second'"),
    ("search blind.py:Blind --with depth-limited", "broken-rules", "a number, not nan, in the state"),
    ("match nim 'perfect(tricky=true, tremble=2)' random", "bad-parameter", "0 to 1, not 2"),
    ("match nim 'uct(exploration=-1)' random", "bad-parameter", "exploration should be at least 0"),
    ("replay a.db", "foreign-file", "a.db is a database: `perfectplay match a.db PLAYER PLAYER --save"),
    ("replay games.jsonl --show 2", "usage-error", "has no game 2: its last one is game 1"),
    ("compare tictactoe xxx...... --database a.db", "unknown-position", "not in"),
    ("compare tictactoe --database none.db", "missing-file", "none.db does not exist"),
    ("plan a.db --goal win", "no-such-plan", "x cannot force a win"),
    ("plan a.db --for z", "unknown-player", "no player 'z'"),
    ("plan a.db --format gif", "unknown-format", "json, map, nested-json, pdf, png, svg"),
    ("plan a.db -o plan.gif", "unknown-format", "json, map, nested-json, pdf, png, svg"),
    ("plan a.db --depth 2", "usage-error", "json has the whole plan: omit it or choose a picture"),
    ("plan a.db --follow 4", "usage-error", "--follow cuts pictures"),
    ("plan a.db xo..x.... --for x --follow 4 --format gv", "usage-error", "is called '4': there are 2, 3, 5"),
    ("plan a.db --follow 4,2 --format gv", "usage-error", "7, 8; blanks separate replies"),
    ("plan a.db --tree --format svg", "usage-error", "omit it or --format svg"),
    ("plan a.db --for o --tree", "not-legible", "of 775 nodes or more cannot be read: use --depth 5"),
    ("plan a.db --certificate nothing.first", "missing-file", "nothing.first"),
    ("plan a.db --certificate out.strong", "foreign-file", "out.strong is a strong solution, not a cert"),
    ("plan a.db --format nested-json --certificate out.first", "not-legible", "a nested list has no"),
    ("plan a.db xo.ox.... --tree -o tree.json", "unknown-format", "dot, html, not as 'json'"),
    ("plan a.db xxx......", "unknown-position", "cannot reach it"),
    ("plan none.db --depth 3 -o plan.json", "usage-error", "json has the whole plan: omit it"),
    ("export a.db -o states.txt", "usage-error", "should end in .parquet, .csv, .npz"),
    ("export a.db -o none/states.csv", "missing-file", "no folder"),
    ("export a.db -o there.csv", "target-exists", "--force"),
    ("export a.db -o t.csv --ply 3-", "bad-parameter", "--ply takes a number"),
    ("export a.db -o m --as datasette --ply 1", "usage-error", "only a table can have some positions"),
    (
        "export packed.db -o m --as datasette",
        "usage-error",
        "is packed, which SQL cannot ask: `perfectplay convert",
    ),
    ("export a.db -o t.graphml --ply 3", "usage-error", "only a table can have some positions"),
    ("grade a.db nobody", "unknown-player", "there is no player 'nobody'"),
    ("grade none.db random", "missing-file", "none.db"),
    ("report a.db -o report.pdf", "unknown-format", "written as .html, .md, .json"),
    ("report a.db -o none/report.md", "missing-file", "no folder"),
    ("report a.db --memory 1M", "too-large", "--memory"),
    ("puzzles a.db -o p.txt", "unknown-format", "ends in .json, .html, .pdf"),
    ("puzzles a.db --format png", "usage-error", "name their folder"),
    ("puzzles a.db -o p.pdf --format png", "usage-error", "not for p.pdf"),
    ("puzzles a.db -o no/p.pdf", "missing-file", "there is no folder"),
    ("puzzles a.db --plies 8 -o p.pdf", "usage-error", "nothing to draw"),
    ("puzzles a.db --plies 5-1", "bad-parameter", "--plies takes a number of plies, or the least"),
    ("puzzles a.db --for z", "unknown-player", "'z'"),
    ("annotate a.db", "usage-error", "--moves"),
    ("annotate none.jsonl", "missing-file", "does not exist"),
    ("annotate a.db --moves 0 --db nim.db", "usage-error", "--db"),
    ("annotate text.jsonl", "foreign-file", "line 1 of"),
    (
        "annotate a.db --moves 0,0",
        "unreadable-position",
        "ply 2: '0' is no move in 'x........'; the moves are 1, 2",
    ),
    ("annotate a.db --moves '0 4'", "unreadable-position", "7, 8; commas separate moves"),
    ("annotate a.db --moves 0,4,,8", "unreadable-position", "ply 3: '' is no move"),
    (
        "annotate a.db --moves 0,3,1,4,2,5",
        "unreadable-position",
        "'xxxoo....'; the moves are none: the game is over",
    ),
    ("certify", "usage-error", "give a database, and with -o the name"),
    ("certify a.db", "usage-error", "give a database, and with -o the name"),
    ("certify a.db -o -", "usage-error", "several files are not printed: give with -o the name"),
    ("certify a.db --checker c", "usage-error", "omit FILE and -o"),
    ("certify a.db xxx...... -o a", "unknown-position", "is not in"),
    ("verify no.gz", "foreign-file", "is not a certificate"),
    ("verify out.first --adopt", "usage-error", "omit --adopt"),
    ("verify out.first --cluster local:2", "usage-error", "omit --cluster"),
    ("certify --strong --checker js", "usage-error", "by programs in c or python"),
    ("certify a.db --strong --checker coq -o a", "usage-error", "by programs in c or"),
    ("certify a.db x........ --strong -o a", "usage-error", "omit POSITION"),
    ("certify --checker coq", "usage-error", "give a database"),
    ("certify a.db --checker coq", "usage-error", "give a database"),
    ("certify nim.db --checker coq -o a.v", "usage-error", "needs packed rules"),
    ("serve none.db --port 0", "missing-file", "none.db"),
    ("serve a.db --allow-host https://a.org/", "usage-error", "should be a name such as games.example.org"),
    ("serve a.db --allow-origin https://a.org/", "usage-error", "should be an origin such as https://games."),
    (
        "serve a.db --allow-origin a.org",
        "usage-error",
        "should be an origin such as https://games.example.org",
    ),
    ("sweep nim heep=3", "bad-parameter", "has no parameter 'heep'"),
    ("sweep nim heaps=1 heaps=1", "bad-parameter", "the same value twice"),
    ("sweep nim heaps=1 heaps=01", "bad-parameter", "nim heaps=1 and nim heaps=01 are the same game"),
    ("sweep nim heaps=1 --folder a.db", "unwritable-file", "a.db: File exists"),
    ("batch no.gz", "foreign-file", "no.gz is not TOML: it should be text in UTF-8"),
    ("batch one.toml -o a.db/out", "unwritable-file", "out: Not a directory"),
    ("sweep nim heaps=1 -o x.doc", "unknown-format", "x.doc"),
    ("sweep subtraction heap=3 --plot x.svg", "not-legible", "nothing to plot: give one parameter"),
    ("sweep subtraction heap=3..4 --plot x.doc", "unknown-format", "x.doc"),
]
"""Commands, the code of the error, and what is said."""

MISUSED = [
    ("search nim", "Missing option '--with'. Choose from: and-or, and-or-retry, minimax, minimax-table,"),
    ("solve nim --memory abc", "'abc' should be a size, such as 4G or 500M"),
    ("solve tictactoe -o ''", "Invalid value for '-o' / '--output': the name is empty"),
    ("query ''", "Invalid value for 'FILE': the name is empty"),
    ("query a.db -a:1,2", "Write -- before a text that begins with -."),
    ("query a.db '--/.|/.. +0 first'", "Write -- before a text that begins with -."),
    ("compare nim --database ''", "the name is empty"),
    ("solve nim --work ''", "'--work': the name is empty"),
    ("batch value.svg -o -", "this is not printed: give a name"),
    ("convert a.db -o -", "'-o' / '--output': this is not printed: give a name"),
    ("site a.db -o -", "this is not printed: give a name"),
    ("match nim random random --save -", "'--save': this is not printed: give a name"),
    ("export a.db -o - --as x", "'x' is not one of them; there is datasette"),
    ("solve nim -o loop", "loop is a link that leads to itself"),
    ("query a.db --rank --tremble ''", "'' is not a valid number."),
    ("search tictactoe --with depth-limited --depth 1.5", "'1.5' is not a valid integer."),
    ("solve mnk rows", "PARAM=VALUE"),
    ("solve", "Missing argument"),
    ("solve mnk --engine x", "'x' is not one of them"),
    ("slove", "id you mean solve"),
    ("search tictactoe --with uct --exploration nan", "'nan' should be a finite number"),
    ("search tictactoe --with ucb1 --exploration 1e308", "1e+308 is not in the range 0<=x<=1000000000"),
    ("compare tictactoe --exploration inf", "inf is not in the range 0<=x<=1000000000"),
    ("plan a.db --smallest --time-limit inf", "'inf' should be a finite number"),
    ("plan a.db --smallest --time-limit nan", "'nan' should be a finite number"),
    ("search nim --with minmax", "id you mean minimax"),
    ("solve nim --forc", "Did you mean one of: '--fold', '--force'"),
    ("dance", "there is no command 'dance'; there are annotate, batch"),
    ("query a.db --rank --tremble 2", "--tremble"),
    ("search tictactoe --with uct --playouts 0", "0 is not in the range"),
    ("serve", "Missing argument"),
]
"""Those which the parser refuses, which also says how the command is used, and what is said."""


STATUSES = {error_as_dict(kind("x"))["error"]["code"]: kind.exit_status for kind in kinds()}


@pytest.mark.parametrize(
    ("line", "code", "says"), [*REFUSED, *((line, "usage-error", says) for line, says in MISUSED)]
)
def test_invalid_command_is_refused_and_writes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, line: str, code: str, says: str
) -> None:
    monkeypatch.chdir(folder)
    before = contents(folder)
    result = call(*shlex.split(line))
    *usage, last = result.stderr.splitlines()
    assert (result.exit_code, result.stdout) == (STATUSES[code], ""), result.output
    assert isinstance(result.exception, SystemExit)
    assert last.startswith("Error: ")
    assert says in last
    assert bool(usage) == ((line, says) in MISUSED)
    if not line.startswith(("play", "serve", "replay games.jsonl --show")):  # which have no --json
        result = call(*shlex.split(line), "--json")
        error = checked("error", result.stderr)["error"]
        assert (result.exit_code, result.stdout) == (STATUSES[code], "")
        assert error == {"code": code, "message": last[7:]}
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


def test_error_in_a_command_is_no_fault_of_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "coins_beside.py").write_text(COINS)
    monkeypatch.syspath_prepend(tmp_path)
    commands = {"lengths": EntryPoint("lengths", "coins_beside:lengths", "perfectplay.commands")}
    monkeypatch.setattr(cli, "entries", lambda group: entries(group) | commands)
    result = CliRunner().invoke(cli.main, ["lengths"])
    assert (type(result.exception), result.output) == (ValueError, "")  # a fault of the command, as of ours
