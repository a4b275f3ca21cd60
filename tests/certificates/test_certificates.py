"""Certificates of known games: four programs accept them, and refuse altered ones."""

import gzip
import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from solver import load_game, open_database, solve
from solver.analysis.certificates.certificate import read_certificate
from solver.analysis.certificates.check import flaw_of
from solver.analysis.certificates.selection import certify
from tests.support.certificates import (
    CHECKERS,
    Programs,
    all_flipped,
    are_true,
    is_true,
    misspelt,
    refused_by_program,
    refused_by_verify,
    spoilt_certificates,
    status_in_c,
)
from tests.support.commandline import call, refusal
from tests.support.games.explicit_graph import ExplicitGame, explicit_games, value_by_definition
from tests.support.games.hostile_texts import Hostile
from tests.support.solved import solved_file

ROOT = Path(__file__).parents[2]

GAMES: dict[str, tuple[dict[str, Any], dict[str, Any], int]] = {
    "tictactoe": ({}, {"layout": "readable"}, 0),
    "mnk": ({"rows": 4, "columns": 3, "k": 3}, {"fold": True}, 1),
    "connect": ({"rows": 4, "columns": 4}, {}, 0),
    "hexapawn": ({}, {}, -1),
    "chomp": ({}, {}, 1),
    "subtraction": ({}, {}, 1),
    "kayles": ({}, {}, 1),
    "domineering": ({"rows": 3, "columns": 3}, {}, 1),
    "dots-and-boxes": ({"rows": 2, "columns": 2}, {}, 2),
    "morris": ({"variant": "tsoro-yematatu"}, {}, 0),
    "othello": ({"rows": 4, "columns": 4}, {}, -8),  # the start has images that are no starts
    "quixo": ({"rows": 3, "columns": 3, "k": 3}, {"fold": True}, 1),
    "ponghauki": ({}, {}, 0),
    "teeko": ({"rows": 3, "columns": 3}, {"fold": True}, 0),
}
"""Packed games with parameters, options of the solve, and the value."""

SMALL, LARGER = 30, 75
"""Of certificates with fewer states than this each state is taken out, in the suite and in the slow tests."""

SLOW = ("connect", "mnk", "morris", "othello", "teeko")
"""Games of seconds, whose kinds of rules others in the suite have, too."""


@pytest.mark.parametrize(
    ("name", "parameters", "options", "value", "small"),
    [
        *((name, *how, SMALL) for name, how in GAMES.items() if name not in SLOW),
        *(pytest.param(name, *how, LARGER, marks=pytest.mark.slow) for name, how in GAMES.items()),
        pytest.param("morris", {"variant": "achi"}, {}, 1, LARGER, marks=pytest.mark.slow),
    ],
)
def test_checkers_accept_certificates_and_refuse_false_ones(
    name: str, parameters: dict[str, Any], options: dict[str, Any], value: int, small: int, tmp_path: Path
) -> None:
    game, file = load_game(name, parameters), solved_file(name, parameters, **{"layout": "packed", **options})
    assert call("certify", file, "-o", tmp_path / "out").exit_code == 0
    random, files = Random(1), dict[Path, list[bytes]]()
    others = read_certificate(tmp_path / "out.second").states
    for side, sign in (("first", 1), ("second", -1)):
        path = tmp_path / f"out.{side}"
        made, content = read_certificate(path), path.read_bytes()
        assert (made.goal, call("verify", path).exit_code) == (sign * value, 0)
        most = small if len(made.states) < small else 8
        spoilt = [item.content for item in spoilt_certificates(made, others, random, most)]
        body = range(gzip.decompress(content).index(b"\n\n") + 2, len(gzip.decompress(content)))
        spoilt += all_flipped(content, random.sample(body, min(len(body), small // 5)), random)
        files[path] = [content, *spoilt]
    actual = iter(Programs(tmp_path / "out").statuses([item for some in files.values() for item in some]))
    for path, (_, *spoilt) in files.items():
        assert next(actual) == [0, 0, 0]
        statuses = [*islice(actual, len(spoilt))]
        for nth, (item, status) in enumerate(zip(spoilt, statuses, strict=True)):
            assert status in ([0, 0, 0], [1, 1, 1])
            path.write_bytes(item)
            assert nth % 16 or refused_by_verify(path, game) == any(status)
        accepted = [item for item, status in zip(spoilt, statuses, strict=True) if not any(status)]
        assert all(are_true(accepted, game, path))


@pytest.mark.parametrize("side", ["first", "second"])
def test_content_matches_the_published_certificate(side: str) -> None:
    path = ROOT / "data" / "certificates" / f"tictactoe.{side}"
    content, published = read_certificate(path).content, path.read_bytes()
    assert (content[:10], gzip.decompress(content)) == (published[:10], gzip.decompress(published))


def test_checkers_ignore_unneeded_ranks(tmp_path: Path) -> None:
    for file in (ROOT / "data" / "certificates").glob("tictactoe.*"):
        shutil.copy(file, tmp_path)
    path = tmp_path / "tictactoe.second"
    ranked = replace(made := read_certificate(path), ranks=[*range(5, 5 + len(made.states))])
    path.write_bytes(ranked.content)
    assert call("verify", path).exit_code == 0
    assert Programs(tmp_path / "tictactoe").statuses([path.read_bytes()]) == [[0, 0, 0]]


@pytest.mark.slow
@pytest.mark.parametrize(("pieces", "value"), [("KRK", 1), ("KQKR", 0)])
def test_checkers_prove_values_of_chess_endings(pieces: str, value: int, tmp_path: Path) -> None:
    """The programs in Python and JavaScript take minutes for the 18,795 states of KRK: C only is asked."""
    solve(load_game("chess-ending", {"pieces": pieces}), tmp_path / "game.db", fold=True, layout="packed")
    assert call("certify", tmp_path / "game.db", "-o", tmp_path / "out").exit_code == 0
    programs, random = Programs(tmp_path / "out"), Random(3)
    for side, goal in (("first", value), ("second", -value)):
        made = read_certificate(tmp_path / f"out.{side}")
        assert (made.goal, call("verify", tmp_path / f"out.{side}").exit_code) == (goal, 0)
        all_made = [made, *spoilt_certificates(made, made.states, random)]
        if len(made.states) < 1000:
            statuses = programs.statuses([item.content for item in all_made])
        else:
            statuses = [[status_in_c(programs.compiled, item.content)] * 3 for item in all_made]
        first, raised, *others = statuses
        assert (first, raised) == ([0, 0, 0], [1, 1, 1])
        assert all(status in ([0, 0, 0], [1, 1, 1]) for status in others)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "parameters", "value"), [("quixo", {"rows": 4, "columns": 4, "k": 4}, 1), ("dobutsu", {}, -1)]
)
def test_large_games_with_loops(name: str, parameters: dict[str, Any], value: int, tmp_path: Path) -> None:
    """S. Tanaka, F. Bonnet, S. Tixeuil, Y. Tamura, Quixo Is Solved, 2020; T. Tanaka, 2009: Dobutsu shogi.

    That takes 12 GB of a drive, 9 GB of memory and some 20 minutes.
    """
    solve(load_game(name, parameters), tmp_path / "game.db", fold=True, memory=8 << 30)
    assert call("certify", tmp_path / "game.db", "-o", tmp_path / "out").exit_code == 0
    program = Programs(tmp_path / "out").compiled
    for side, goal in (("first", value), ("second", -value)):
        path = tmp_path / f"out.{side}"
        made = read_certificate(path)
        assert (made.goal, call("verify", path).exit_code) == (goal, 0)
        assert status_in_c(program, made.content) == 0
        raised = replace(made, goal=goal + 1, ranks=made.ranks or [0] * len(made.states))
        assert status_in_c(program, raised.content) == 1
        if made.ranks:
            assert status_in_c(program, replace(made, ranks=[0] * len(made.states)).content) == 1


def test_checkers_refuse_false_symmetries(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for suffix in ("first", "rules.h", "rules.py", "rules.js"):
        shutil.copy(ROOT / "data" / "certificates" / f"connect-4x5.{suffix}", f"{out}.{suffix}")
    made = read_certificate(Path(f"{out}.first"))
    assert made.symmetries == 1
    others = replace(made, symmetries=2).content
    assert Programs(out).statuses([made.content, others]) == [[0, 0, 0], [1, 1, 1]]
    Path(f"{out}.first").write_bytes(others)
    assert call("verify", f"{out}.first").exit_code == 1
    heads = {"h": "symmetry0(i64 s) { ", "py": "symmetry0(s):\n    ", "js": "symmetry0(s) { "}
    for suffix, head in heads.items():
        rules = Path(f"{out}.rules.{suffix}")
        text = rules.read_text()
        assert head in text
        rules.write_text(text.replace(head, f"{head}s ^= {'64n' if suffix == 'js' else 64}; "))
    assert Programs(out).statuses([made.content]) == [[1, 1, 1]]


def test_checkers_refuse_malformed_certificates(tmp_path: Path) -> None:
    """A program that read a number otherwise than the others could count gains for the wrong player."""
    out = tmp_path / "out"
    assert call("certify", file := solved_file("tictactoe", layout="packed"), "-o", out).exit_code == 0
    made = gzip.decompress(Path(f"{out}.first").read_bytes())
    head, _, body = made.partition(b"\n\n")
    assert all(line in head.decode().split("\n") for line in ("owner 0", "goal 0", "count 29"))
    claims = [re.sub(rb"(?m)^(endless|goal) 0", rb"\1 7", made), made.replace(b"\ngoal 0", b"\ngoal 1")]
    bodies = [body + b"\x80", body + b"\x80\x80\x80", body + b"\0", body[:-1]]
    ends = (b"\0", b"\xff" * 8 + b"\x7f", b"\xff" * 9 + b"\x01", b"\x81" + b"\x80" * 9 + b"\0")
    claims += [head + b"\n\n" + other for other in bodies]
    claims += [made.replace(b"\ncount 29", b"\ncount 30") + last for last in ends]
    assert call("certify", file, "xxxoo....", "-o", tmp_path / "over").exit_code == 0
    over = gzip.decompress((tmp_path / "over.first").read_bytes())
    assert over.endswith(b"\ncount 0\n\n")
    beyond = re.sub(rb"(?<=\nstart )\d+", lambda start: b"%d" % (int(start[0]) + (1 << 63)), over)
    spoilt = [*misspelt(made), *claims, over.replace(b"count 0", b"count -1"), beyond]
    assert Programs(out).statuses([gzip.compress(made), gzip.compress(over)]) == [[0, 0, 0]] * 2
    contents = [gzip.compress(item) for item in spoilt]
    for item, content, status in zip(spoilt, contents, Programs(out).statuses(contents), strict=True):
        Path(f"{out}.first").write_bytes(content)
        done = call("verify", f"{out}.first")
        assert isinstance(done.exception, SystemExit | None), (item, done.exception)
        assert (done.exit_code in (1, 4), done.output.count("\n"), status) == (True, 1, [1, 1, 1]), item


def test_checkers_refuse_flipped_bytes_that_falsify_the_claim(tmp_path: Path) -> None:
    call("certify", solved_file("hexapawn"), "-o", tmp_path / "out")
    path = tmp_path / "out.second"
    content = path.read_bytes()
    spoilt = [*all_flipped(content, range(len(gzip.decompress(content))), Random(2))]
    statuses = Programs(tmp_path / "out").statuses(spoilt)
    accepted = [item for item, status in zip(spoilt, statuses, strict=True) if not all(status)]
    assert len(accepted) > 100  # of which most have other fingerprints
    assert all(are_true(accepted, load_game("hexapawn"), path))
    path.write_bytes(content[:-9])
    refusal(4, "verify", path)


@given(explicit_games(), st.sampled_from(["draw", "first", "second"]), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_certificates_of_any_game_prove_only_its_value(
    tmp_path_factory: pytest.TempPathFactory, game: ExplicitGame, endless: str, random: Random
) -> None:
    path = tmp_path_factory.mktemp("game") / "game.db"
    level = {"draw": 0, "first": 1, "second": -1}[endless]
    solve(game, path, endless=endless)
    value = value_by_definition(game, level)[game.initial]
    with open_database(path) as db:
        db.game = game
        for made in certify(db):
            assert (made.goal, flaw_of(made, game)) == (value * (1 - 2 * made.owner), None)
            assert not refused_by_program(made.content, game)
            most = (1 << 63) - 1 - max(made.ranks or [0])
            highest = replace(made, ranks=made.ranks and [rank + most for rank in made.ranks])
            assert flaw_of(highest, game) is None
            others = [str(state) for state in range(len(game.children))]
            for spoilt in spoilt_certificates(made, others, random, LARGER):
                refused = flaw_of(spoilt, game) is not None
                assert refused_by_program(spoilt.content, game) == refused
                assert refused or (spoilt.goal == made.goal and is_true(spoilt, game))


@pytest.mark.parametrize("name", ["tictactoe", "connect-4x5", "connect-5x5"])
def test_published_certificates_pass_the_checkers(name: str, tmp_path: Path) -> None:
    there = ROOT / "data" / "certificates" / name
    words = ["cc", "-O1", "-include", f"{there}.rules.h", f"{CHECKERS}/check.c", "-o", f"{tmp_path}/check"]
    subprocess.run(words, check=True)
    for side in ("first", "second"):
        commands = [["sh", "-c", f"zcat {there}.{side} | {tmp_path}/check"]]
        if name != "connect-5x5":
            commands.append([sys.executable, f"{CHECKERS}/check.py", f"{there}.rules.py", f"{there}.{side}"])
            commands.append(["node", f"{CHECKERS}/check.js", f"{there}.rules.js", f"{there}.{side}"])
        for command in commands:
            said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            assert said.endswith(f"the {side} player gets at least 0\n")
        assert call("verify", f"{there}.{side}").exit_code == 0


def test_checkers_use_the_singular_for_one_state(tmp_path: Path) -> None:
    assert call("certify", solved_file("tictactoe"), "xoxoxo...", "-o", tmp_path / "out").exit_code == 0
    first, rules = f"{tmp_path}/out.first", f"{tmp_path}/out.rules"
    in_c = f"zcat {first} | {Programs(tmp_path / 'out').compiled}"
    in_python = f"{sys.executable} {CHECKERS}/check.py {rules}.py {first}"
    for command in (in_c, in_python, f"node {CHECKERS}/check.js {rules}.js {first}"):
        said = subprocess.run(command, shell=True, check=True, capture_output=True, text=True).stdout
        assert said.startswith("proved by 1 state: from ")


def test_documented_c_rules_prove_tictactoe(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "certificates.md").read_text()
    (code,) = re.findall(r"```c\n(.*?)```", page, re.DOTALL)
    assert code.count("\n") <= 25
    for file in (ROOT / "data" / "certificates").glob("tictactoe.*"):
        shutil.copy(file, tmp_path)
    (tmp_path / "tictactoe.rules.h").write_text(code)
    files = [(tmp_path / f"tictactoe.{side}").read_bytes() for side in ("first", "second")]
    assert Programs(tmp_path / "tictactoe").statuses(files) == [[0, 0, 0]] * 2


@pytest.mark.parametrize("state", ["lambda *of: of", "namedtuple('Heap', 'mover left')", "'{}{}'.format", ""])
def test_python_checkers_load_games_and_states_like_the_solver(state: str, tmp_path: Path) -> None:
    game = load_game("subtraction", {"heap": 6, "take": (1, 3)})  # won by the first player with 1, 2, 3
    rules = f"{ROOT}/solver/games/subtraction.py:Subtraction"
    if state:
        (tmp_path / "heap.py").write_text(HEAP.format(state))
        game = load_game(rules := f"{tmp_path}/heap.py:Take")
    solve(game, tmp_path / "heap.db")
    call("certify", tmp_path / "heap.db", "-o", tmp_path / "heap")
    call("certify", tmp_path / "heap.db", "--strong", "-o", tmp_path / "heap")
    for checker, file in (("check", "first"), ("check", "second"), ("strong", "strong")):
        path = tmp_path / f"heap.{file}"
        words = [sys.executable, f"{CHECKERS}/{checker}.py", rules, str(path)]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout[:6]) == (0, "proved"), done.stderr
        head, _, body = gzip.decompress(path.read_bytes()).partition(b"\n\n")
        broken = re.sub(rb"(?m)^(\d+) ", rb"\1\n", body)  # a label in a line of its own
        path.write_bytes(gzip.compress(head + b"\n\n" + broken))
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr[:7]) == ((1, "refused") if broken != body else (0, "")), checker


HEAP = """
from collections import namedtuple
from solver import Game

Heap = {}

class Take(Game):
    initial = Heap(0, 4)
    def to_move(self, state): return int(state[0])
    def actions(self, state): return [taken for taken in (1, 2) if taken <= int(state[1])]
    def result(self, state, action): return Heap(1 - int(state[0]), int(state[1]) - action)
    def utility(self, state): return 2 * int(state[0]) - 1
"""


@pytest.mark.parametrize("taken", ["out.second", "out.rules.js"])
def test_certify_writes_no_file_unless_all_can_be_written(tmp_path: Path, taken: str) -> None:
    (tmp_path / taken).mkdir()
    assert taken in refusal(2, "certify", solved_file("hexapawn"), "-o", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == [taken]


def test_certify_does_not_replace_a_database(tmp_path: Path) -> None:
    shutil.copy(solved_file("nim"), tmp_path / "out.strong")
    said = refusal(2, "certify", solved_file("hexapawn"), "--strong", "-o", tmp_path / "out")
    assert "out.strong is a database: choose another file" in said


@pytest.mark.parametrize("words", [[], ["--strong"], ["reply two\nlines\u2028\u2029"]])
def test_certify_refuses_position_of_several_lines(words: list[str], tmp_path: Path) -> None:
    solve(Hostile(), tmp_path / "lines.db")
    said = refusal(2, "certify", tmp_path / "lines.db", *words, "-o", tmp_path / "out")
    assert "is not in one line" in said
    assert not [*tmp_path.glob("out*")]


def test_certify_prints_the_position_in_game_notation(tmp_path: Path) -> None:
    words = (solved_file("tictactoe"), " xo..x.... o", "-o", tmp_path / "a", "--json")
    assert json.loads(call("certify", *words).stdout)["position"] == "xo..x...."


def test_certify_prints_short_checkers() -> None:
    for name in ("check.c", "check.py", "check.js", "strong.c", "strong.py"):
        program, (kind, language) = (CHECKERS / name).read_text(), name.split(".")
        words = [{"py": "python"}.get(language, language), *["--strong"] * (kind == "strong")]
        assert call("certify", "--checker", *words).stdout == program
        assert program.count("\n") <= (80 if name == "check.js" else 60)
        assert max(map(len, program.splitlines())) <= 110 or name == "strong.c"


def test_verify_limits_the_decompressed_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.analysis.certificates.certificate.MAX_BYTES", 1_000)
    path = tmp_path / "zeros.first"
    path.write_bytes(gzip.compress(bytes(10**6)))
    assert "more than 1,000 bytes" in refusal(4, "verify", path)
