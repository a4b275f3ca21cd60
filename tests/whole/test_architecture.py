"""The source is as docs/architecture.md says."""

import ast
import re
import subprocess
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import networkx as nx

import exporters
import solver

ROOT = Path(solver.__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
TREE = PAGE.split("```text\n")[1].split("```")[0]
SOLVER, EXPORTERS = TREE.split("exporters/")[0], "exporters/" + TREE.split("exporters/", 1)[1]


def folders(path: Path) -> set[str]:
    return {item.parent.name for item in path.glob("*/__init__.py")}


def test_page_lists_every_top_level_folder_and_module() -> None:
    top = Path(solver.__file__).parent
    named = set(re.findall(r"^    (\w+)/ ", SOLVER, re.MULTILINE))
    assert named == folders(top)
    assert set(re.findall(r"\w+\.py", SOLVER)) == {path.name for path in top.glob("*.py")} - {"__init__.py"}
    files = [path.relative_to(top).parts for path in top.rglob("*") if path.is_file()]
    entries = {parts[0] for parts in files if "__pycache__" not in parts}  # a pull leaves caches behind
    assert len(entries - {"__init__.py", "__main__.py"}) <= 16  # these two are Python's own doors


def test_repository_root_has_only_the_expected_entries() -> None:
    if not (ROOT / ".git").exists():
        return  # an archive of the sources
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert {name.partition("/")[0] for name in files.splitlines()} == {
        *(".ci", ".gitignore", "CITATION.cff", "LICENSE", "Makefile", "README.md", "pyproject.toml"),
        *("data", "docs", "exporters", "solver", "tests"),
    }


def test_page_mentions_every_inner_folder() -> None:
    for folder in sorted(folders(Path(solver.__file__).parent)):
        for inner in folders(Path(solver.__file__).parent / folder):
            assert f"{inner}/" in PAGE or f"{inner}.py" in PAGE, f"{folder}/{inner}"
    assert folders(Path(exporters.__file__).parent) == set(re.findall(r"(\w+)/", EXPORTERS)) - {"exporters"}


def test_every_path_on_the_page_exists() -> None:
    for path in re.findall(r"`((?:[a-z_]+/)*[a-z_]+(?:\.py|/))`", PAGE):
        actual = [*ROOT.glob(path), *ROOT.glob(f"solver/**/{path}"), *ROOT.glob(f"tests/**/{path}")]
        assert actual, path


def test_page_lists_folders_in_the_order_of_the_import_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (inside,) = (contract for contract in contracts if contract.get("containers") == ["solver"])
    order = [name for layer in inside["layers"] for name in layer.split(" | ")]
    named = re.findall(r"^    (\w+)/ ", SOLVER, re.MULTILINE)
    assert named == [name for name in order if name in named]


PACKAGES = [Path(solver.__file__).parent, Path(exporters.__file__).parent]
MODULES = sorted(path for package in PACKAGES for path in package.rglob("*.py") if path.name != "__init__.py")


def test_only_catalogue_folders_have_more_than_twelve_modules() -> None:
    sizes = Counter(module.parent for module in MODULES)
    large = {folder for folder, size in sizes.items() if size > 12}
    assert large <= {PACKAGES[0] / "games", PACKAGES[0] / "commands"}


READERS = {"solver.database.readable.reader", "solver.database.packed.reader"}
"""Databases, and the modules that they load only for arrays, and that take a database."""


def imports_of(name: str, module: Path, names: set[str]) -> Iterator[tuple[str, str]]:
    """The imports of one module by another, anywhere in it."""
    for item in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(item, ast.ImportFrom):
            for whole in (f"{item.module}.{alias.name}" for alias in item.names):
                yield name, whole if whole in names else str(item.module)


def test_only_database_readers_have_import_cycles() -> None:
    modules = [module for package in PACKAGES for module in package.rglob("*.py")]
    paths = {".".join(module.relative_to(ROOT).with_suffix("").parts): module for module in modules}
    named = {name.removesuffix(".__init__"): module for name, module in paths.items()}
    graph = nx.DiGraph(pair for name, module in named.items() for pair in imports_of(name, module, {*named}))
    circles = [circle for circle in nx.strongly_connected_components(graph) if len(circle) > 1]
    assert [circle for circle in circles if not circle & READERS] == []


def test_modules_have_at_most_250_lines_and_few_under_40() -> None:
    lines = {str(module): len(module.read_text("utf-8").splitlines()) for module in MODULES}
    assert [module for module, number in lines.items() if number > 250] == []
    small = [module for module, number in lines.items() if number < 40]
    assert len(small) <= 25, small


ALIKE = {"Player"}
"""Classes of one name and one meaning: who plays, with rules and without."""


def test_class_names_are_unique() -> None:
    homes = defaultdict[str, list[str]](list)
    for module in MODULES:
        for item in ast.parse(module.read_text("utf-8")).body:
            if isinstance(item, ast.ClassDef) and not item.name.startswith("_"):
                homes[item.name].append(str(module))
    assert {name: item for name, item in homes.items() if len(item) > 1 and name not in ALIKE} == {}


FILLERS = {"found", "told", "kept", "each"}
"""Names that do not say what they are of."""


def names_in(code: CodeType) -> Iterator[str]:
    """The names of variables, arguments and attributes in code, of functions and classes, too."""
    yield from (code.co_name, *code.co_names, *code.co_varnames, *code.co_cellvars)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def test_no_name_is_a_filler_word() -> None:
    """Rules of games stay as they are: with other names they would be other rules for every file there is."""
    games = Path(solver.__file__).parent / "games"
    for module in [*MODULES, *(ROOT / "tests").rglob("*.py")]:
        if games not in module.parents:
            names = names_in(compile(module.read_text("utf-8"), module, "exec"))
            assert not FILLERS & {name.strip("_").lower() for name in names}, module
