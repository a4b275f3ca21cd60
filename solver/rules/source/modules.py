"""Computes fingerprints of rules: a SHA-256 over the syntax trees of their modules.

It covers a module and every module that it imports, directly or not, from its own package with subfolders,
or from the folder of a rules file. Comments, docstrings and the layout of the text do not count (syntax.py).
Imports from other packages, or by other means than an import statement, are not covered. The fingerprint of
play leaves out definitions that only show, as syntax.py defines them.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from solver.errors import BrokenRules
from solver.rules.source.syntax import NO_TREE, Syntax, digest_of, parsed, showing, syntax_of

MAX_SOURCE_BYTES = 10_000_000
"""The most bytes of a source: a stranger's database may name any file as its rules."""

MAX_MODULES = 100
"""The most modules of one set of rules."""

SAFE = sys.stdlib_module_names | {"numpy", "solver"}
"""Packages that use only those members of rules that decide play, except for `solver.games`."""

ELSEWHERE = sys.stdlib_module_names | {"solver"}
"""Packages that are never imported from a file beside a rules file."""

UNKNOWN = "unknown"
"""The fingerprint of rules without a source, such as those typed in a shell."""

EARLIER = "earlier_rules.json"
"""For each built-in game: its fingerprint of play, and of all code of earlier versions with the same play."""

FRAMEWORK = ("abc", "builtins", "typing", "solver.game", "solver.packed")
"""Modules whose classes contain no rules."""

OWN_GAMES = "solver.games"
"""The package of the built-in games; the package of any other game is its top-level one."""


class Package(NamedTuple):
    """The package that rules and their modules are in."""

    name: str
    """The prefix of the names of its modules; empty for the folder of a rules file."""
    folder: Path

    def file_of(self, module: str) -> Path | None:
        """The file of a module, given its full name; None if it is not in the package."""
        name, parts = self.name.split(".") if self.name else [], module.split(".")
        if parts[: len(name)] != name or (not name and parts[0] in ELSEWHERE):
            return None
        place = self.folder.joinpath(*parts[len(name) :])
        files = (place / "__init__.py", place.with_name(f"{place.name}.py"))
        return next((file for file in files if is_there(str(file))), None)


@cache
def source_of(path: str) -> bytes:
    """The source of a file as this process first read it; raises `BrokenRules`."""
    try:
        with Path(path).open("rb") as file:
            source = file.read(MAX_SOURCE_BYTES + 1)
    except OSError as error:
        raise BrokenRules(f"the rules file {path!r} cannot be read: {error.strerror}") from error
    if len(source) > MAX_SOURCE_BYTES:
        raise BrokenRules(
            f"the rules file {path!r} has more than {MAX_SOURCE_BYTES:,} bytes: it should be code"
        )
    return source


def is_there(file: str) -> bool:
    """Whether there is a file of that name, which may be any text."""
    try:
        return Path(file).is_file()
    except (OSError, ValueError):
        return False


def rules_file(name: str) -> Path | None:
    """The absolute path of a rules file, a path in `.py` or an importable module, not executed; or None."""
    if name.endswith(".py"):
        return Path(name).resolve() if is_there(name) else None
    top = name.partition(".")[0]
    try:
        spec = find_spec(top) if all(map(str.isidentifier, name.split("."))) else None
    except ValueError:  # a module without a spec, such as __main__
        return None
    if spec and spec.submodule_search_locations:  # a package, perhaps without __init__.py
        places = (Package(top, Path(folder)).file_of(name) for folder in spec.submodule_search_locations)
        return next(filter(None, places), None)
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


@dataclass(frozen=True)
class Fingerprint:
    """The fingerprints of rules, of all code and of the code that decides play, each a SHA-256 in hex."""

    modules: dict[str, Path] = field(repr=False)
    """The files of their modules, by name; empty if the rules have no source."""

    @cached_property
    def code(self) -> str:
        """The fingerprint of all code; `UNKNOWN` without a source."""
        digests = {name: _syntax(file).digest for name, file in self.modules.items()}
        return _sha256(digests) if digests else UNKNOWN

    @cached_property
    def play(self) -> str:
        """The fingerprint of what decides play, and the text of positions and moves.

        It equals `code` if a module cannot be parsed, or if the rules import a module that is not covered and
        may use members that only show.
        """
        imported = (name for one, file in self.modules.items() for name in _imported(one, file))
        if not self.modules or any(_is_foreign(name, self.modules) for name in imported):
            return self.code
        try:
            trees = {name: parsed(source_of(str(file))) for name, file in self.modules.items()}
            left_out = showing(trees.values())
            digests = {name: _syntax(file).digest for name, file in self.modules.items()}
            for name, tree in trees.items():
                if left_out.intersection(part for kind in tree.body for part in getattr(kind, "body", ())):
                    digests[name] = digest_of(tree, left_out)
            return _sha256(digests)
        except NO_TREE:
            return self.code

    def knows(self, made: object) -> bool:
        """Whether `made` is the fingerprint, of either kind, of rules with the same play."""
        if made == self.play or made == self.code:
            return True
        table = json.loads(Path(__file__).with_name(EARLIER).read_text("utf-8"))
        return any(made in entry["code"] for entry in table.values() if entry["play"] == self.play)


@cache
def fingerprint_of_class(rules: type) -> Fingerprint:
    """The fingerprint of the modules of a class of games and of its base classes; raises `BrokenRules`."""
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


@cache
def fingerprint_of_file(path: str) -> Fingerprint:
    """The fingerprint of the rules file at an absolute path; raises `BrokenRules`."""
    return Fingerprint(modules_of(Path(path)))


def needs_package(path: str) -> bool:
    """Whether the rules file at an absolute path has relative imports, so that it is loaded as a module."""
    return any(relative for relative, _ in _syntax(Path(path)).imports)


def file_fingerprint(path: str) -> str:
    """The fingerprint of all code of the rules file at an absolute path; raises `BrokenRules`."""
    return fingerprint_of_file(path).code


def modules_of(path: Path) -> dict[str, Path]:
    """The rules file at an absolute path, under an empty name, and the modules beside it that it imports."""
    return with_imports(Package("", path.parent), "", path)


def _sha256(digests: dict[str, str]) -> str:
    lines = (f"{name} {digest}\n" for name, digest in sorted(digests.items()))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _is_foreign(module: str, covered: dict[str, Path]) -> bool:
    """Whether a module, given its full name, is not covered and may use members of rules that only show."""
    package, _, rest = module.partition(".")
    if package == "solver" and rest.startswith("games."):
        return not any(name.startswith("solver.games.") for name in covered)
    return package not in SAFE and package not in {name.partition(".")[0] for name in covered}


@cache
def with_imports(package: Package, module: str, file: Path) -> dict[str, Path]:
    """The files, by name, of a module and of those in its package that it imports, directly or not."""
    modules, todo = {module: file}, [module]
    while todo:
        importer = todo.pop()
        for name in _imported(importer, modules[importer]):
            if name not in modules and (place := package.file_of(name)):
                modules[name] = place
                todo.append(name)
        if len(modules) > MAX_MODULES:
            raise BrokenRules(f"the rules in {str(file)!r} consist of more than {MAX_MODULES} modules")
    return modules


def _imported(module: str, file: Path) -> Iterator[str]:
    """The full names of the modules that a module imports, and of their packages."""
    parts = [*filter(None, module.split("."))]
    for level, name in _syntax(file).imports:
        up = level - (file.name == "__init__.py")
        base = parts[: len(parts) - up] if level else []
        yield from accumulate([*base, *name.split(".")], "{}.{}".format)


@cache
def _syntax(file: Path) -> Syntax:
    return syntax_of(source_of(str(file)))
