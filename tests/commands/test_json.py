"""`--json`: one object per command, as its schema and documentation say, errors included."""

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from jsonschema import Draft202012Validator

from exporters.diagram.rendering import DrawingFailed
from exporters.plan_json import render
from exporters.site.learning import Unlearnable
from solver import Database, errors, make_plan
from solver.errors import SolverError, error_as_dict
from solver.players.game_record import BrokenRecord
from solver.players.match import Forfeit
from solver.search import SEARCHES
from solver.system.plugins import entries
from tests.support.altered import altered
from tests.support.commandline import call, command_named, run, succeeded
from tests.support.pages import ROOT, text_of
from tests.support.solved import solved_file

SCHEMA = json.loads((files("solver.commands") / "output.schema.json").read_text("utf-8"))
SECTIONS = dict(re.findall(r"^## ([\w ]+)\n(.*?)(?=^## |\Z)", text_of("docs/command-line.md"), re.M | re.S))

WRONG = """
from solver.games.mnk import MNK

class Wrong(MNK):
    def show(self, state):
        return 5

class Broken(MNK):
    initial = property(lambda self: 1 / 0)
"""


def answered(*arguments: object) -> Result:
    return call(*arguments, "--json")


def checked(form: str, text: str) -> Any:
    """The object in a line of output, which is as the schema says."""
    assert text.count("\n") == 1
    actual = json.loads(text)
    validate(form, actual)
    return actual


def validate(form: str, document: Any) -> None:
    """Raise `ValidationError` unless the document is as the schema says."""
    Draft202012Validator({"$ref": f"#/$defs/{form}", "$defs": SCHEMA["$defs"]}).validate(document)


def printed(form: str, *arguments: object, status: int = 0) -> Any:
    """The object that a command prints, after which it ends with `status`."""
    actual = answered(*arguments)
    assert (actual.exit_code, actual.stderr) == (status, ""), actual.output
    return checked(form, actual.stdout)


def test_schema_is_a_valid_json_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_solve_prints_its_summary(tmp_path: Path) -> None:
    path = tmp_path / "small.db"
    actual = printed("solve", "solve", "mnk", "rows=2", "columns=2", "k=2", "-o", path)
    assert actual.pop("seconds") >= 0
    assert actual.pop("parameters") == {"rows": 2, "columns": 2, "k": 2, "misere": False, "wild": False}
    assert actual == {
        "game": "mnk",
        "file": str(path),
        "states": 29,  # 1 + 4 + 12 + 12: play ends with the third mark
        "terminal": 12,
        "folded": False,
        "start": "....",
        "to_move": "x",
        "value": 1,
        "outcome": "win",
        "remoteness": 3,
        "best_move": 0,
        "engine": {"name": "graph", "why": "not over 20,000 states"},
        "up_to_date": False,
    }
    assert printed("solve", "solve", "mnk", "rows=2", "columns=2", "k=2", "-o", path)["up_to_date"]
    to_stdout = answered("solve", "mnk", "rows=2", "columns=2", "k=2", "-o", "-")
    assert checked("solve", to_stdout.stderr)["file"] is None
    assert to_stdout.stdout_bytes == path.read_bytes()


@pytest.mark.parametrize(
    "words",
    ["tictactoe", "nim --engine graph", "dobutsu --fold", "connect --start ......x.. rows=3 columns=3"],
)
def test_dry_run_follows_the_schema(words: str) -> None:
    printed("dry_run", "solve", *words.split(), "--dry-run")


def test_query_puzzles_and_stats_follow_the_schema(tictactoe_db_path: Path) -> None:
    for position in ((), ("xoxxo.o..",), ("xxxoo....",)):
        printed("query", "query", tictactoe_db_path, *position)
        printed("query", "query", tictactoe_db_path, *position, "--rank")
    assert len(printed("puzzles", "puzzles", tictactoe_db_path, "-n", "300")["puzzles"]) == 294
    assert printed("stats", "stats", tictactoe_db_path).keys().isdisjoint({"starts", "folded", "endless"})
    folded = printed("stats", "stats", solved_file("ponghauki", fold=True, endless="second"))
    assert (folded["folded"], folded["endless"], folded["per_ply"]) == (True, "second", None)
    boxes = solved_file("dots-and-boxes", {"rows": 1, "columns": 2})
    assert all("value" in move for move in printed("query", "query", boxes)["moves"])  # as margins count


def test_certify_and_verify_follow_the_schema(tictactoe_db_path: Path, tmp_path: Path) -> None:
    name = tmp_path / "tictactoe"
    made = printed("certify", "certify", tictactoe_db_path, "-o", name)
    assert (made["value"], [item["goal"] for item in made["certificates"]]) == (0, [0, 0])
    names = {"tictactoe.rules.h", "tictactoe.rules.py", "tictactoe.rules.js"}
    assert {Path(path).name for path in made["rules"]} == names
    strong = printed("certify_strong", "certify", tictactoe_db_path, "--strong", "-o", name)
    assert (strong["states"], strong["rules"]) == (5478, made["rules"])
    assert printed("verify_strong", "verify", strong["strong"])["start"] == 0
    proof = tmp_path / "proof.v"
    written = printed("certify_coq", "certify", tictactoe_db_path, "--checker", "coq", "-o", proof)
    assert (written["value"], written["bytes"]) == (0, proof.stat().st_size)
    actual = printed("verify_certificate", "verify", f"{name}.first")
    assert (actual["proved"], actual["owner"], actual["goal"]) == (True, "x", 0)
    Path(f"{name}.first").write_bytes(Path(f"{name}.second").read_bytes())
    assert printed("verify_certificate", "verify", f"{name}.first")["owner"] == "o"


def test_site_and_its_verification_follow_the_schema(tmp_path: Path) -> None:
    actual = printed("site", "site", solved_file(*SMALL), "-o", tmp_path / "site")
    files = [path for path in (tmp_path / "site").rglob("*") if path.is_file()]
    proof = printed("verify_site", "verify", tmp_path / "site")
    assert proof["proved"]
    assert (proof["files"], proof["positions"]) == (len(files), 129)
    assert (actual["files"], actual["bytes"]) == (len(files), sum(file.stat().st_size for file in files))


def test_verify_prints_proved_facts_or_problems(
    tictactoe_db_path: Path, tictactoe: Database, tmp_path: Path
) -> None:
    lie, plan = "update positions set value = 0 where position = 'xx.oo....'", tmp_path / "plan.json"
    forged = altered(tictactoe_db_path, tmp_path / "forged.db", lie)
    actual = printed("verify_database", "verify", forged, status=1)
    assert (actual["proved"], "positions" in actual) == (False, False)
    assert actual["problems"]
    assert printed("verify_database", "verify", solved_file(*SMALL))["proved"]
    document = json.loads(render(make_plan(tictactoe)))
    plan.write_text(json.dumps(document))
    actual = printed("verify_plan", "verify", plan)
    assert (actual["owner"], actual["gain"], actual["positions"]) == ("x", 0, 141)
    assert actual["ends"] == {"1": 45, "0": 2}
    document["ends"]["xxxoo...."] = 0
    plan.write_text(json.dumps(document))
    actual = printed("verify_plan", "verify", plan, status=1)
    assert actual["problems"] == ["by the plan 'xxxoo....' is an end with utility 0, but it is 1"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("tictactoe", "--states", 100),
        ("nim", "heaps=1,2"),
        ("{folder}/wrong.py:Wrong", "rows=2", "columns=2", "k=2"),
    ],
)
def test_check_prints_faults_and_completeness(tmp_path: Path, arguments: tuple[Any, ...]) -> None:
    (tmp_path / "wrong.py").write_text(WRONG)
    game, *others = (str(argument).format(folder=tmp_path) for argument in arguments)
    without = call("check", game, *others)
    actual = printed("check", "check", game, *others, status=without.exit_code)
    assert bool(actual["faults"]) == bool(without.exit_code) == (game not in entries("games"))
    assert "".join(f"{game}: {fault}\n" for fault in actual["faults"]) in without.stdout
    assert actual["faults"] or actual["whole"] == ("the game has more" not in without.stdout)


def test_grade_follows_the_schema(tictactoe_db_path: Path) -> None:
    for player in ("random", "depth-limited(depth=1)"):
        actual = printed("grade", "grade", tictactoe_db_path, player, "--sample", 50)
        assert actual["decisive"]["states"] < actual["states"] == actual["choices"] == 50
        assert sum(item["decisive"]["best"] for item in actual["by_ply"]) == actual["decisive"]["best"]


def test_games_lists_and_describes_every_game() -> None:
    listed = printed("games", "games")["games"]
    assert [item["name"] for item in listed] == list(entries("games"))
    for item in listed:
        actual = printed("game", "games", item["name"])
        assert actual["description"].startswith(item["summary"])
    connect = printed("game", "games", "connect")
    assert connect["parameters"][0] == {"name": "rows", "type": "int", "required": False, "default": 4}
    assert (connect["players"], connect["states_at_most"] >= 161_029) == (["x", "o"], True)


def test_every_command_but_play_and_serve_has_json_option() -> None:
    options = {name: [param.opts for param in command_named(name).params] for name in entries("commands")}
    assert [name for name, every in options.items() if ["--json"] not in every] == ["play", "serve"]


WRITTEN: dict[str, tuple[str, dict[str, Any]]] = {
    "plan {db} -o plan.json": ("plan", {"format": "json", "owner": "x", "positions": 141}),
    "plan {db} xxo...... --for o --tree -o tree.svg": ("plan", {"format": "tree", "root": "xxo......"}),
    "explore {small} -o page.html": ("explore", {"positions": 129}),
    "export {db} -o table.csv --ply 1": ("export", {"positions": 9}),
    "convert {small} -o other.db": ("convert", {"layout": "packed", "positions": 129}),
    "report {db} -o report.html": ("report_written", {"databases": ["tictactoe.db"]}),
    "query {db} -o position.svg": ("picture", {"position": "........."}),
}
"""Commands that write a file, the form of their object, and some of what it says."""


@pytest.mark.parametrize("command", WRITTEN)
def test_commands_describe_the_file_they_write(
    tictactoe_db_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    form, facts = WRITTEN[command]
    words = command.format(db=tictactoe_db_path, small=solved_file(*SMALL)).split()
    actual = printed(form, *words)
    file = Path(actual["file"])
    assert actual | facts == actual
    assert str(file) == words[words.index("-o") + 1]
    assert actual.get("bytes", file.stat().st_size) == file.stat().st_size
    assert sorted(tmp_path.iterdir()) == [tmp_path / file]


@pytest.mark.parametrize("command", ["plan {db} xo..x.... --for x", "export {db} -o -", "query {db} -o -"])
def test_json_goes_to_stderr_if_data_goes_to_stdout(tictactoe_db_path: Path, command: str) -> None:
    words = command.format(db=tictactoe_db_path).split()
    actual, without = answered(*words), call(*words)
    assert actual.stdout == without.stdout
    assert checked("picture" if words[0] == "query" else words[0], actual.stderr)["file"] is None


def test_search_compare_and_match_follow_the_schema() -> None:
    for search in SEARCHES:
        status = int(search.startswith("and-or"))  # no plan wins nim for the first player
        shown = printed("search", "search", "nim", "heaps=1,2,3", "--with", search, status=status)
        assert ("plan" in shown, "moves" in shown) == (search.startswith("and-or"), search == "ucb1")
    assert printed("search", "search", "tictactoe", "xo..x....", "--for", "x", "--with", "and-or")["plan"]
    rows = json.loads(answered("compare", "nim", "heaps=1,2,3", "--nodes", 100).stdout)
    assert {row["algorithm"] for row in rows} == set(SEARCHES)
    validate("compare", rows)
    printed("match", "match", "nim", "random", "perfect", "--games", 3)


BOXES = ("dots-and-boxes", {"rows": 1, "columns": 2})
SMALL: tuple[str, dict[str, Any]] = ("mnk", {"rows": 2, "columns": 3, "k": 2})

PAIRS: list[tuple[Any, Any, dict[str, Any], int]] = [
    (SMALL, (SMALL[0], SMALL[1] | {"misere": True}), {}, 1),
    (SMALL, SMALL, {"layout": "packed"}, 0),
    (("ponghauki",), ("ponghauki",), {"endless": "second"}, 1),
    (BOXES, BOXES, {"fold": True}, 0),
]
"""Two games, how the other is solved, and whether they differ."""


@pytest.mark.parametrize(("one", "other", "options", "differ"), PAIRS)
def test_report_and_diff_fit_the_schema(one: Any, other: Any, options: dict[str, Any], differ: int) -> None:
    a, b = solved_file(*one), solved_file(*other, **options)
    printed("report", "report", a)
    printed("report", "report", b)
    printed("diff", "diff", a, b, status=differ)
    printed("report", "report", a, b, "--sample", 1000)


def test_printed_report_equals_written_report(tmp_path: Path) -> None:
    answered("report", solved_file(*SMALL), "-o", tmp_path / "report.json")
    written = json.loads((tmp_path / "report.json").read_text())
    assert printed("report", "report", solved_file(*SMALL)) == written


def test_replay_and_trust_follow_the_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    games, rules = tmp_path / "games.jsonl", tmp_path / "wrong.py"
    answered("match", "tictactoe", "random", "random", "--games", 3, "--save", games)
    assert printed("replay", "replay", games) == {"file": str(games), "games": 3, "problems": []}
    games.write_text(games.read_text().replace('"moves": [', '"moves": [9, ', 1))
    (problem,) = printed("replay", "replay", games, status=1)["problems"]
    assert problem["game"] == 1
    rules.write_text(WRONG)
    assert printed("trust", "trust")["trusted"] == []
    named = printed("trust", "trust", rules)
    assert printed("trust", "trust") == named


def test_annotate_follows_the_schema(tictactoe_db_path: Path, tmp_path: Path) -> None:
    games, page = tmp_path / "games.jsonl", tmp_path / "games.html"
    for words in (("tictactoe",), ("ponghauki",), ("dots-and-boxes", "rows=1", "columns=2")):
        answered("match", *words, "random", "random", "--games", 3, "--force", "--save", games)
        assert len(printed("annotate", "annotate", games)["games"]) == 3
    listed = (tictactoe_db_path, "--moves", "0,4,8,2")
    assert printed("annotate", "annotate", *listed)["games"][0]["utility"] is None
    assert printed("annotate_written", "annotate", *listed, "-o", page) == {"file": str(page), "games": 1}


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_query_answers_positions_line_by_line(tictactoe_db_path: Path, words: list[str]) -> None:
    command = ["query", str(tictactoe_db_path), "-", *words]
    result = call(*command, input="xo..x....\n\nxxx......\nwhat\nxxxoo....")
    assert (result.exit_code, result.stderr) == (3, "")
    first, *others, last = result.stdout.splitlines(keepends=True)
    if words:
        assert checked("query", first) == printed("query", "query", tictactoe_db_path, "xo..x....")
        codes = [checked("unknown", line)["error"]["code"] for line in others]
        assert codes == ["unknown-position", "unreadable-position"]
        checked("query", last)
    else:
        assert (first, len(others)) == ("xo..x....: o to move: loss in 4 plies; best move 8\n", 2)
        assert last == "xxxoo....: the game is over: x has won\n"
    assert call(*command, input="\ufeffxo..x....\n").exit_code == 0


def test_line_is_best_play_to_the_end_or_a_repetition(tictactoe_db_path: Path) -> None:
    line = printed("line", "query", tictactoe_db_path, "xo..x....", "--line")
    assert (len(line["moves"]), line["over"], line["end"]["value"]) == (4, True, 1)  # a win in 4 plies
    assert [move["remoteness"] for move in line["moves"]] == [4, 3, 2, 1]
    assert all(move["best"] for move in line["moves"])
    loops = solved_file("ponghauki")
    round_ = printed("line", "query", loops, "--line")
    met = [round_["position"], *(move["position"] for move in round_["moves"])]
    assert (round_["over"], met.count(met[-1]), len(set(met))) == (False, 2, len(met) - 1)
    shown = call("query", loops, "--line")
    assert shown.stdout.endswith(f"\nplay returns to {met[-1]}\n")


@pytest.mark.parametrize(
    ("raised", "status", "code"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (MemoryError(), 2, "too-large"),
        (PermissionError(13, "no"), 4, "unusable-file"),
        (errors.DiskFull("full\nup " + 5000 * "x"), 4, "disk-full"),
    ],
)
def test_interrupts_and_system_errors_are_json_errors(
    monkeypatch: pytest.MonkeyPatch, raised: BaseException, status: int, code: str
) -> None:
    def fail(*_: object) -> None:
        raise raised

    monkeypatch.setattr("solver.commands.games.entries", fail)
    actual = answered("games")
    assert actual.exit_code == status
    error = checked("error", actual.stderr)["error"]
    assert error["code"] == code
    assert len(error["message"]) <= errors.MAX_MESSAGE


def kinds() -> Iterator[type[SolverError]]:
    """The classes of errors of commands: those of `solver.errors` in their order, then others."""
    for var in vars(errors).values():
        if isinstance(var, type) and issubclass(var, SolverError) and var is not SolverError:
            yield var
    yield from (BrokenRecord, Forfeit, DrawingFailed, Unlearnable)


def test_docs_list_every_error_with_exit_code_and_meaning() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| (\d+) \| (.*) \|$", SECTIONS["Errors as JSON"], re.MULTILINE)
    for (code, status, meaning), kind in zip(rows, kinds(), strict=True):
        assert code == error_as_dict(kind("x"))["error"]["code"]
        assert (int(status), f"{meaning}.") == (kind.exit_status, kind.__doc__)
    known = {kind.__name__ for kind in kinds()}
    sources = [path.read_text() for name in ("solver", "exporters") for path in (ROOT / name).rglob("*.py")]
    classes = [row for text in sources for row in re.findall(r"^class (\w+)\((\w+)", text, re.MULTILINE)]
    errors_of_services = {"TooManyPositions"}  # in docs/service.md
    assert {name for name, base in classes if base in {"SolverError", *known}} == known | errors_of_services


KEYS = "| key | what it says |\n| --- | --- |\n"


@pytest.mark.parametrize("section", [name for name, text in SECTIONS.items() if KEYS in text])
def test_docs_list_every_key_and_mark_optional_ones(section: str) -> None:
    forms = [name for name in SCHEMA["$defs"] if name == section or name.startswith(f"{section}_")]
    forms = [*(name for name in forms if not name.endswith("_written")), *(["game"] * (section == "games"))]
    table = SECTIONS[section].split(KEYS)[1].split("\n\n")[0]
    cells = [row.split("|")[1].strip() for row in table.splitlines()]
    optional_by_key = {key: cell.startswith("(") for cell in cells for key in re.findall(r"`(\w+)`", cell)}
    actual = [SCHEMA["$defs"][form] for form in forms]
    assert set(optional_by_key) == {key for item in actual for key in item["properties"]}
    if section != "games":  # where a NAME decides
        always = set.intersection(*(set(item["required"]) for item in actual))
        assert {key for key, optional in optional_by_key.items() if not optional} == always
    lists = [item["items"] for form in actual for item in form["properties"].values() if "items" in item]
    assert all(f"`{key}`" in table for item in lists for key in item.get("properties", ()))


TALKING = """
import beside
from solver.games.nim import Nim

print("loaded")

class Talking(Nim):
    def actions(self, state):
        print("asked", end="...")
        beside.say()
        return super().actions(state)
"""


def test_what_rules_print_is_not_mixed_with_an_answer(tmp_path: Path) -> None:
    (tmp_path / "talking.py").write_text(TALKING)
    (tmp_path / "beside.py").write_text("def say(): print('too')")
    solved = succeeded(run("solve", "talking.py", "-o", "a.db", "--json", cwd=tmp_path))
    drawn = succeeded(run("query", "a.db", "-o", "-", cwd=tmp_path))
    assert checked("solve", solved.stdout)["states"] == 23
    assert drawn.stdout.startswith("<svg")
    for done in (solved, drawn):
        assert done.stderr.startswith("loaded\nasked...too\n")
