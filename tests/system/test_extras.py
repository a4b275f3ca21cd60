"""Advice on what to install works wherever perfectplay came from, as it names libraries."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import solver
from solver.system.plugins import how_to_install

ROOT = Path(solver.__file__).parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


@pytest.mark.parametrize("extra", [name for name in EXTRAS if name not in ("all", "dev")])
def test_the_libraries_of_an_extra_are_named(extra: str) -> None:
    libraries = {re.split("[^a-z_]", line)[0].replace("_", "-") for line in EXTRAS[extra]}
    assert {*how_to_install(extra).strip("`").split()} == {"pip", "install"} | libraries


def test_no_message_asks_for_perfectplay_from_an_index() -> None:
    for path in (*ROOT.glob("solver/**/*.py"), *ROOT.glob("exporters/**/*.py")):
        constants = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant))
        assert not [node.value for node in constants if "perfectplay[" in str(node.value)], path
