"""Certificates of known games: four programs prove them, and refuse what is spoilt."""

import gzip
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from solver import open_database, solve
from solver.analysis.certificates.certificate import read_certificate
from solver.analysis.certificates.check import flaw_of
from solver.analysis.certificates.selection import certify
from tests.support.certificates import (
    CHECKERS,
    compiled_checker,
    refused_by_program,
    spoilt_certificates,
    statuses,
)
from tests.support.commandline import call
from tests.support.games.explicit_graph import ExplicitGame, explicit_games, value_by_definition
from tests.support.solved import solved_file

ROOT = Path(__file__).parents[2]

GAMES = {
    "tictactoe": ({}, {}, 0),
    "mnk": ({"rows": 4, "columns": 3, "k": 3}, {"fold": True}, 1),
    "connect": ({"rows": 4, "columns": 4}, {}, 0),
    "hexapawn": ({}, {}, -1),
    "kayles": ({}, {}, 1),
    "domineering": ({"rows": 3, "columns": 3}, {}, 1),
    "dots-and-boxes": ({"rows": 2, "columns": 2}, {}, 2),
    "quixo": ({"rows": 3, "columns": 3, "k": 3}, {"fold": True}, 1),
    "ponghauki": ({}, {}, 0),
}
"""Packed games with parameters, options of the solve, and the value."""


@pytest.mark.parametrize("name", GAMES)
def test_programs_in_three_languages_prove_the_value_and_refuse_what_is_spoilt(
    name: str, tmp_path: Path
) -> None:
    parameters, options, value = GAMES[name]
    out = tmp_path / "out"
    assert call("certify", solved_file(name, parameters, **options), "-o", out).exit_code == 0
    program, random = compiled_checker(tmp_path / "out.rules.h", tmp_path), Random(1)
    others = read_certificate(Path(f"{out}.second")).states
    for side, sign in (("first", 1), ("second", -1)):
        path = Path(f"{out}.{side}")
        made = read_certificate(path)
        assert made.goal == sign * value
        assert statuses(out, side, program) == [0, 0, 0]
        assert call("verify", path).exit_code == 0
        raised = replace(made, goal=made.goal + 1)
        for spoilt in (raised, *spoilt_certificates(made, others, random)):
            path.write_bytes(spoilt.as_bytes())
            refused = call("verify", path).exit_code
            assert statuses(out, side, program) == [refused] * 3
            assert refused or spoilt.goal <= sign * value


def test_a_symmetry_that_is_none_proves_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for suffix in ("first", "rules.h", "rules.py", "rules.js"):
        shutil.copy(ROOT / "data" / "certificates" / f"connect-4x5.{suffix}", f"{out}.{suffix}")
    made = read_certificate(Path(f"{out}.first"))
    assert made.symmetries == 1
    Path(f"{out}.first").write_bytes(replace(made, symmetries=2).as_bytes())
    program = compiled_checker(Path(f"{out}.rules.h"), tmp_path)
    assert (call("verify", f"{out}.first").exit_code, statuses(out, "first", program)) == (1, [1, 1, 1])
    Path(f"{out}.first").write_bytes(made.as_bytes())
    assert statuses(out, "first", program) == [0, 0, 0]
    heads = {"h": "symmetry0(i64 s) { ", "py": "symmetry0(s):\n    ", "js": "symmetry0(s) { "}
    for suffix, head in heads.items():
        rules = Path(f"{out}.rules.{suffix}")
        text = rules.read_text()
        assert head in text
        rules.write_text(text.replace(head, f"{head}s ^= {'64n' if suffix == 'js' else 64}; "))
    program = compiled_checker(Path(f"{out}.rules.h"), tmp_path)
    assert statuses(out, "first", program) == [1, 1, 1]


def test_a_flipped_byte_is_refused_or_changes_nothing_that_is_said(tmp_path: Path) -> None:
    out = tmp_path / "out"
    call("certify", solved_file("hexapawn"), "-o", out)
    program, path = compiled_checker(tmp_path / "out.rules.h", tmp_path), tmp_path / "out.second"
    content, random = gzip.decompress(path.read_bytes()), Random(2)
    body = content.index(b"\n\n") + 2
    for place in random.sample(range(body, len(content)), 12):
        flipped = bytearray(content)
        flipped[place] ^= 1 << random.randrange(8)
        path.write_bytes(gzip.compress(bytes(flipped)))
        status = min(1, call("verify", path).exit_code)
        assert statuses(out, "second", program) == [status] * 3
    path.write_bytes(path.read_bytes()[:-9])
    refused = call("verify", path)
    assert (refused.exit_code, refused.stderr.count("\n")) == (4, 1)


@given(explicit_games(), st.sampled_from(["draw", "first", "second"]), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_any_game_has_certificates_of_its_value_and_of_no_more(
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
            assert not refused_by_program(made, game)
            assert flaw_of(replace(made, goal=made.goal + 1), game) is not None
            assert refused_by_program(replace(made, goal=made.goal + 1), game)
            for spoilt in spoilt_certificates(
                made, [str(state) for state in range(len(game.children))], random
            ):
                assert refused_by_program(spoilt, game) == (flaw_of(spoilt, game) is not None)


@pytest.mark.parametrize("name", ["tictactoe", "connect-4x5", "connect-5x5"])
def test_the_certificates_that_come_along_are_proved_as_a_stranger_would(name: str, tmp_path: Path) -> None:
    there = ROOT / "data" / "certificates" / name
    program = compiled_checker(there.with_name(f"{name}.rules.h"), tmp_path)
    for side in ("first", "second"):
        unpacked = subprocess.run(["zcat", f"{there}.{side}"], check=True, capture_output=True).stdout
        done = subprocess.run([program], input=unpacked, capture_output=True, check=False)
        assert done.returncode == 0
        assert done.stdout.endswith(f"the {side} player gets at least 0\n".encode())
        assert call("verify", f"{there}.{side}").exit_code == 0


def test_rules_that_a_sceptic_writes_prove_tictactoe(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "certificates.md").read_text()
    (code,) = re.findall(r"```c\n(.*?)```", page, re.DOTALL)
    assert code.count("\n") <= 25
    rules, out = tmp_path / "mine.rules.h", tmp_path / "out"
    rules.write_text(code)
    call("certify", solved_file("tictactoe"), "-o", out)
    program = compiled_checker(rules, tmp_path)
    for side in ("first", "second"):
        assert statuses(out, side, program) == [0, 0, 0]


def test_the_class_of_the_rules_is_enough_for_the_program_in_python(tmp_path: Path) -> None:
    call("certify", solved_file("nim", {"heaps": (1, 2, 3)}), "-o", tmp_path / "nim")
    assert not (tmp_path / "nim.rules.py").exists()
    for side in ("first", "second"):
        words = [
            sys.executable,
            CHECKERS / "check.py",
            f"{ROOT}/solver/games/nim.py:Nim",
            tmp_path / f"nim.{side}",
        ]
        done = subprocess.run(list(map(str, words)), cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.split()[0]) == (0, "proved"), done.stderr


def test_checkers_are_short_and_printed() -> None:
    for language, name, lines in (("c", "check.c", 60), ("python", "check.py", 60), ("js", "check.js", 80)):
        program = (CHECKERS / name).read_text()
        assert call("certify", "--checker", language).stdout == program
        assert program.count("\n") <= lines
        assert max(map(len, program.splitlines())) <= 110


def test_a_small_file_that_stands_for_many_bytes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.analysis.certificates.certificate.MAX_BYTES", 1_000)
    path = tmp_path / "zeros.first"
    path.write_bytes(gzip.compress(bytes(10**6)))
    refused = call("verify", path)
    assert (refused.exit_code, "more than 1,000 bytes" in refused.stderr) == (4, True)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("certify",), 2, "give a database, and by -o the name"),
        (("certify", "{db}"), 2, "give a database, and by -o the name"),
        (("certify", "{db}", "--checker", "c"), 2, "leave FILE and -o out"),
        (("certify", "{db}", "xxx......", "-o", "{folder}/a"), 3, "is not in"),
        (("verify", "{folder}/no.gz"), 4, "is not a certificate"),
        (("verify", "{folder}/out.first", "--adopt"), 2, "leave --adopt out"),
    ],
)
def test_mistakes_are_said_in_a_line(words: tuple[str, ...], status: int, said: str, tmp_path: Path) -> None:
    path = solved_file("tictactoe")
    (tmp_path / "no.gz").write_bytes(gzip.compress(b"nothing"))
    call("certify", path, "-o", tmp_path / "out")
    done = call(*(word.format(db=path, folder=tmp_path) for word in words))
    assert (done.exit_code, done.stderr.count("\n")) == (status, 1), done.stderr
    assert said in done.stderr
    assert not (tmp_path / "a.first").exists()
