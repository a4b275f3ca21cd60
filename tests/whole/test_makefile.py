"""The Makefile's environment is that of the requested Python."""

import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.pages import ROOT


@pytest.mark.parametrize(("made_by", "anew"), [("2.7.18", True), (platform.python_version(), False)])
@pytest.mark.parametrize("target", ["demo", "data", "check"])
def test_venv_of_another_python_is_recreated(tmp_path: Path, target: str, made_by: str, anew: bool) -> None:
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name in ("bin/python", f".made-by-python-{made_by}"):
        (tmp_path / ".venv" / name).touch()
    for group in ("runtime", "fast", "dev"):
        (tmp_path / ".venv" / f".{group}-installed").touch()
    command = ["make", "--dry-run", target, f"PYTHON={sys.executable}"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert (f"{sys.executable} -m venv --clear --without-pip .venv" in said) == anew
    assert ("pip install --quiet --python .venv" in said) == anew
