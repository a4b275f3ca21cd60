"""The fingerprint of rules, by which a database recognises the rules that made it.

For an installed game it covers the module of its class and those of the classes it inherits from, for a rules
file the file; and the modules that these import, as `solver.rules.source.modules` defines.
"""

import sys
from pathlib import Path

from solver.errors import ChangedRules
from solver.game import AnyGame
from solver.rules.loading import game_class, installed
from solver.rules.source.modules import Package, file_fingerprint, fingerprint_of, is_there, with_imports

FRAMEWORK = ("abc", "builtins", "typing", "solver.game", "solver.packed")
"""Modules whose classes have no rules."""

OWN_GAMES = "solver.games"
"""The package of the games that come along; of other modules the top-level package counts."""

UNKNOWN = "unknown"
"""The fingerprint of rules without a source, such as those typed in a shell."""


def fingerprint(name: str) -> str:
    """The fingerprint of the game called `name`, or of `rules.py:MyGame`, which is not executed."""
    if installed(name):
        return fingerprint_of(_of_class(game_class(name)))
    file = name.rpartition(":")[0]
    return file_fingerprint(str(Path(file).resolve())) if is_there(file) else UNKNOWN


def same_rules(name: str, made: str, database: Path) -> str:
    """The name under which the rules that made a database are found, given their stored name and fingerprint.

    A rules file may have been moved along with the `database`. Raises `ChangedRules` if only other rules are
    found.
    """
    file, colon, kind = name.rpartition(":")
    places = [name] if installed(name) else []
    if colon and not places:
        beside = database.resolve().with_name(Path(file).name or "-")
        places = [f"{path}:{kind}" for path in (Path(file), beside) if is_there(str(path))]
    if not places:
        return name  # loading it will fail
    found = {fingerprint(place): place for place in reversed(places)}
    if made in found:
        return found[made]
    rules = places[0].rpartition(":")[0] or f"the source of {places[0]}"
    now = fingerprint(places[0])
    raise ChangedRules(
        f"{database} was made by other rules: {rules} has changed since (its SHA-256 is {now[:12]}..., "
        f"it was {made[:12]}...); solve the game again, or restore the rules"
    )


def _of_class(kind: type[AnyGame]) -> dict[str, Path]:
    """The source modules of an installed class of games, by name."""
    found = dict[str, Path]()
    for name in {each.__module__ for each in kind.__mro__}.difference(FRAMEWORK):
        if file := getattr(sys.modules[name], "__file__", None):
            found |= with_imports(_package_of(name, Path(file)), name, Path(file))
    return found


def _package_of(module: str, file: Path) -> Package:
    """The package of an installed module."""
    inside = OWN_GAMES if module.startswith(f"{OWN_GAMES}.") else module.partition(".")[0]
    below = module.count(".") - inside.count(".")  # folders, of which a package's own file has one more
    folder = file.parent if file.name == "__init__.py" else file.with_suffix("")
    return Package(inside, [folder, *folder.parents][below])
