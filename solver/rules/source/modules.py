"""Identifies rules by a SHA-256 over what their source does.

It covers a module and every module that it imports, directly or not, from its own package, subfolders too,
or from the folder of a rules file. Comments, docstrings and the layout of the text do not count
(syntax.py). What rules take from other packages, or import by other means than an import statement, is
not covered.
"""

import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from solver.errors import BrokenRules
from solver.rules.source.syntax import Syntax, syntax_of

MAX_SOURCE_BYTES = 10_000_000
"""No source is longer; what a stranger's file calls its rules may be anything."""

MAX_MODULES = 100
"""Rules do not consist of more."""


ELSEWHERE = sys.stdlib_module_names | {"solver"}
"""What these names mean does not lie beside a rules file, even if something of that name does."""


class Package(NamedTuple):
    """Where rules and the modules that belong to them lie."""

    name: str
    """What the names of its modules begin with; nothing in the folder of a rules file."""
    folder: Path

    def file_of(self, module: str) -> Path | None:
        """The file of a module, given its whole name; None where it is none of the package."""
        name, parts = self.name.split(".") if self.name else [], module.split(".")
        if parts[: len(name)] != name or (not name and parts[0] in ELSEWHERE):
            return None
        place = self.folder.joinpath(*parts[len(name) :])
        files = (place / "__init__.py", place.with_name(f"{place.name}.py"))
        return next((file for file in files if is_there(str(file))), None)


@cache
def source_of(path: str) -> bytes:
    """The source of a file as it was when this process first used it; raises `BrokenRules`."""
    try:
        with Path(path).open("rb") as file:
            found = file.read(MAX_SOURCE_BYTES + 1)
    except OSError as error:
        raise BrokenRules(f"the rules file {path!r} cannot be read: {error.strerror}") from error
    if len(found) > MAX_SOURCE_BYTES:
        raise BrokenRules(
            f"the rules file {path!r} has more than {MAX_SOURCE_BYTES:,} bytes: it should be code"
        )
    return found


def is_there(file: str) -> bool:
    """Whether there is a file of that name, which may be no name of a file at all."""
    try:
        return Path(file).is_file()
    except (OSError, ValueError):
        return False


@cache
def file_fingerprint(path: str) -> str:
    """The fingerprint of the rules file at a whole path, under any name; raises `BrokenRules`."""
    return fingerprint_of(with_imports(Package("", Path(path).parent), "", Path(path)))


def fingerprint_of(modules: dict[str, Path]) -> str:
    """The SHA-256, in hex, over what modules do, given their files by their names."""
    sha = hashlib.sha256()
    for name, file in sorted(modules.items()):
        sha.update(f"{name} {_syntax(file).digest}\n".encode())
    return sha.hexdigest()


def with_imports(package: Package, module: str, file: Path) -> dict[str, Path]:
    """A module and those of the same package that it imports, directly or not, by their names."""
    found, todo = {module: file}, [module]
    while todo:
        one = todo.pop()
        for name in _imported(one, found[one]):
            if name not in found and (place := package.file_of(name)):
                found[name] = place
                todo.append(name)
        if len(found) > MAX_MODULES:
            raise BrokenRules(f"the rules in {str(file)!r} consist of more than {MAX_MODULES} modules")
    return found


def _imported(module: str, file: Path) -> Iterator[str]:
    """The whole names of modules that a module imports, and of the packages in which they are."""
    parts = [*filter(None, module.split("."))]
    for level, name in _syntax(file).imports:
        up = level - (file.name == "__init__.py")
        base = parts[: len(parts) - up] if level else []
        yield from accumulate([*base, *name.split(".")], "{}.{}".format)


@cache
def _syntax(file: Path) -> Syntax:
    return syntax_of(source_of(str(file)))
