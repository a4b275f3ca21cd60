"""Imports the modules that lie beside a rules file, from the sources that the fingerprint covers."""

import sys
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from traceback import walk_tb
from types import ModuleType

from solver.errors import BrokenRules, told
from solver.rules.source.modules import source_of


def execute(path: str, module: ModuleType) -> None:
    """Execute the source of a file as a module.

    Python's own loader would execute a file in `__pycache__` beside it, which no fingerprint covers.
    """
    _executed.add(module.__name__)
    exec(compile(source_of(path), path, "exec", dont_inherit=True), module.__dict__)


_executed: set[str] = set()
"""The names of the modules of rules files and of those beside them."""


def raised(error: BaseException) -> str:
    """The kind of an exception and its message, and the line of a rules file that raised it, if one did."""
    lines = [
        f" ({Path(frame.f_code.co_filename).name}, line {line})"
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") in _executed
    ]
    return f"{told(error)}{lines[-1] if lines else ''}"


class _Neighbours(MetaPathFinder, Loader):
    """Finds modules by their full names, each in one file."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module that lies beside a rules file; None for any other."""
        file = self.files.get(fullname)
        if file is None:
            return None
        inside: list[str] | None = [] if Path(file).name == "__init__.py" else None
        return spec_from_file_location(fullname, file, loader=self, submodule_search_locations=inside)

    def exec_module(self, module: ModuleType) -> None:
        """Execute a module."""
        execute(self.files[module.__name__], module)


_neighbours = _Neighbours()


def allow_imports(modules: Mapping[str, Path]) -> None:
    """Have modules imported from these files, given by their full names.

    Raises `BrokenRules` if a name is that of a module from another file already.
    """
    for name, path in modules.items():
        known = _neighbours.files.get(name, str(path))
        loaded = getattr(sys.modules[name], "__file__", "built in") if name in sys.modules else known
        if {known, loaded} != {str(path)}:
            raise BrokenRules(f"{str(path)!r} needs another name: another module {name!r} is loaded already")
    _neighbours.files |= {name: str(path) for name, path in modules.items()}
    if _neighbours not in sys.meta_path:
        sys.meta_path.insert(0, _neighbours)
