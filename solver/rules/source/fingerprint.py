"""The fingerprint of rules, by which a database recognises the rules that made it.

It covers the module of an installed game's class and of each base class, or the rules file; and the modules
that these import, as `solver.rules.source.modules` defines.
"""

import sys
from functools import cache
from pathlib import Path

from solver.game import AnyGame
from solver.rules.loading import game_class, installed
from solver.rules.source.modules import Fingerprint, Package, fingerprint_of_file, rules_file, with_imports

FRAMEWORK = ("abc", "builtins", "typing", "solver.game", "solver.packed")
"""Modules whose classes contain no rules."""

OWN_GAMES = "solver.games"
"""The package of the built-in games; the package of any other game is its top-level one."""


def fingerprint(name: str) -> Fingerprint:
    """The fingerprint of the game called `name`, or of `rules.py:MyGame`, which is not executed."""
    if installed(name):
        return _of_class(game_class(name))
    path = rules_file(name.rpartition(":")[0])
    return fingerprint_of_file(str(path)) if path else Fingerprint({})


@cache
def _of_class(rules: type[AnyGame]) -> Fingerprint:
    modules = dict[str, Path]()
    for name in {base.__module__ for base in rules.__mro__}.difference(FRAMEWORK):
        if file := getattr(sys.modules[name], "__file__", None):
            modules |= with_imports(_package_of(name, Path(file)), name, Path(file))
    return Fingerprint(modules)


def _package_of(module: str, file: Path) -> Package:
    inside = OWN_GAMES if module.startswith(f"{OWN_GAMES}.") else module.partition(".")[0]
    below = module.count(".") - inside.count(".")  # the depth of the module in the package
    folder = file.parent if file.name == "__init__.py" else file.with_suffix("")
    return Package(inside, [folder, *folder.parents][below])
