"""The wheel: installed into an empty environment, far from the checkout, it does what the checkout does."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.support.pages import ROOT

PACKAGES = ("solver", "exporters")


def run(*command: object, cwd: Path) -> str:
    """What a command prints that ends well."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    found = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


def test_every_file_of_the_packages_is_in_the_wheel_and_none_besides(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file())
    assert packed == {str(path.relative_to(ROOT)) for path in files if "__pycache__" not in path.parts}
    assert {Path(name).suffix for name in packed} >= {
        ".py",
        ".json",
        ".toml",
        ".ttf",
        ".js",
        ".css",
        ".html",
        ".typed",
    }


def test_a_game_is_solved_asked_and_drawn_by_what_the_wheel_installs(wheel: Path, tmp_path: Path) -> None:
    """Only its dependencies come from the environment of the tests."""
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    program = python.with_name("perfectplay")
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        wheel,
        cwd=tmp_path,
    )
    where = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path).strip()
    Path(where, "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    home = run(
        python, "-c", "import solver, exporters; print(solver.__file__, exporters.__file__)", cwd=tmp_path
    )
    assert all(path.startswith(str(tmp_path)) for path in home.split())
    assert "5,478, 958 of them terminal" in run(program, "solve", "tictactoe", cwd=tmp_path)
    assert "best move: 8" in run(program, "query", "tictactoe.db", "xo..x....", cwd=tmp_path)
    for picture, begins in (("plan.png", b"\x89PNG"), ("plan.html", b"<!doctype html>")):
        run(program, "plan", "tictactoe.db", "xo..x....", "--for", "x", "-o", picture, cwd=tmp_path)
        assert (tmp_path / picture).read_bytes().startswith(begins)
