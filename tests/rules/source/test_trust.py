"""Rules of strangers do not run until the user trusts them."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from solver import load_game, open_database
from solver.errors import BrokenRules, UntrustedRules, UnusableFile, UnwritableFile
from solver.plans.plan import SCHEMA
from solver.plans.reader import plan_from_json
from solver.proof.packed import verify_packed
from solver.rules.named import game_of_file
from solver.rules.source import trust
from solver.rules.source.modules import file_fingerprint
from solver.rules.source.trust import trusting
from solver.system.plugins import entries
from tests.support.commandline import run
from tests.support.rules_texts import PACKED

RULES = f'import pathlib\n\npathlib.Path({{marker!r}}).write_text("executed")\n{PACKED}'


class Letter:
    """What a stranger has sent: a folder with rules, and with files that name them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "letter"
        self.marker = folder / "executed"
        self.reader = folder / "reader"
        self.folder.mkdir()
        self.rules = self.folder / "evil.py"
        self.rules.write_text(RULES.format(marker=str(self.marker)))
        for arguments in (
            ("solve", "evil.py:Count", "-o", "evil.db"),
            ("solve", "evil.py:Count", "-o", "packed.db", "--layout", "packed"),
            ("plan", "evil.db", "-o", "plan.json"),
            ("match", "evil.db", "random", "random", "--save", "games.jsonl"),
        ):
            self.run(*arguments, home=folder / "stranger", status=0)
        self.marker.unlink()

    def run(self, *arguments: str, status: int, home: Path | None = None, **more: str) -> str:
        """What is said on stderr by a command in the folder, of the reader unless another `home` is given."""
        environment = {**os.environ, "XDG_CONFIG_HOME": str(home or self.reader), **more}
        result = run(*arguments, cwd=self.folder, env=environment)
        assert result.returncode == status, (arguments, result)
        return result.stderr

    def refuses(self, *arguments: str, status: int = 4, home: Path | None = None, **more: str) -> str:
        """The line with which the command is refused, which executed nothing."""
        said = self.run(*arguments, status=status, home=home, **more)
        assert not self.marker.exists(), arguments
        assert said.count("\n") == 1, said
        return said

    def executes(self, *arguments: str, **more: str) -> None:
        self.run(*arguments, status=0, home=None, **more)
        assert self.marker.exists()
        self.marker.unlink()


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Letter:
    return Letter(tmp_path_factory.mktemp("sent"))


@pytest.fixture
def letter(sent: Letter) -> Iterator[Letter]:
    """The letter, and a reader who has run nothing yet."""
    shutil.rmtree(sent.reader, ignore_errors=True)
    yield sent
    sent.marker.unlink(missing_ok=True)


READING = {
    "query": ["evil.db", "packed.db"],
    "puzzles": ["evil.db", "packed.db"],
    "certify": ["evil.db -o out", "packed.db -o out"],
    "stats": ["evil.db"],
    "report": ["evil.db -o out.md", "packed.db evil.db"],
    "export": ["evil.db -o out.csv --force"],
    "convert": ["packed.db -o out.db --force"],
    "diff": ["evil.db packed.db"],
    "verify": ["evil.db", "packed.db", "plan.json"],
    "compare": [],
    "plan": ["evil.db"],
    "explore": ["evil.db -o out.html"],
    "grade": ["evil.db random"],
    "play": ["evil.db", "plan.json", "tictactoe --against plan(plan.json)"],
    "match": ["packed.db random random", "tictactoe plan(plan.json) random"],
    "replay": ["games.jsonl"],
    "annotate": ["evil.db --moves 0", "games.jsonl"],
    "serve": ["evil.db --port 0", "packed.db --port 0"],
    "site": ["evil.db -o site --force", "packed.db -o site --force"],
    "search": ["tictactoe --with monte-carlo --policy plan(plan.json)"],
}
"""Each command that reads files which may name rules, and how it is called."""

CALLS = [(command, *words.split()) for command, calls in READING.items() for words in calls]


def test_every_command_is_tested() -> None:
    assert set(READING) | {"games", "solve", "batch", "sweep", "check", "trust"} == set(entries("commands"))


IN_TURN = """
import json, sys
from pathlib import Path

from click.testing import CliRunner

from solver.cli import main

for call in json.load(sys.stdin):
    found = CliRunner().invoke(main, call)
    print(json.dumps([found.exit_code, found.stderr, Path("../executed").exists()]))
"""
"""A process that has run no rules calls one command after the other."""


@pytest.fixture(scope="module")
def answers(sent: Letter) -> dict[tuple[str, ...], tuple[int, str, bool]]:
    """By call: the status, what was said, and whether the rules ran, in this call or one before."""
    shutil.rmtree(sent.reader, ignore_errors=True)
    environment = {**os.environ, "XDG_CONFIG_HOME": str(sent.reader)}
    done = run(cwd=sent.folder, env=environment, input=json.dumps(CALLS), program=IN_TURN)
    return dict(zip(CALLS, map(tuple, map(json.loads, done.stdout.splitlines())), strict=True))


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_untrusted_rules_are_not_run(
    sent: Letter, answers: dict[tuple[str, ...], tuple[int, str, bool]], call: tuple[str, ...]
) -> None:
    status, said, executed = answers[call]
    assert (status, said.count("\n"), executed) == (4, 1, False), said
    assert f"the rules file '{sent.rules}' is code that you have not run before" in said
    assert f"`perfectplay trust {sent.rules}`" in said


def test_compare_refuses_a_wrong_game_before_running_rules(letter: Letter) -> None:
    letter.refuses("compare", "tictactoe", "--database", "evil.db", status=2)


def test_trusted_rules_run_until_they_change(letter: Letter) -> None:
    letter.run("trust", "evil.py", status=0)
    assert not letter.marker.exists()
    for call in (("query", "evil.db"), ("verify", "plan.json"), ("replay", "games.jsonl")):
        letter.executes(*call)
    text = letter.rules.read_text()
    letter.rules.write_text(text + "MORE = 1\n")
    try:
        assert "made by other rules" in letter.refuses("verify", "plan.json")
        assert "not run before" in letter.refuses("verify", "plan.json", "--adopt")
        assert "made by other rules" in letter.refuses("query", "evil.db")
    finally:
        letter.rules.write_text(text)


def test_rules_run_by_option_or_environment(letter: Letter) -> None:
    letter.executes("query", "evil.db", "--trust-rules")
    letter.refuses("query", "evil.db")
    letter.executes("verify", "plan.json", PERFECTPLAY_TRUST_RULES="1")
    letter.refuses("verify", "plan.json", PERFECTPLAY_TRUST_RULES="0")


@pytest.mark.parametrize("call", ["solve evil.py:Count -o own.db --force", "check evil.py:Count"])
def test_rules_run_by_the_user_are_trusted(letter: Letter, call: str) -> None:
    letter.executes(*call.split())
    letter.executes("verify", "plan.json")


def test_trusted_rules_are_listed(letter: Letter) -> None:
    letter.run("trust", "evil.py", status=0)
    letter.run("trust", "evil.py", status=0)
    listed = run("trust", env={**os.environ, "XDG_CONFIG_HOME": str(letter.reader)}).stdout
    digest = file_fingerprint(str(letter.rules))
    assert listed == f'{digest[:12]}  "{letter.rules}"\n'
    assert letter.refuses("trust", "evil.py", "none.py").startswith("Error: none.py does not exist")


def test_without_configuration_folder_trust_is_not_stored(letter: Letter) -> None:
    nowhere = Path("/dev/null/nowhere")
    letter.run("solve", "evil.py:Count", "-o", "own.db", "--force", status=0, home=nowhere)
    letter.marker.unlink()
    letter.refuses("query", "own.db", home=nowhere)
    assert "cannot write /dev/null/nowhere" in letter.refuses("trust", "evil.py", home=nowhere)


def test_configuration_folder_must_be_absolute(letter: Letter) -> None:
    shutil.copytree(letter.folder.parent / "stranger", letter.folder / "config")
    letter.refuses("query", "evil.db", home=Path("config"))
    assert "no configuration folder" in letter.refuses("trust", "evil.py", home=Path("config"))


def test_python_api_refuses_untrusted_rules(letter: Letter) -> None:
    game = f"{letter.rules}:Count"
    with open_database(letter.folder / "evil.db") as db:
        with pytest.raises(UntrustedRules, match="not run before"):
            _ = db.game
        assert not letter.marker.exists()
        with trusting(), ThreadPoolExecutor(1) as elsewhere:
            with pytest.raises(UntrustedRules, match="not run before"):
                elsewhere.submit(load_game, game, trusted=False).result()
            assert db.game.initial == 0
    assert load_game(game, trusted=False).initial == 0  # as this process has run them


HARMLESS = RULES.replace("pathlib.Path({marker!r}).write_text", "str")


def test_digested_source_is_the_one_that_runs(tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_text(HARMLESS)
    trust.remember(file_fingerprint(str(path)), str(path))
    path.write_text("raise SystemExit('other code')")
    assert load_game(f"{path}:Count", trusted=False).initial == 0


def test_proof_processes_run_the_rules_of_their_parent(letter: Letter) -> None:
    with open_database(letter.folder / "packed.db") as db, trusting():
        assert verify_packed(db, processes=2) == []
    assert file_fingerprint(str(letter.rules)) not in trust.remembered()  # they were told by this process


NO_RULES = [
    *("no.such.module:Game", "os:system", "__main__:Game", "evil:Count", "mnk:4:5", "solver.games.mnk:MNK"),
    *("", ":Game", "/:Game", "/dev/zero:Game", "\0.py:Game", "\udfff.py:Game"),
    *(f"{'long' * 5000}.py:Game", "../" * 2000 + "x.py:Game"),
]


@pytest.mark.parametrize("name", NO_RULES)
def test_files_with_invalid_game_names_are_refused(tmp_path: Path, name: str) -> None:
    plan = {"schema": SCHEMA, "game": name, "parameters": {}, "owner": "first", "goal": "win", "root": "0"}
    refusal = "cannot be used without the rules of its game|is code that you have not run before"
    with pytest.raises(UnusableFile, match=refusal):
        plan_from_json({**plan, "value": 1, "states": {}})
    with pytest.raises(UnusableFile):
        game_of_file("some.db", {"game": name, "rules": "0" * 64}, {}, folder=tmp_path)


def test_huge_rules_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "image.py"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(BrokenRules, match="more than 10,000,000 bytes: it should be code"):
        load_game(f"{path}:Game", trusted=False)


def test_concurrent_processes_store_trust(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    digests = [hashlib.sha256(bytes([n])).hexdigest() for n in range(200)]
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(trust.remember, digests, ["x" * 1000] * 200))
    assert set(trust.remembered()) == set(digests)


def test_name_of_a_rules_file_cannot_forge_an_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    evil = "0" * 64
    trust.remember("1" * 64, f'x"\n{evil}  "y.py')
    assert set(trust.remembered()) == {"1" * 64}


def test_pipe_in_place_of_the_record_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "perfectplay").mkdir()
    os.mkfifo(tmp_path / "perfectplay" / "trusted-rules")
    assert trust.remembered() == {}
    with pytest.raises(UnwritableFile, match=r"^cannot write .*trusted-rules: it is no regular file$"):
        trust.remember("1" * 64, "rules.py")


def test_malformed_entries_are_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "perfectplay").mkdir()
    by_hand = b"2" * 64 + b'  "C:\\quoted\\by.py"\n'  # no JSON: \q
    (tmp_path / "perfectplay" / "trusted-rules").write_bytes(b"\xff\x00\n" + by_hand + b"3" * 40)
    assert trust.remembered() == {}
    trust.remember("1" * 64, "torn")  # ends the line that was torn off
    trust.remember("1" * 64, "whole")
    assert list(trust.remembered().values()) == ["whole"]
