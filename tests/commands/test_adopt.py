"""`verify --adopt`: files survive changes of their rules that change no play."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from solver.plans.reader import read_plan
from tests.support.commandline import refused, run, silent, succeeded
from tests.support.hostile_files.databases import set_about
from tests.support.rules_texts import PACKED, made_in

RULES = f"""{PACKED}
    def show(self, state):
        return f"the sum is {{state}}"
"""

OTHER_PICTURE = RULES.replace("the sum is", "they have said")
OTHER_WORDS = RULES.replace("state > 3", "state >= 4")
"""Other code for the same play."""
GAINED = (
    RULES.replace("\nfrom", "from dataclasses import dataclass\n\nfrom", 1)
    .replace("class Count", "@dataclass(frozen=True)\nclass Count")
    .replace("initial = 0", "last: int = 3\n    initial = 0")
    .replace("state > 3", "state > self.last")
)
"""The same play by a parameter that has its default."""
MADE = {
    "readable.db": "solve count.py:Count -o readable.db",
    "packed.db": "solve count.py:Count -o packed.db --layout packed",
    "plan.json": "plan readable.db --for first -o plan.json",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_in(tmp_path_factory.mktemp("made"), RULES, MADE.values())


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of this folder, of a user who has run nothing yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PERFECTPLAY_TRUST_RULES", "1")
    return shutil.copytree(made, tmp_path, dirs_exist_ok=True)


def about(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("select key, value from about"))


def test_changed_picture_keeps_files_valid(folder: Path) -> None:
    before = [(folder / name).read_bytes() for name in MADE]
    (folder / "count.py").write_text(OTHER_PICTURE)
    for name in MADE:
        silent(run("verify", name, cwd=folder))
    for name in ("readable.db", "packed.db"):
        assert "they have said 1" in run("query", name, "1", cwd=folder).stdout
    assert [(folder / name).read_bytes() for name in MADE] == before


@pytest.fixture(scope="module", params=[OTHER_WORDS, GAINED], ids=["other words", "a parameter more"])
def other(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with other rules for the same play and the files that they made."""
    return made_in(tmp_path_factory.mktemp("other"), request.param, MADE.values())


@pytest.mark.parametrize("name", MADE)
def test_verify_adopts_file_that_follows_from_other_rules(folder: Path, name: str, other: Path) -> None:
    shutil.copy(other / "count.py", folder / "count.py")
    said = refused(4, run("verify", name, cwd=folder))
    assert "was made by other rules" in said
    assert f"`perfectplay verify {name} --adopt`" in said
    adopted = silent(run("verify", name, "--adopt", cwd=folder))
    assert "proved" in adopted.stdout
    assert run("verify", name, cwd=folder).returncode == 0
    if name == "plan.json":
        assert (folder / name).read_bytes() == (other / name).read_bytes()
    else:
        assert about(folder / name) == about(other / name)


def test_advice_to_adopt_names_rules_in_another_folder(folder: Path) -> None:
    (folder / "new").mkdir()
    (folder / "count.py").rename(folder / "new" / "count.py")
    (folder / "new" / "count.py").write_text(OTHER_WORDS)
    said = refused(4, run("stats", "readable.db", "--rules", "new/count.py", cwd=folder))
    command = "perfectplay verify readable.db --adopt --rules new/count.py"
    assert f"`{command}`" in said
    assert "proved" in silent(run(*command.split()[1:], cwd=folder)).stdout


def test_adopted_plan_drops_certificates_that_its_rules_refuse(folder: Path) -> None:
    assert run("certify", "packed.db", "-o", "proof", cwd=folder).returncode == 0
    assert run(*MADE["plan.json"].split(), "--certificate", "proof.first", cwd=folder).returncode == 0
    marked = (folder / "plan.json").read_text()
    assert "certificates" in json.loads(marked)
    for rules in (OTHER_PICTURE, OTHER_WORDS):  # of which only the second refuse the certificate
        (folder / "count.py").write_text(rules)
        assert run("verify", "plan.json", "--adopt", cwd=folder).returncode == 0
        checked = run("verify", "proof.first", cwd=folder).returncode == 0
        assert ("certificates" in json.loads((folder / "plan.json").read_text())) == checked
    unmarked = {key: value for key, value in json.loads(marked).items() if key != "certificates"}
    assert json.loads((folder / "plan.json").read_text()).keys() == unmarked.keys()


@pytest.mark.parametrize("name", MADE)
def test_verify_does_not_adopt_file_of_different_play(folder: Path, name: str) -> None:
    (folder / "count.py").write_text(RULES.replace("return 1", "return -1"))
    before = (folder / name).read_bytes()
    assert run("verify", name, "--adopt", cwd=folder).returncode == 1
    assert (folder / name).read_bytes() == before


def test_adopting_handwritten_plan_adds_only_rules_and_play(folder: Path) -> None:
    plan = json.loads((folder / "plan.json").read_text())
    by_hand = {key: value for key, value in plan.items() if key not in ("rules", "play")}
    (folder / "plan.json").write_text(json.dumps(by_hand))
    (folder / "count.py").write_text(OTHER_WORDS)
    assert run("verify", "plan.json", cwd=folder).returncode == 0  # it says of no rules that they made it
    assert json.loads((folder / "plan.json").read_text()) == by_hand
    assert run("verify", "plan.json", "--adopt", cwd=folder).returncode == 0
    adopted = json.loads((folder / "plan.json").read_text())
    assert by_hand.items() <= adopted.items()
    assert adopted.keys() - by_hand.keys() == {"rules", "play"}
    assert read_plan(folder / "plan.json").moves


@pytest.mark.parametrize("name", ["readable.db", "packed.db"])
def test_file_without_play_digest_is_matched_by_its_whole_code(folder: Path, name: str) -> None:
    set_about(folder / name, "play", None)
    set_about(folder / name, "game", f"{folder}/count.py:Count")
    assert run("verify", name, cwd=folder).returncode == 0
    assert run("stats", name, cwd=folder).stdout.split("\n")[0] == "game          count.py:Count"
    (folder / "count.py").write_text(OTHER_PICTURE)
    assert "made by other rules" in run("query", name, cwd=folder).stderr
    assert run("verify", name, "--adopt", cwd=folder).returncode == 0
    assert run("query", name, cwd=folder).returncode == 0
    assert about(folder / name)["game"] == "count.py:Count"


def test_wrong_play_digest_is_refused_and_rules_digest_ignored(folder: Path) -> None:
    for key, status in (("rules", 0), ("play", 4)):
        set_about(folder / "readable.db", key, "0" * 64)
        assert run("query", "readable.db", cwd=folder).returncode == status


KILLED = """
import os, sys
from pathlib import Path
import sqlite3
from solver.proof.verify import adopt_rules

class Small(sqlite3.Connection):
    def execute(self, *words):
        if "sha256" in words[-1]:
            super().execute("pragma cache_size = 1")
            super().execute("update positions set remoteness = remoteness")
            os._exit(9)
        return super().execute(*words)

connect = sqlite3.connect
sqlite3.connect = lambda path: connect(path, factory=Small)
adopt_rules(Path(sys.argv[1]), {"game": "none", "rules": "0" * 64, "play": "0" * 64})
"""
"""Writes with hardly a page in memory, so that pages are on disk before all are changed, and dies."""


@pytest.fixture
def torn(folder: Path) -> Path:
    """A database of which an adoption has died, its journal beside it; `whole.db` is what it was."""
    path = folder / "readable.db"
    set_about(path, "more", "x" * 50_000)  # so that `about` takes more pages than one
    shutil.copy(path, folder / "whole.db")
    assert run(path, cwd=folder, program=KILLED).returncode == 9
    assert path.read_bytes() != (folder / "whole.db").read_bytes()
    assert (folder / "readable.db-journal").stat().st_size
    return path


def test_killed_adoption_is_rolled_back_by_the_next_reader(torn: Path) -> None:
    succeeded(run("stats", torn))
    assert torn.read_bytes() == torn.with_name("whole.db").read_bytes()


def test_journal_naming_another_file_does_not_delete_it(torn: Path) -> None:
    other = torn.with_name("other")
    other.write_text("precious")
    name = str(other).encode()
    trailer = (1).to_bytes(4) + name + len(name).to_bytes(4) + sum(name).to_bytes(4)
    with torn.with_name("readable.db-journal").open("ab") as journal:
        journal.write(trailer + bytes.fromhex("d9d505f920a163d7"))
    refused(4, run("stats", torn))
    assert other.read_text() == "precious"


def test_report_compares_rules_with_different_parameters(folder: Path) -> None:
    made_in(folder / "gained", GAINED, ["solve count.py:Count -o gained.db"])
    result = silent(run("report", "readable.db", "gained/gained.db", cwd=folder))
    assert "|  | A: Count | B: Count last=3 (last=3) |" in result.stdout


def test_refusal_of_certificate_or_site_does_not_advise_adoption(folder: Path) -> None:
    certify = "certify packed.db -o proof"
    made_in(folder, RULES, [certify, f"{certify} --strong", "site packed.db -o site"])
    (folder / "count.py").write_text(OTHER_WORDS)
    for name in ("proof.first", "proof.strong", "site"):
        said = refused(4, run("verify", name, cwd=folder))
        assert said.endswith("solve the game again, or restore the rules\n")
