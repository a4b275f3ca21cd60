"""Rules that can be printed in part or not at all: what `certify` writes then, and what it says."""

from pathlib import Path

import pytest

from solver import load_game, solve
from solver.analysis.certificates import selection
from solver.analysis.certificates.certificate import read_certificate
from tests.support.certificates import Programs
from tests.support.commandline import call, refusal, succeeded
from tests.support.solved import solved_file

RULES = '''
import numpy as np

from solver.game import Symmetry
from solver.games.mnk import MNK

class Plain(MNK):
    """Two in a row, whose symmetries look at the states that they are asked about."""
    def symmetries(self):
        return tuple(Symmetry(looking(each.state), each.action) for each in super().symmetries())

class Branching(MNK):
    """Two in a row, whose moves look at the states that they are asked about."""
    def result(self, state, action): return super().result(state, action) if np.all(state >= 0) else state

def looking(image):
    return lambda state: image(state) if np.all(state >= 0) else state
'''


SMALL = {"rows": 3, "columns": 3, "k": 2}


def solved_by_rules(name: str, folder: Path) -> Path:
    """The database of a class of `RULES`."""
    rules, path = folder / "rules.py", folder / "game.db"
    rules.write_text(RULES)
    solve(load_game(f"{rules}:{name}", SMALL), path)
    return path


def test_certify_omits_unprintable_symmetries(tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = succeeded(call("certify", solved_by_rules("Plain", tmp_path), "-o", out))
    assert "the symmetries of these rules cannot be printed, and are not used" in said.stderr
    paths = [Path(f"{out}.{side}") for side in ("first", "second")]
    assert Programs(out).statuses([path.read_bytes() for path in paths]) == [[0, 0, 0]] * 2
    for path in paths:
        assert read_certificate(path).symmetries == 0
        assert call("verify", path).exit_code == 0
    call("certify", solved_file("mnk", SMALL), "-o", out)
    assert 7 in [read_certificate(Path(f"{out}.{side}")).symmetries for side in ("first", "second")]


def test_certify_writes_certificates_without_unprintable_rules(tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = succeeded(call("certify", solved_by_rules("Branching", tmp_path), "-o", out))
    assert said.stderr.startswith("the rules are not printed: ")
    assert not (tmp_path / "out.rules.h").exists()
    assert call("verify", f"{out}.first").exit_code == 0


@pytest.mark.parametrize("name", ["Branching", "nim"])
def test_coq_refuses_unprintable_rules(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "certify", None)
    file = solved_file("nim") if name == "nim" else solved_by_rules(name, tmp_path)
    said = refusal(2, "certify", file, "--checker", "coq", "-o", tmp_path / "out.v")
    assert "--checker coq cannot print the rules" in said
