"""What the page on the architecture says is there, is there, and nothing else."""

import re
import tomllib
from pathlib import Path

import exporters
import solver

ROOT = Path(solver.__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
TREE = PAGE.split("```text\n")[1].split("```")[0]
SOLVER, EXPORTERS = TREE.split("exporters/")[0], "exporters/" + TREE.split("exporters/", 1)[1]


def folders(path: Path) -> set[str]:
    return {each.parent.name for each in path.glob("*/__init__.py")}


def test_every_folder_and_module_at_the_top_is_on_the_page() -> None:
    top = Path(solver.__file__).parent
    named = set(re.findall(r"^    (\w+)/ ", SOLVER, re.MULTILINE))
    assert named == folders(top)
    assert set(re.findall(r"\w+\.py", SOLVER)) == {each.name for each in top.glob("*.py")} - {"__init__.py"}
    assert len(list(top.glob("[a-z]*"))) <= 16


def test_every_folder_within_is_told_of() -> None:
    for folder in sorted(folders(Path(solver.__file__).parent)):
        for inner in folders(Path(solver.__file__).parent / folder):
            assert f"{inner}/" in PAGE or f"{inner}.py" in PAGE, f"{folder}/{inner}"
    assert folders(Path(exporters.__file__).parent) == set(re.findall(r"(\w+)/", EXPORTERS)) - {"exporters"}


def test_every_path_on_the_page_is_there() -> None:
    for path in re.findall(r"`((?:[a-z_]+/)*[a-z_]+(?:\.py|/))`", PAGE):
        found = [*ROOT.glob(path), *ROOT.glob(f"solver/**/{path}"), *ROOT.glob(f"tests/**/{path}")]
        assert found, path


def test_the_page_has_the_order_of_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (inside,) = (each for each in contracts if each.get("containers") == ["solver"])
    order = [name for layer in inside["layers"] for name in layer.split(" | ")]
    named = re.findall(r"^    (\w+)/ ", SOLVER, re.MULTILINE)
    assert named == [name for name in order if name in named]


def test_no_folder_but_the_catalogues_has_more_than_twelve_modules() -> None:
    packages = [Path(solver.__file__).parent, Path(exporters.__file__).parent]
    for folder in (each.parent for package in packages for each in package.rglob("__init__.py")):
        if folder.name not in ("games", "commands"):
            assert len([each for each in folder.glob("*.py") if each.name != "__init__.py"]) <= 12, folder
