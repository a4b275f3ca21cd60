"""The wheel, installed into an empty environment, works as the checkout does."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.support.pages import ROOT

WHERE = """
import sysconfig, solver, exporters
print(sysconfig.get_path("purelib"), solver.__file__, exporters.__file__)
"""


def run(*command: object, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    words = [*map(str, command)]
    result = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


def test_wheel_contains_exactly_the_package_files(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = (
        path for package in ("solver", "exporters") for path in (ROOT / package).rglob("*") if path.is_file()
    )
    assert packed == {str(path.relative_to(ROOT)) for path in files if "__pycache__" not in path.parts}
    suffixes = {".py", ".json", ".toml", ".ttf", ".js", ".css", ".html", ".typed"}
    assert {Path(name).suffix for name in packed} >= suffixes


def test_installed_wheel_solves_queries_and_draws(wheel: Path, tmp_path: Path) -> None:
    """Only its dependencies come from the environment of the tests."""
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    program = python.with_name("perfectplay")
    install = ("install", "-q", "--no-deps", "--no-index", wheel)
    run(sys.executable, "-m", "pip", "--python", python, *install, cwd=tmp_path)
    where, *home = run(python, "-c", WHERE, cwd=tmp_path).split()
    Path(where, "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    assert all(path.startswith(str(tmp_path)) for path in home)
    assert "129, 72 of them terminal" in run(
        program, "solve", "mnk", "rows=2", "columns=3", "k=2", cwd=tmp_path
    )
    assert "best move: 0" in run(program, "query", "mnk.db", cwd=tmp_path)
    for picture, begins in (("plan.png", b"\x89PNG"), ("plan.html", b"<!doctype html>")):
        run(program, "plan", "mnk.db", "--for", "x", "-o", picture, cwd=tmp_path)
        assert (tmp_path / picture).read_bytes().startswith(begins)
