"""Plug-ins: the entry points of installed packages, similar names, and missing extras."""

import ast
import importlib.metadata
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.system import plugins
from tests.support.commandline import python
from tests.support.pages import ROOT


def listed() -> dict[str, list[tuple[str, str]]]:
    tables = plugins.installed_entries().items()
    return {group: [(name, item.value) for name, item in table.items()] for group, table in tables}


def expected() -> dict[str, list[tuple[str, str]]]:
    """The names and values of each group, of several alike the first on the path."""
    tables: dict[str, dict[str, str]] = {group: {} for group in plugins.GROUPS}
    for group, table in tables.items():
        for entry in importlib.metadata.entry_points(group=f"perfectplay.{group}"):
            table.setdefault(entry.name, entry.value)
    return {group: sorted(table.items()) for group, table in tables.items()}


@pytest.fixture
def anew() -> Iterator[None]:
    plugins.installed_entries.cache_clear()
    yield
    plugins.installed_entries.cache_clear()


def installed(folder: Path, table: bytes) -> Path:
    folder.mkdir(parents=True)
    (folder / "entry_points.txt").write_bytes(table)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {folder.stem}\nVersion: 1\n")
    return folder.parent


def test_entries_match_those_of_importlib_metadata(anew: None) -> None:
    assert listed() == expected()
    assert ("nim", "solver.games.nim:Nim") in listed()["games"]


TABLE = b"""
# a comment
[console_scripts]
coins = coins:main

[perfectplay.games]
coins=coins:Coins
 apart = other.place : Apart [extra]
nim = mine:Nim
[perfectplay.players]
lucky = coins:Lucky
[perfectplay.nothing]
odd = coins:Odd
"""


@pytest.mark.parametrize("name", ["coins-1.0.dist-info", "coins.egg-info"])
def test_packages_in_any_folder_of_the_path_are_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anew: None
) -> None:
    monkeypatch.syspath_prepend(installed(tmp_path / "first" / name, TABLE))
    other = TABLE.replace(b"coins:Coins", b"late:Coins").replace(b"lucky", b"luckier")
    last = installed(tmp_path / "last" / f"other{name}", other)
    monkeypatch.setattr(sys, "path", [*sys.path, str(last), "nowhere"])
    assert listed() == expected()
    assert listed()["games"][0] == ("apart", "other.place : Apart [extra]")
    assert ("coins", "coins:Coins") in listed()["games"]
    assert ("nim", "mine:Nim") in listed()["games"]
    assert [name for name, _ in listed()["players"] if "luck" in name] == ["luckier", "lucky"]


def test_unreadable_table_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anew: None) -> None:
    before = listed()
    plugins.installed_entries.cache_clear()
    table = b"[perfectplay.games]\n\xff = x:Y\n"
    monkeypatch.syspath_prepend(installed(tmp_path / "a" / "odd.dist-info", table))
    assert listed() == before


def test_query_does_not_import_importlib_metadata() -> None:
    code = "import sys; import solver.commands.query; print('importlib.metadata' in sys.modules)"
    assert python(code).stdout == "False\n"


@pytest.mark.parametrize("group", ["games", "players", "commands", "exporters"])
def test_alike_finds_names_with_one_wrong_letter(group: str) -> None:
    names = list(plugins.entries(group))
    for name in (item for item in names if len(item) >= 4):
        for at in range(len(name)):
            for mistyped in (name[:at] + name[at + 1 :], name[:at] + "?" + name[at + 1 :], name.upper()):
                likely = plugins.alike(mistyped, names)
                assert name in likely or name.startswith(likely[0]), mistyped


def test_names_instead_lists_all_and_suggests_likely_names() -> None:
    assert plugins.names_instead("zzz", ["nim", "kayles"]) == "there are nim, kayles"
    assert plugins.names_instead("", ["nim"]) == "there is nim"
    assert plugins.names_instead("nin", ["nim", "kayles"]) == "there are nim, kayles; did you mean nim?"
    assert plugins.names_instead("rwos", ["rows", "k"], "it has") == "it has rows, k; did you mean rows?"
    assert plugins.names_instead("x", ["nim"], end=", or your own") == "there is nim, or your own"


def test_alike_ignores_very_long_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("difflib.SequenceMatcher.ratio")  # whose time grows with the square of the length
    assert plugins.alike("x" * 100_000, ["nim", "y" * 100_000]) == []


EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


@pytest.mark.parametrize("extra", [name for name in EXTRAS if name not in ("all", "dev")])
def test_how_to_install_names_the_libraries_of_an_extra(extra: str) -> None:
    libraries = {re.split("[^a-z_]", line)[0].replace("_", "-") for line in EXTRAS[extra]}
    assert {*plugins.how_to_install(extra).strip("`").split()} == {"pip", "install"} | libraries


def test_messages_do_not_name_extras_of_perfectplay() -> None:
    for path in (*ROOT.glob("solver/**/*.py"), *ROOT.glob("exporters/**/*.py")):
        constants = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant))
        assert not [node.value for node in constants if "perfectplay[" in str(node.value)], path


def test_without_hides_a_module_only_in_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    with plugins.without("colorsys"), pytest.raises(ImportError):
        import colorsys
    import colorsys

    assert colorsys.rgb_to_hls(0, 0, 0) == (0, 0, 0)


def test_without_does_not_hide_an_imported_module() -> None:
    with plugins.without("sys"):
        import sys as again
    assert again is sys is sys.modules["sys"]
