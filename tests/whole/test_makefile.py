"""What `make` would do: the environment is that of the Python that was asked for."""

import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.pages import ROOT


@pytest.mark.parametrize(("made_by", "anew"), [("2.7.18", True), (platform.python_version(), False)])
@pytest.mark.parametrize("target", ["demo", "data", "check"])
def test_an_environment_of_another_python_is_made_anew(
    tmp_path: Path, target: str, made_by: str, anew: bool
) -> None:
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    environment = tmp_path / ".venv"
    (environment / "bin").mkdir(parents=True)
    for name in (
        "bin/python",
        f".made-by-python-{made_by}",
        ".runtime-installed",
        ".fast-installed",
        ".dev-installed",
    ):
        (environment / name).touch()
    said = subprocess.run(
        ["make", "--dry-run", target, f"PYTHON={sys.executable}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (f"{sys.executable} -m venv --clear --without-pip .venv" in said.stdout) == anew
    assert ("pip install --quiet --python .venv" in said.stdout) == anew
