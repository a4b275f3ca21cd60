"""The fingerprint of rules, by which a database recognises the rules that made it.

For an installed game it covers the module of its class and those of the classes it inherits from, for a rules
file the file; and the modules that these import, as `solver.rules.source.modules` defines.
"""

import json
import sys
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from solver.game import AnyGame
from solver.rules.loading import game_class, installed
from solver.rules.source.modules import (
    Package,
    fingerprint_of,
    modules_of,
    play_fingerprint_of,
    rules_file,
    with_imports,
)

FRAMEWORK = ("abc", "builtins", "typing", "solver.game", "solver.packed")
"""Modules whose classes have no rules."""

OWN_GAMES = "solver.games"
"""The package of the games that come along; of other modules the top-level package counts."""

UNKNOWN = "unknown"
"""The fingerprint of rules without a source, such as those typed in a shell."""

EARLIER = "earlier_rules.json"
"""By game that comes along: its fingerprint of play, and of all code at earlier states with the same play."""


@dataclass(frozen=True)
class Fingerprint:
    """The fingerprint of rules: of all their code, and of what in it decides play."""

    modules: dict[str, Path] = field(repr=False)
    """Their modules, as files by name; none if they have no source."""

    @cached_property
    def code(self) -> str:
        """The fingerprint of all code."""
        return fingerprint_of(self.modules) if self.modules else UNKNOWN

    @cached_property
    def play(self) -> str:
        """The fingerprint of what decides play, and the text of positions and moves."""
        return play_fingerprint_of(self.modules) if self.modules else UNKNOWN

    def knows(self, made: object) -> bool:
        """Whether `made` is the fingerprint, of either kind, of rules with the same play."""
        if made == self.play or made == self.code:
            return True
        table = json.loads(Path(__file__).with_name(EARLIER).read_text("utf-8"))
        return any(made in known["code"] for known in table.values() if known["play"] == self.play)


def fingerprint(name: str) -> Fingerprint:
    """The fingerprint of the game called `name`, or of `rules.py:MyGame`, which is not executed."""
    if installed(name):
        return _of_class(game_class(name))
    path = rules_file(name.rpartition(":")[0])
    return _of_file(path) if path else Fingerprint({})


@cache
def _of_file(path: Path) -> Fingerprint:
    return Fingerprint(modules_of(path))


@cache
def _of_class(rules: type[AnyGame]) -> Fingerprint:
    modules = dict[str, Path]()
    for name in {base.__module__ for base in rules.__mro__}.difference(FRAMEWORK):
        if file := getattr(sys.modules[name], "__file__", None):
            modules |= with_imports(_package_of(name, Path(file)), name, Path(file))
    return Fingerprint(modules)


def _package_of(module: str, file: Path) -> Package:
    inside = OWN_GAMES if module.startswith(f"{OWN_GAMES}.") else module.partition(".")[0]
    below = module.count(".") - inside.count(".")  # folders, of which a package's own file has one more
    folder = file.parent if file.name == "__init__.py" else file.with_suffix("")
    return Package(inside, [folder, *folder.parents][below])
