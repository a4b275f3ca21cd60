"""Forged certificates are refused in one line, whatever numbers and texts they have."""

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from solver import load_game
from solver.system import resources
from tests.support.certificates import CHECKERS, HUGE, refused_by_program
from tests.support.commandline import call, refusal
from tests.support.pages import ROOT
from tests.support.solved import solved_file


@pytest.fixture(scope="module")
def won(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The content of a certificate with ranks, without compression."""
    out = tmp_path_factory.mktemp("won") / "out"
    game = solved_file("mnk", {"rows": 4, "columns": 3, "k": 3}, layout="packed")
    assert call("certify", game, "-o", out).exit_code == 0
    content = gzip.decompress(Path(f"{out}.first").read_bytes())
    assert b"\nranks 1\n" in content
    return content


def with_line(content: bytes, name: str, value: str, body: bytes | None = None) -> bytes:
    """The content with another value of a line, and perhaps with the only state of another body."""
    head, _, old = content.partition(b"\n\n")
    if body:
        head = re.sub(rb"\ncount \d+", b"\ncount 1", head)
    head = re.sub(rf"^{name} .*$".encode(), f"{name} {value}".encode(), head, flags=re.MULTILINE)
    return head + b"\n\n" + (old if body is None else body)


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "texts": lambda content: with_line(content, "texts", "1", b"1 ............\n"),
    "the start as a number in a text": lambda content: with_line(content, "texts", "1", b"1 12\n"),
    "a huge rank": lambda content: with_line(content, "count", "1", b"\x05" + b"\xff" * 10 + b"\x01"),
    "a huge state": lambda content: with_line(content, "count", "1", b"\xff" * 10 + b"\x01\x05"),
    "no last rank": lambda content: content[:-1],
    "endlessly worth more": lambda content: with_line(content, "endless", f"-{HUGE}", b""),
    "a negative count": lambda content: with_line(content, "count", "-1", b""),
    "no states": lambda content: with_line(content, "count", "0", b""),
}


@pytest.mark.parametrize("name", SPOILT)
def test_forged_certificate_is_refused_in_one_line(name: str, won: bytes, tmp_path: Path) -> None:
    path = tmp_path / "some.first"
    path.write_bytes(gzip.compress(SPOILT[name](won)))
    done = call("verify", path)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code in (1, 4), done.output
    assert (done.stdout + done.stderr).count("\n") == 1


def test_negative_start_is_refused(tmp_path: Path) -> None:
    content = gzip.decompress((ROOT / "data" / "certificates" / "tictactoe.first").read_bytes())
    path = tmp_path / "some.first"
    path.write_bytes(gzip.compress(with_line(content, "start", "-1")))
    assert "it has the start -1, but states are not negative" in refusal(4, "verify", path)


@pytest.mark.parametrize("suffix", ["second", "strong"])
def test_label_of_a_text_not_written_as_in_the_format_is_refused(suffix: str, tmp_path: Path) -> None:
    out, path, game = tmp_path / "out", tmp_path / "other", solved_file("nim")
    assert call("certify", game, "-o", out, *["--strong"] * (suffix == "strong")).exit_code == 0
    content = gzip.decompress(Path(f"{out}.{suffix}").read_bytes()).decode()
    checker = "strong.py" if suffix == "strong" else "check.py"
    assert checker == "strong.py" or "\nranks 1\n" in content
    for label in (r"\2", r"+\2", r"0\2", r" \2", r"\2_0", r"-\2", "\N{FULLWIDTH DIGIT ONE}", HUGE, ""):
        other = re.sub(r"(?m)^([-0-9]+ )?(\d+)(?= \d+,)", rf"\g<1>{label}", content)
        path.write_bytes(gzip.compress(other.encode()))
        done, refused = call("verify", path), other != content
        assert (done.exit_code, (done.stdout + done.stderr).count("\n")) == (4 * refused, 1), done.output
        assert refused_by_program(path.read_bytes(), load_game("nim"), checker) == refused, label


def test_programs_refuse_damaged_files_in_one_line(tmp_path: Path) -> None:
    """Whether it is the stream that is damaged, the text of the head, its JSON, a number, or a position."""
    out, path = tmp_path / "out", tmp_path / "other"
    assert call("certify", solved_file("hexapawn"), "-o", out).exit_code == 0
    assert call("certify", solved_file("hexapawn"), "--strong", "-o", out).exit_code == 0
    python, rules = [sys.executable, f"{CHECKERS}/check.py", f"{out}.rules.py"], f"{out}.rules.js"
    strong = [sys.executable, f"{CHECKERS}/strong.py", f"{out}.rules.py"]
    for program, suffix in (
        (python, "first"),
        (["node", f"{CHECKERS}/check.js", rules], "first"),
        (strong, "strong"),
    ):
        file = Path(f"{out}.{suffix}").read_bytes()
        content = gzip.decompress(file)
        heads = [content.replace(b"\nendless ", b"\xff\nendless "), with_line(content, "start", "0x0")]
        heads += [with_line(content, "rules", ""), with_line(content, "count", "9" * 5000)]
        if program != python:
            heads = heads[:-1]
        for other in (file[:-3], content, file + b"more", *map(gzip.compress, heads)):
            path.write_bytes(other)
            done = subprocess.run([*program, path], cwd=ROOT, capture_output=True, text=True, check=False)
            said = done.stdout + done.stderr
            assert (done.returncode, said.count("\n"), said[:9]) == (1, 1, "refused: "), said
        path.write_bytes(file)
        assert subprocess.run([*program, path], cwd=ROOT, capture_output=True, check=False).returncode == 0


def test_text_after_the_last_line_is_refused_by_all_checkers(tmp_path: Path) -> None:
    out, path = tmp_path / "out", tmp_path / "more"
    assert call("certify", solved_file("nim"), "-o", out).exit_code == 0
    assert call("certify", solved_file("nim"), "--strong", "-o", out).exit_code == 0
    for suffix, checker in (("second", "check.py"), ("strong", "strong.py")):
        content = gzip.decompress(Path(f"{out}.{suffix}").read_bytes())
        for more in (b"", b" ", b"1 1 x"):
            path.write_bytes(gzip.compress(content + more))
            by_program = refused_by_program(path.read_bytes(), load_game("nim"), checker)
            assert (by_program, call("verify", path).exit_code) == ((True, 4) if more else (False, 0))


def test_certificate_exceeding_memory_is_refused(
    won: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the system would then end some process, perhaps another one."""
    monkeypatch.setattr(resources, "available", lambda: 50_000_000)
    path, count = tmp_path / "some.first", 3_000_000
    content = with_line(won, "texts", "0", b"\1" * 2 * count)
    path.write_bytes(gzip.compress(content.replace(b"\ncount 1", b"\ncount %d" % count)))
    assert "memory ran out" in refusal(2, "verify", path)


def test_verify_states_endless_play_unless_it_is_a_draw(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for endless, worth, worth_words in (("draw", 0, ""), ("second", -1, " (endless play is worth -1 to x)")):
        file = solved_file("ponghauki", endless=endless)
        assert call("certify", file, "-o", out).exit_code == 0
        assert call("certify", file, "--strong", "-o", out).exit_code == 0
        goal = 1 if endless == "second" else 0
        gain = f"gets at least {goal}{worth_words}, by"
        for suffix, words in (("second", gain), ("strong", f"the rules{worth_words}.")):
            assert words in call("verify", f"{out}.{suffix}").stdout
            assert json.loads(call("verify", f"{out}.{suffix}", "--json").stdout)["endless"] == worth
