"""Hostile names of games, moves and positions are shown as text: on terminals, in files, in pictures."""

import json
import os
import pty
import re
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pygraphviz
import pytest

from exporters.palette import plain
from exporters.svg import accuracy
from solver import Plan, make_plan, open_database, solve
from solver.analysis.grade import grade
from solver.errors import NotLegible, SolverError
from solver.plans.formats import render
from solver.players.simple import Chance
from solver.search import SEARCHES
from solver.system.plugins import entries
from solver.system.terminal import printable
from tests.support.commandline import PROGRAM, call, programs_here
from tests.support.games import hostile_texts
from tests.support.games.hostile_texts import LONG, TEXTS, Hostile

GAME = f"{hostile_texts.__file__}:Hostile"
ALL = (*TEXTS, LONG)
WORD = "\x1b[31m\u202e"
PICTURES = ("svg", "png", "pdf")
OURS = ("json", "nested-json", "gv", "dot", *PICTURES)
"""The formats that can write every plan of this game; others may refuse it."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the game solved, with names of any length and by other rules, and with a plan."""
    folder = tmp_path_factory.mktemp("hostile")
    solve(Hostile(long=True), folder / "game.db")
    solve(Hostile(long=True, kind=-2), folder / "other.db")
    solve(Hostile(), folder / "short.db")
    (folder / "plan.json").write_bytes(render(_plan(folder / "game.db"), "json"))
    call("match", GAME, "random", "random", "--games", "5", "--save", "played.jsonl", cwd=folder)
    tables = f"[[solve]]\ngame = {json.dumps(f'{GAME} word={WORD} long=true')}\nexpect = {{ start = '' }}\n"
    (folder / "games.toml").write_text(tables)
    return folder


def _plan(path: Path) -> Plan:
    with open_database(path) as db:
        return make_plan(db, owner="second")


WORDS: Mapping[str, tuple[str, ...]] = {
    "games": (GAME,),
    "batch": ("games.toml", "-o", "batch"),
    "solve": (GAME, f"word={WORD}", "--force", "-o", "new.db"),
    "query": ("game.db",),
    "puzzles": ("game.db",),
    "stats": ("game.db",),
    "report": ("game.db", "other.db"),
    "sweep": (GAME, "long=false", "long=true", "--plot", "new.svg"),
    "export": ("game.db", "-o", "game.csv", "--force"),
    "diff": ("game.db", "other.db"),
    "verify": ("plan.json",),
    "certify": ("game.db", f"reply {TEXTS[14]}", "-o", "new"),  # whose states have a line each
    "check": (GAME, "long=true"),
    "search": (GAME, "long=true", "--with", "and-or", "--for", "second"),
    "compare": (GAME, "long=true"),
    "plan": ("game.db", "--for", "second", "-o", "new.json"),
    "explore": ("game.db", "-o", "new.html"),
    "site": ("game.db", "-o", "site"),
    "match": (
        *(GAME, "long=true", "plan(plan.json)", "human", "--swap", "--games", "2", "--save", "games.jsonl"),
    ),
    "replay": ("played.jsonl", "--show", "1"),
    "annotate": ("played.jsonl",),
    "grade": ("game.db", "minimax", "--plot", "new.svg"),
    "play": ("game.db",),
    "trust": (hostile_texts.__file__,),
}
"""For each command that has something to say for people, how it is called."""

TYPED = f"hint\nwhy\nboard\nhelp\n\x1b[31m\u202e\n{TEXTS[14]}\nundo\n{TEXTS[1]}\n{TEXTS[0]}\nquit\n"

DATA = {"convert"}
"""Commands that say no name of a game: this one has no integers to pack."""


def test_every_built_in_command_is_covered() -> None:
    built_in = {name for name, entry in entries("commands").items() if entry.value.startswith("solver.")}
    assert built_in <= set(WORDS) | DATA


@pytest.mark.parametrize("command", WORDS)
def test_commands_print_only_printable_characters(
    folder: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command == "sweep":  # `batch` runs its own as programs
        programs_here(monkeypatch)
    result = call(command, *WORDS[command], cwd=folder, input=TYPED)
    assert result.exit_code in (0, 1), result.output
    assert isinstance(result.exception, SystemExit | None)
    assert result.output
    assert _is_shown(result.stdout + result.stderr)


@pytest.mark.parametrize("algorithm", SEARCHES)
def test_searches_print_only_printable_characters(folder: Path, algorithm: str) -> None:
    result = call("search", GAME, "long=true", "--with", algorithm, "--playouts", "50", cwd=folder)
    assert isinstance(result.exception, SystemExit | None)
    assert _is_shown(result.output)


def _is_shown(text: str) -> bool:
    return all(char.isprintable() or char == "\n" for char in text)


def test_terminal_output_shows_every_name(folder: Path) -> None:
    said = call("query", "game.db", cwd=folder).stdout
    assert [text for text in ALL if printable(text) not in said] == []
    assert r"\u001b[31mred\u001b]0;title\u0007\u001b[2J" in said
    assert r"turned \u202eround\u2066 and \u200fmarked" in said
    assert "</script><!--<script>" in said
    assert "\U0001d4b3" in said
    stats = call("stats", "game.db", cwd=folder).stdout
    assert f"{GAME.rpartition('/')[2]} word=</script> long=true kind=1\n" in stats


@pytest.mark.parametrize(
    ("status", "arguments"),
    [
        (3, ("query", "game.db", "\x1b[31m\u202e\x9b")),
        (2, ("query", "game.db", "\x1b[31m", "too many")),
        (2, ("query", "game.db", "--\x1b[31m\u202e")),
        (2, ("\x1b[31m\u202e",)),
        (4, ("query", "\x1b[31m\u202e.db")),
        (2, ("plan", "game.db", "--for", "\x1b[31m\u202e")),
        (1, ("plan", "game.db", "--goal", "win")),
        (2, ("plan", "game.db", "--for", "second", "--format", "\x1b]0;\x07")),
        (2, ("solve", GAME, "\x1b[31m=1")),
        (2, ("solve", "\x1b[31m")),
        (2, ("solve", GAME, "long=\x1b[31m")),
        (2, ("match", GAME, "\x1b[31m", "random")),
        (2, ("search", GAME, "--with", "\x1b[31m")),
        (2, ("diff", "game.db", "short.db", "--limit", "\x1b[31m")),
    ],
)
def test_errors_have_only_printable_characters(folder: Path, status: int, arguments: tuple[str, ...]) -> None:
    result = call(*arguments, cwd=folder)
    assert (result.exit_code, result.stdout) == (status, "")
    assert "Error: " in result.stderr
    assert _is_shown(result.stderr)


def test_real_terminal_receives_the_same_output(folder: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen([PROGRAM, "query", "short.db"], cwd=folder, stdout=theirs, stderr=theirs):
        os.close(theirs)
        said = b"".join(_read(ours))
    os.close(ours)
    shown = said.decode().replace("\r\n", "\n")
    assert shown == call("query", "short.db", cwd=folder).stdout
    assert _is_shown(shown)


def _read(descriptor: int) -> Iterator[bytes]:
    """What comes from a terminal until the other side has closed it."""
    try:
        while part := os.read(descriptor, 65536):
            yield part
    except OSError:
        return


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_characters_missing_from_the_encoding_are_escaped(folder: Path, encoding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    for form in ([], ["--json"]):
        command = [str(PROGRAM), "query", "short.db", *form]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
        said = done.stdout.decode(encoding)
        assert _is_shown(said)
        assert ("\U0001d4b3" if encoding == "utf-8" else r"\ud835\udcb3") in said
    assert {move["move"] for move in json.loads(said)["moves"]} == set(TEXTS)


def test_json_output_contains_names_unchanged(folder: Path) -> None:
    def said(*arguments: object) -> Any:
        result = call(*arguments, "--json", cwd=folder)
        assert _is_shown(result.output)
        return json.loads(result.stdout)

    game, replies = Hostile(long=True), {text: f"reply {text}" for text in ALL}
    query = said("query", "game.db")
    assert (query["position"], query["to_move"]) == (game.initial, game.players[0])
    assert {move["move"]: move["position"] for move in query["moves"]} == replies
    stats = said("stats", "game.db")
    assert (stats["start"], stats["parameters"]["word"]) == (game.initial, "</script>")
    assert said("search", GAME, "--with", "minimax")["move"] in TEXTS
    diff = said("diff", "game.db", "other.db", "--limit", 100)
    assert {item["position"] for item in diff["first"]["value"]} >= {*replies.values()}
    assert isinstance(said("compare", GAME), list)
    assert isinstance(said("match", GAME, "random", "minimax"), dict)
    assert isinstance(said("grade", "game.db", "random"), dict)


def test_csv_output_contains_names_unchanged(folder: Path) -> None:
    command = [str(PROGRAM), "export", "game.db", "-o", "-"]
    printed = subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout
    call("export", "game.db", "-o", "game.csv", "--force", cwd=folder)
    assert printed == (folder / "game.csv").read_bytes()
    assert all(text.replace('"', '""').encode() in printed for text in ALL)


def test_json_plans_contain_names_unchanged(folder: Path) -> None:
    plan, replies = json.loads((folder / "plan.json").read_text("utf-8")), {t: f"reply {t}" for t in ALL}
    assert plan["states"].keys() == {*replies.values()}
    assert plan["replies"][Hostile().initial] == replies
    assert json.loads(call("plan", "game.db", "--for", "second", cwd=folder).stdout) == plan
    nested = json.loads(render(_plan(folder / "game.db"), "nested-json"))
    assert [item[1] for item in nested] == [*replies.values()]
    assert call("verify", "plan.json", cwd=folder).exit_code == 0


@pytest.mark.parametrize(("file", "refusal"), [("short.db", SolverError), ("game.db", NotLegible)])
@pytest.mark.parametrize("name", list(entries("exporters")))
def test_formats_write_names_as_text_or_refuse(
    folder: Path, name: str, file: str, refusal: type[SolverError]
) -> None:
    try:
        written = render(_plan(folder / file), name)
    except refusal:
        assert name not in OURS or (name in PICTURES and file == "game.db")  # which has long names
        return
    _hold(written, whole=name in OURS)


def _hold(written: bytes, *, whole: bool) -> None:
    """Hold what was written to what its kind, told by its first bytes, must be; dots are not looked into.

    Where names are to be there as a `whole`, see that they are.
    """
    begin = written.lstrip()[:200].lower()
    if begin.startswith((b"\x89png", b"%pdf")):
        return
    text = written.decode("utf-8")
    if begin.startswith((b"{", b"[")):
        assert json.loads(text)
    elif b"<svg" in begin or begin.startswith(b"<?xml"):
        _hold_svg(text, whole=whole)
    elif begin.startswith((b"<!doctype html", b"<html")):
        _hold_html(text)
    else:
        _hold_dot(text)


def _hold_svg(text: str, *, whole: bool) -> None:
    root = ET.fromstring(text)
    for element in root.iter():
        assert element.tag.rpartition("}")[2].lower() not in {"script", "b", "nosuch"}
        assert not [name for name in element.attrib if name.rpartition("}")[2].startswith("on")]
        assert not any("javascript:" in value for value in element.attrib.values())
    if whole:
        _hold_texts(" ".join(root.itertext()))


def _hold_dot(text: str) -> None:
    graph, shown = pygraphviz.AGraph(string=text), []
    for node in graph.nodes():
        label = node.attr["label"] or ""
        inside = ET.fromstring(label).itertext() if label.startswith("<TABLE") else [label]
        shown.append(" ".join(inside).replace("\\\\", "\\"))
    _hold_texts(" ".join(shown))


def _hold_texts(shown: str) -> None:
    """Each name is there, but for what cannot be printed."""
    actual = re.sub(r"\s+", " ", shown)
    assert all(char.isprintable() for char in actual)
    for text in TEXTS:
        assert " ".join(plain(text).split()) in actual


def _hold_html(text: str) -> None:
    page = _Page(text)
    for script in page.scripts:
        assert "<script" not in script.lower()
        assert "<!--" not in script
    assert "alert" not in "".join(page.handlers)
    assert "nosuch" not in page.tags


class _Page(HTMLParser):
    """The scripts, the handlers of events and the tags of an HTML page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts, self.handlers, self.tags = list[str](), list[str](), set[str]()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.handlers += [value or "" for name, value in attrs if name.startswith("on")]
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts[-1] += data


def test_plot_shows_player_names_as_text(folder: Path) -> None:
    with open_database(folder / "short.db") as db:
        graded = grade(db, "random", Chance(db.game))
    for name in ALL:
        root = ET.fromstring(accuracy.render([replace(graded, player=name)]))
        assert not [element for element in root.iter() if element.tag.endswith("script")], name
        assert any(plain(name) in text for text in root.itertext()), name
