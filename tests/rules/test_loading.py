import os
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

import solver
from solver import load_game
from solver.errors import BadParameter, BrokenRules, UnknownGame
from solver.games.mnk import MNK
from solver.rules import loading as plugins
from solver.rules.loading import game_class, game_name, game_parameters, game_place
from solver.rules.parameters import parameter_types
from solver.system.plugins import GROUPS, EntryPoint, entries
from tests.rules.test_parameters import MOTLEY, Motley
from tests.support.commandline import python, refusal, start
from tests.support.games import explicit_graph
from tests.support.games.explicit_graph import ExplicitGame


@pytest.mark.parametrize("name", list(entries("games")))
def test_game_is_reloaded_by_its_name(name: str) -> None:
    game = load_game(name)
    assert game_name(game) == name
    assert load_game(game_name(game), game_parameters(game)) == game


def test_colon_gives_the_first_parameter() -> None:
    assert load_game("mnk:4", {"columns": "2", "k": "2"}) == MNK(rows=4, columns=2, k=2)
    nim = "nim(pile_sizes=1;2)"
    assert load_game(f"openspiel:{nim}") == load_game("openspiel", {"game": nim})


def test_superfluous_colon_is_refused() -> None:
    with pytest.raises(BadParameter, match="'rows' once: omit :4"):
        load_game("mnk:4", {"rows": "4"})
    with pytest.raises(BadParameter, match="no parameter: omit :4"):
        load_game("lgame:4")
    with pytest.raises(UnknownGame, match="there is no rules file 'no-game'"):
        load_game("no-game:4")


def test_game_in_a_rules_file_is_reloaded_by_its_name() -> None:
    game = load_game(MOTLEY, {"number": "3"})
    assert game_name(game) == "test_parameters.py:Motley"
    assert game_place(game) == MOTLEY
    assert load_game(game_place(game), game_parameters(game)) == game
    assert game_place(ExplicitGame((), (), ())) == f"{explicit_graph.__file__}:ExplicitGame"


def test_missing_parameter_is_named() -> None:
    with pytest.raises(BadParameter, match="children"):
        load_game(f"{explicit_graph.__file__}:ExplicitGame")


@pytest.mark.parametrize("given", [["heaps=1,2"], "heaps=1,2", 5, {1: 2}])
def test_parameters_must_be_a_dict(given: Any) -> None:
    with pytest.raises(BadParameter, match=r"^nim takes its parameters as a dict by name, not .*[25]"):
        load_game("nim", given)


def test_parameters_are_the_fields_of_the_class() -> None:
    assert parameter_types(game_class("tictactoe")) == {"misere": bool, "wild": bool}
    assert list(parameter_types(MNK)) == ["rows", "columns", "k", "misere", "wild"]
    assert parameter_types(type("Bare", (Motley,), {})) == parameter_types(Motley)


def test_single_class_of_a_rules_file_may_be_omitted(tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_text(
        "from solver import Game\nfrom solver.games.nim import Nim\n"
        "class Taking(Game): ...\nclass Heap(Nim, Taking): ...\n"
    )
    assert game_class(str(path)) is game_class(f"{path}:Heap")
    book = tmp_path / "book.py"
    members = "initial = to_move = actions = result = utility = is_terminal = None"
    book.write_text(f"class Place: ...\nclass Book: {members}\n")
    assert game_class(str(book)) is game_class(f"{book}:Book")
    with pytest.raises(UnknownGame, match=r"rules.py' should be named with its class; it has Heap"):
        game_class(str(path), trusted=False)  # a name in a file of somebody else


def test_missing_class_is_refused_with_the_classes_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("class Choosy: ...\nclass Choice: ...\n")
    with pytest.raises(UnknownGame, match=r"rules.py' should be named with its class; it has Choosy, Choice"):
        game_class(str(tmp_path / "rules.py"))
    with pytest.raises(UnknownGame, match=r"rules.py' has no class 'Heap'"):
        game_class(f"{tmp_path / 'rules.py'}:Heap")
    (tmp_path / "none.py").write_text("HEAPS = 3\n")
    with pytest.raises(UnknownGame, match=r"none.py' has no class of its own"):
        game_class(str(tmp_path / "none.py"))


@pytest.mark.parametrize("name", ["chess", "", "rules.py", "none.py:Game", ":Game", f"{__file__}:None"])
def test_unknown_game_is_refused(name: str) -> None:
    with pytest.raises(UnknownGame):
        game_class(name)
    with pytest.raises(KeyError):
        game_class(name)


@pytest.mark.parametrize("players", [("a",), ("a", "b", "c", "d"), ("x", "X"), (), "xo", (1, 2)])
def test_players_must_be_two_different_names(players: object, tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_text(f"from solver.games.mnk import MNK\nclass Odd(MNK):\n    players = {players!r}\n")
    with pytest.raises(BrokenRules) as caught:
        game_class(f"{path}:Odd")
    assert f"should name two different players, not {players!r}" in str(caught.value)


def test_player_names_ignore_case() -> None:
    game = type("Chess", (Motley,), {"players": ("White", "Black")})()
    assert [game.player(name) for name in ("White", "black", "FIRST", "second")] == [0, 1, 0, 1]


def test_two_rules_files_may_share_a_name(tmp_path: Path) -> None:
    for folder, word in (("a", "one"), ("b", "two")):
        (tmp_path / folder).mkdir()
        text = f"from solver.games.mnk import MNK\nclass G(MNK):\n    players = ('{word}', 'other')\n"
        (tmp_path / folder / "rules.py").write_text(text)
    actual = [game_class(f"{tmp_path / folder / 'rules.py'}:G").players[0] for folder in "ab"]
    assert actual == ["one", "two"]


SCRIPT = """
from solver import open_database, solve, verify_database
from solver.games.nim import Nim

class Heaps(Nim): pass

solve(Heaps((1, 2)), "heaps.db", force=True)
with open_database("heaps.db") as db:
    print(db[db.start].best_move, verify_database(db), type(db.game) is Heaps)
"""


def test_script_solves_and_queries_its_own_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("script.py").write_text(SCRIPT, "utf-8")
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("2-1 [] True\n", "")
    with pytest.raises(BrokenRules, match=r"script.py' fails: .* under `if __name__ == \"__main__\":`$"):
        load_game("script.py:Heaps")


IN_PACKAGE = """
from solver import open_database, solve, verify_database
from solver.games.nim import Nim
from .other import HEAPS

class Heaps(Nim): pass

def main():
    solve(Heaps(HEAPS), "heaps.db")
    with open_database("heaps.db") as db:
        print(db[db.start].best_move, verify_database(db), type(db.game) is Heaps)

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("files", "words"),
    [(["__init__.py"], ["-c", "from game.script import main; main()"]), ([], ["-m", "game.script"])],
)
def test_relative_imports_work_in_a_module(tmp_path: Path, words: list[str], files: list[str]) -> None:
    texts = {"other.py": "HEAPS = (1, 2)", "script.py": IN_PACKAGE, **dict.fromkeys(files, "")}
    (tmp_path / "game").mkdir()
    for name, text in texts.items():
        (tmp_path / "game" / name).write_text(text, "utf-8")
    places = os.pathsep.join([str(tmp_path), *sys.path])
    there: dict[str, Any] = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": places}}
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, **there)
    assert (done.stdout, done.stderr) == ("2-1 [] True\n", "")
    asked = start("query", "heaps.db", "1,2 first", **there)
    assert "best move: 2-1" in asked.stdout, asked.stderr


def test_rules_without_a_file_are_refused(tmp_path: Path) -> None:
    code = "from solver import solve\nfrom solver.games.nim import Nim\nclass Heap(Nim): pass\n"
    done = python(f"{code}solve(Heap(), 'heap.db')", check=False, cwd=tmp_path)
    assert "UsageError: the rules of Heap are in no file" in done.stderr
    assert "and solve load_game('heap.py:Heap')" in done.stderr
    assert not any(tmp_path.iterdir())


INSIDE = """
from solver import solve
from solver.games.nim import Nim

def made():
    class Heap(Nim): pass
    return Heap

Made = made()

if __name__ == "__main__":
    solve(Made(), "heap.db")
"""


def test_rules_inside_a_function_are_refused(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(INSIDE, "utf-8")
    words = "the class made.<locals>.Heap is inside another definition"
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True)
    assert f"UsageError: {words}" in done.stderr
    assert words in refusal(2, "solve", f"{tmp_path / 'script.py'}:Made", "-o", tmp_path / "heap.db")


@pytest.mark.parametrize("changed", ["rules.py", "beside.py"])
def test_rules_changed_after_loading_are_refused(tmp_path: Path, changed: str) -> None:
    (tmp_path / "beside.py").write_text("HEAPS = (1, 2)\n", "utf-8")
    rules = "from beside import HEAPS\nfrom solver.games.nim import Nim\nclass Heaps(Nim): of = HEAPS\n"
    (tmp_path / "rules.py").write_text(rules, "utf-8")
    game = f"{tmp_path / 'rules.py'}:Heaps"
    code = f"from solver import load_game\nload_game({game!r})\nload_game({game!r})\n"
    again = f"open({str(tmp_path / changed)!r}, 'a').write('more = 1')\nload_game({game!r})"
    assert python(code).stderr == ""
    error = python(code + again, check=False).stderr.splitlines()[-1]
    assert f"{changed}' has changed since this process read it" in error


@pytest.mark.parametrize("value", ["no.such.module:Game", "solver.games.mnk:Nothing"])
def test_broken_plugin_is_named(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    entry = EntryPoint("broken", value, "perfectplay.games")
    monkeypatch.setattr(plugins, "entries", lambda group: {"broken": entry})
    with pytest.raises(BrokenRules, match="the game broken cannot be loaded"):
        game_class("broken")


def test_public_names_resolve_in_any_import_order() -> None:
    import importlib

    for module in solver.HOMES.values():
        importlib.import_module(f"solver.{module}")
    for name in solver.__all__:
        assert getattr(getattr(solver, name), "__name__", None) == name
        assert dir(solver).count(name) == 1
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = solver.no_such_name


def test_every_entry_point_group_is_in_the_table() -> None:
    groups = {entry.group for entry in distribution("perfectplay").entry_points}
    assert {f"perfectplay.{name}" for name in GROUPS} == groups - {"console_scripts"}
    assert all(map(entries, GROUPS))
