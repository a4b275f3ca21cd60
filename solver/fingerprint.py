"""Which rules made a database: a SHA-256 over their source, so that other rules are not taken for them.

Of a rules file it is that of the file as it was when it was loaded. Of an installed game it is over the
modules that define its class and the classes it inherits from, and those of the same package from which they
take functions and classes. What rules take from elsewhere is not covered.
"""

import hashlib
import sys
from collections.abc import Iterator
from inspect import ismodule
from pathlib import Path

from solver.errors import ChangedRules
from solver.plugins import AnyGame, game_class, installed
from solver.rules_file import is_there, source_digest

FRAMEWORK = ("abc", "builtins", "typing", "solver.game", "solver.packed")
"""Modules whose classes say no rules."""

UNKNOWN = "unknown"
"""The fingerprint of rules without a source, such as those that were typed in."""


def fingerprint(name: str) -> str:
    """The fingerprint of the game called `name`, or of `rules.py:MyGame`, which is not executed for it."""
    if not installed(name):
        file = name.rpartition(":")[0]
        return source_digest(str(Path(file).resolve())) if is_there(file) else UNKNOWN
    sha = hashlib.sha256()
    for module in sorted(_modules(game_class(name))):
        if path := getattr(sys.modules[module], "__file__", None):
            sha.update(f"{module} {source_digest(path)}\n".encode())
    return sha.hexdigest()


def same_rules(name: str, made: str, database: Path) -> str:
    """The name by which the rules that made a database are found, given their name and fingerprint then.

    A rules file may have been moved along with the `database`. Raises `ChangedRules` when the rules that are
    found are others.
    """
    file, colon, kind = name.rpartition(":")
    places = [name] if installed(name) else []
    if colon and not places:
        beside = database.resolve().with_name(Path(file).name or "-")
        places = [f"{path}:{kind}" for path in (Path(file), beside) if is_there(str(path))]
    if not places:
        return name  # which whoever loads it will not find
    found = {fingerprint(place): place for place in reversed(places)}
    if made in found:
        return found[made]
    rules = places[0].rpartition(":")[0] or f"the source of {places[0]}"
    now = fingerprint(places[0])
    raise ChangedRules(
        f"{database} was made by other rules: {rules} has changed since (its SHA-256 is {now[:12]}..., "
        f"it was {made[:12]}...); solve the game again, or restore the rules"
    )


def _modules(kind: type[AnyGame]) -> set[str]:
    """The names of the modules in which the rules of a class of games are written."""
    todo = [each.__module__ for each in kind.__mro__ if each.__module__ not in FRAMEWORK]
    found: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in found and name in sys.modules:
            found.add(name)
            todo += _neighbours(name)
    return found


def _neighbours(name: str) -> Iterator[str]:
    """The modules of the same package from which a module takes something."""
    package = name.rpartition(".")[0]
    for value in list(vars(sys.modules[name]).values()):
        other = value.__name__ if ismodule(value) else getattr(value, "__module__", None)
        if package and isinstance(other, str) and other.rpartition(".")[0] == package:
            yield other
