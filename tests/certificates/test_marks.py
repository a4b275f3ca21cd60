"""The line on a certificate in plans, pages and reports, and the certificates that are refused there."""

import gzip
import json
import os
import re
import shutil
from dataclasses import replace
from hashlib import sha256
from html import unescape
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from playwright.sync_api import Browser

from exporters.svg.rendering import rendered
from solver import load_game, open_database, solve
from solver.analysis.certificates.certificate import read_certificate
from tests.exporters.support.rendered_text import faults
from tests.support.commandline import call, permitted, refusal, refused, start, succeeded
from tests.support.solved import solved_file

PLAN = json.loads((files("exporters") / "plan.schema.json").read_text("utf-8"))

WRITTEN = {
    "plan.svg": ("plan",),
    "plan.gv": ("plan",),
    "tree.svg": ("plan", "--tree"),
    "tree.html": ("plan", "--tree", "--depth", "2"),
    "map.svg": ("plan", "--format", "map"),
    "plan.html": ("plan",),
    "explorer.html": ("explore",),
    "report.html": ("report",),
    "report.md": ("report",),
}
"""The texts that carry marks, and what writes them of a game with few positions."""

SMALL = ("mnk", {"rows": 3, "columns": 2, "k": 2})


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with small.first and small.second."""
    folder = tmp_path_factory.mktemp("proofs")
    assert call("certify", solved_file(*SMALL), "-o", folder / "small").exit_code == 0
    return folder


def facts(path: Path) -> dict[str, str]:
    """The lines of a certificate."""
    head = gzip.decompress(path.read_bytes()).partition(b"\n\n")[0].decode()
    return dict(line.split(" ", 1) for line in head.splitlines()[1:])


def words(text: str) -> str:
    """The words of a document, however they are escaped."""
    return unescape(re.sub(r"\\(.)", r"\1", text)).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("name", WRITTEN)
def test_texts_state_the_claim_and_the_command_to_check_it(name: str, proofs: Path, tmp_path: Path) -> None:
    command, *options = WRITTEN[name]
    plain, marked = tmp_path / name, tmp_path / f"marked-{name}"
    paths = [proofs / "small.first", proofs / "small.second"]
    marking = [word for path in paths for word in ("--certificate", path)]
    for out, more in ((plain, []), (marked, marking)):
        succeeded(call(command, solved_file(*SMALL), *options, *more, "-o", out))
    text, before = words(marked.read_text("utf-8")), words(plain.read_text("utf-8"))
    for path, gain in zip(paths, ("x gets at least 1", "o gets at least -1"), strict=True):
        lines = [
            f"2 in a row on 3 x 2: {gain}. To check it: perfectplay verify {path.name}",
            f"SHA-256 of this certificate {sha256(path.read_bytes()).hexdigest()}",
            f"SHA-256 of the rules {facts(path)['play']}",
        ]
        assert [line in text for line in lines] == [True] * 3
        assert not any(line in before for line in lines)
    assert str(proofs) not in text


@pytest.mark.parametrize("name", ["plan.png", "plan.pdf", "map.png"])
def test_raster_and_pdf_pictures_with_marks_are_larger(
    name: str, proofs: Path, tmp_path: Path, browser: Browser
) -> None:
    options, zoom = (["--format", "map"], 2) if name.startswith("map") else (["--depth", "1"], 1.25)
    sizes, text = [], tmp_path / "text.svg"
    for more in ([], ["--certificate", proofs / "small.first"]):
        for path in (tmp_path / name, text):
            assert call("plan", solved_file(*SMALL), *options, *more, "-o", path).exit_code == 0
        sizes.append((tmp_path / name).stat().st_size)
    assert sizes[0] < sizes[1]
    assert faults(browser, text.read_text("utf-8"), "A3") == []
    assert (tmp_path / name).read_bytes() == rendered(text.read_text("utf-8"), name[-3:], zoom)


def test_map_with_marks_fits_an_a3_sheet(tmp_path: Path) -> None:
    game, out = ("connect", {"rows": 4, "columns": 2, "k": 2}), tmp_path / "map.svg"
    file = solved_file(*game)
    assert call("certify", file, "-o", tmp_path / "c").exit_code == 0
    options = [word for side in ("first", "second") for word in ("--certificate", tmp_path / f"c.{side}")]
    assert call("plan", file, "--format", "map", *options, "-o", out).exit_code == 0
    svg = out.read_text("utf-8")
    size = re.search(r'width="([\d.]+)mm" height="([\d.]+)mm"', svg)
    board = re.search(r'translate\([\d.]+ ([\d.]+)\)scale\(([\d.]+)\)" stroke-width', svg)
    assert size is not None is not board
    short, long = sorted(map(float, size.groups()))
    assert short <= 297
    assert long <= 420
    ends = [float(y) for y in re.findall(r'<text x="6" y="([\d.]+)"', svg)]
    assert max(ends) <= float(size[2])
    assert float(board[1]) + 4 * 10 * float(board[2]) < ends[-1] - 3  # of the highest of the marks


def mark(path: Path, owner: str) -> dict[str, Any]:
    """The mark of a certificate in JSON, by what the file itself says."""
    return {
        "file": path.name,
        "owner": owner,
        "goal": int(facts(path)["goal"]),
        "sha256": sha256(path.read_bytes()).hexdigest(),
        "rules": facts(path)["play"],
        "verify": f"perfectplay verify {path.name}",
    }


def test_json_plan_lists_its_certificates(proofs: Path, tmp_path: Path) -> None:
    path, out = proofs / "small.first", tmp_path / "plan.json"
    assert call("plan", solved_file(*SMALL), "-o", out, "--certificate", path).exit_code == 0
    marked = json.loads(out.read_text())
    jsonschema.validate(marked, PLAN)
    assert marked.pop("certificates") == [mark(path, "x")]
    assert call("verify", out).exit_code == 0
    assert call("plan", solved_file(*SMALL), "-o", out).exit_code == 0
    assert marked == json.loads(out.read_text())


def test_report_on_two_games_lists_certificates_of_each(proofs: Path, tmp_path: Path) -> None:
    other = solved_file(SMALL[0], {**SMALL[1], "misere": True})
    assert call("certify", other, "-o", tmp_path / "misere").exit_code == 0
    paths = [proofs / "small.second", tmp_path / "misere.first"]
    options = [word for path in paths for word in ("--certificate", path)]
    done = call("report", solved_file(*SMALL), other, *options, "--json")
    report = json.loads(done.stdout)
    assert report["a"]["certificates"] == [mark(paths[0], "o")]
    assert report["b"]["certificates"] == [mark(paths[1], "x")]
    refusal(2, "report", solved_file("kayles"), solved_file("nim"), *options)


PUBLISHED = Path(__file__).parents[2] / "data" / "certificates" / "tictactoe.first"

MADE = read_certificate(PUBLISHED)


def other(**changes: Any) -> bytes:
    """The certificate with other facts."""
    return replace(MADE, **changes).content


REFUSED = {
    "other rules": (
        2,
        "by other rules than those of tictactoe",
        other(named={**MADE.named, "play": "0" * 64}),
    ),
    "other parameters": (
        2,
        "of tictactoe misere=true wild=false, not of tictactoe misere=false wild=false",
        other(parameters={**MADE.parameters, "misere": True}),
    ),
    "other parameters that are no text to print": (
        2,
        r"of tictactoe a=.*, not of tictactoe misere=false",
        other(parameters={"a": "\x1b[31m\n" * 1000}),
    ),
    "other endless play": (2, "where endless play is worth 1, not 0", other(endless=1)),
    "other position": (2, "from another position than .........", other(start=int(MADE.start) + 2)),
    "a position as text": (2, "from another position than .........", other(start=".........", states=[])),
    "a state less": (4, "proves nothing, as", other(states=MADE.states[1:])),
    "a higher goal": (4, "proves nothing, as it has no ranks|proves nothing, as its goal", other(goal=1)),
    "no numbers": (4, "is not a certificate, or damaged", other(goal="x")),
    "a part": (4, "is not a certificate, or damaged", MADE.content[:-20]),
    "no gzip stream": (4, "is not a certificate, or damaged", b"SQLite format 3\0"),
}
"""By what is spoilt in a certificate: the status and the words of the refusal, and the file."""


@pytest.mark.parametrize(
    ("command", "name"),
    [*(("explore", name) for name in REFUSED), ("plan", "a state less"), ("report", "other position")],
)
def test_certificate_not_proving_the_value_is_refused(command: str, name: str, tmp_path: Path) -> None:
    path, out = tmp_path / "some.first", tmp_path / "out.html"
    status, words, content = REFUSED[name]
    path.write_bytes(content)
    said = refusal(status, command, solved_file("tictactoe"), "--certificate", path, "-o", out)
    assert re.search(words, said), said
    assert said[:-1].isprintable()
    assert not out.exists()


def test_unreadable_certificate_is_reported_as_permission_denied(tmp_path: Path) -> None:
    file, path = solved_file("tictactoe"), shutil.copy(PUBLISHED, tmp_path)
    os.chmod(path, 0)
    for words in (["report", file, "--certificate", path], ["match", file, "random", f"plan({path})"]):
        assert refused(4, permitted(*words)) == f"Error: cannot use {path}: Permission denied\n"


def test_pipe_as_certificate_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(path := tmp_path / "pipe")
    said = refused(4, start("report", solved_file("tictactoe"), "--certificate", path))
    assert said.startswith(f"Error: {path} is no regular file")


def test_unpacked_rules_and_later_positions_have_marks(tmp_path: Path) -> None:
    game = {"heaps": [1, 2]}
    file, out = solved_file("nim", game), tmp_path / "plan.json"
    with open_database(file) as db:
        start = db.start
    after = json.loads(call("query", file, "--json").stdout)["moves"][0]["position"]
    for position, name in ((start, "n"), (after, "later")):
        assert call("certify", file, position, "-o", tmp_path / name).exit_code == 0
        options = "--certificate", tmp_path / f"{name}.first"
        value = json.loads(call("query", file, position, "--json").stdout)["value"]
        owner = "first" if value > 0 else "second"
        succeeded(call("plan", file, position, "--for", owner, *options, "-o", out))
        assert json.loads(out.read_text())["certificates"] == [mark(tmp_path / f"{name}.first", "first")]
    assert call("plan", file, "--certificate", tmp_path / "later.first").exit_code == 2


def test_certificate_of_changed_rules_is_refused(tmp_path: Path) -> None:
    source = (files("solver.games") / "chomp.py").read_text("utf-8")
    (tmp_path / "a").mkdir()
    for folder, text in ((tmp_path, source), (tmp_path / "a", source.replace("range(", "range(0 + ", 1))):
        (folder / "rules.py").write_text(text)
        solve(load_game(f"{folder}/rules.py:Chomp"), folder / "game.db")
        assert call("certify", folder / "game.db", "-o", folder / "c").exit_code == 0
    words = "explore", tmp_path / "game.db", "-o", tmp_path / "page.html", "--certificate"
    succeeded(call(*words, tmp_path / "c.first"))
    assert "by other rules" in refusal(2, *words, tmp_path / "a/c.first")
