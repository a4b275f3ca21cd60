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

from solver.plugins import AnyGame, entries, game_class, source_digest

FRAMEWORK = ("abc", "builtins", "typing", "solver.game", "solver.packed")
"""Modules whose classes say no rules."""

UNKNOWN = "unknown"
"""The fingerprint of rules without a source, such as those that were typed in."""


def fingerprint(name: str) -> str:
    """The fingerprint of the game called `name`, or of `rules.py:MyGame`, which is not executed for it."""
    if name not in entries("games"):
        file = name.rpartition(":")[0]
        return source_digest(str(Path(file).resolve())) if Path(file).is_file() else UNKNOWN
    sha = hashlib.sha256()
    for module in sorted(_modules(game_class(name))):
        if path := getattr(sys.modules[module], "__file__", None):
            sha.update(f"{module} {source_digest(path)}\n".encode())
    return sha.hexdigest()


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
