"""Executes rules files: Python files or importable modules, with a game or a player that is found by name.

A process reads a file once, so it executes the code that the fingerprint covers. This holds for the modules
that a rules file imports from its folder, too: their `__pycache__` is not used.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isabstract
from pathlib import Path
from traceback import walk_tb
from types import CodeType, ModuleType
from typing import Any, ClassVar

from solver.errors import BrokenRules, SolverError, summary_of
from solver.rules.source import trust
from solver.rules.source.modules import is_there, modules_of, needs_package, rules_file, source_of
from solver.system.plugins import names_instead
from solver.system.terminal import Printing


class _Source(SourceFileLoader):
    """Executes the source of a file, never a file in `__pycache__` beside it, which no fingerprint covers."""

    def get_code(self, fullname: str) -> CodeType:
        _executed.add(fullname)
        code: CodeType = compile(source_of(self.path), self.path, "exec", dont_inherit=True)
        return code

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["print"] = _print
        super().exec_module(module)


def _print(*values: object, **options: Any) -> None:
    """Print, in the program to standard error: its standard output is for the answer of the command."""
    if isinstance(sys.stdout, Printing):
        options = {"file": sys.stderr} | options
    print(*values, **options)


_executed: set[str] = set()
"""The names of executed modules: of rules files, and of modules beside them."""

_unguarded: set[str] = set()
"""The names of rules files that load their own rules while they are executed."""

UNGUARDED = 'it solves or asks its own game when it is loaded: put that under `if __name__ == "__main__":`'
"""The fault of such files."""


def raised(error: BaseException) -> str:
    """The kind of an exception and its message, and the line of a rules file that raised it, if one did."""
    lines = [
        f" ({Path(frame.f_code.co_filename).name}, line {line})"
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") in _executed and frame.f_code.co_filename.endswith(".py")
    ]
    return f"{summary_of(error)}{lines[-1] if lines else ''}"


class _Neighbours:
    """An import finder of modules whose files are given by full name."""

    files: ClassVar[dict[str, str]] = {}

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = cls.files.get(fullname)
        return spec_from_file_location(fullname, file, loader=_Source(fullname, file)) if file else None


def allow_imports(modules: Mapping[str, Path]) -> None:
    """Make modules importable from these files; raises `BrokenRules` if another file has one of the names."""
    for name, path in modules.items():
        expected = _Neighbours.files.get(name, str(path))
        loaded = getattr(sys.modules[name], "__file__", "built in") if name in sys.modules else expected
        if {expected, loaded} != {str(path)}:
            raise BrokenRules(f"{str(path)!r} needs another name: another module {name!r} is loaded already")
    _Neighbours.files |= {name: str(path) for name, path in modules.items()}
    if _Neighbours not in sys.meta_path:
        sys.meta_path.insert(0, _Neighbours)


def from_file(name: str, unknown: type[SolverError], method: str, *, trusted: bool = True) -> Any:
    """The object that `FILE.py:NAME` or `MODULE:NAME` names; raises `unknown` if there is none.

    Raises `BrokenRules` if the file fails, and `UntrustedRules` if it has not run before, unless it is
    `trusted`, as a file that the user names is. The user may also name a file alone, if it has one class, or
    one with this method.
    """
    file, _, attribute = name.rpartition(":") if ":" in name else (name, "", "")
    if (place := rules_file(file)) is None:
        if is_there(file):
            raise unknown(f"{file!r} is not a Python file: its name should end in .py")
        raise unknown(f"there is no rules file {file!r}")
    path = str(place)
    if trusted:
        _refuse_changed(place)
        trust.note(path)
    else:
        trust.require(path)
    try:
        module = _module(path, "" if file.endswith(".py") else file)
        member = getattr(module, attribute, None)
    except SolverError:
        raise
    except Exception as error:
        raise BrokenRules(f"the rules file {file!r} fails: {raised(error)}") from error
    if member is None:
        kinds = {name: value for name, value in vars(module).items() if isinstance(value, type)}
        has = [name for name, value in kinds.items() if value.__module__ == module.__name__]
        games = [name for name in has if hasattr(kinds[name], method) and not isabstract(kinds[name])]
        has = games or has
        if trusted and not attribute and len(has) == 1:
            return kinds[has[0]]
        instead = f"; {names_instead(attribute, has, 'it has')}" if has else ""
        unnamed = "should be named with its class" if has else "has no class of its own"
        lacks = f"has no class {attribute!r}" if attribute else unnamed
        raise unknown(f"the rules file {file!r} {lacks}{instead}")
    return member


def _refuse_changed(path: Path) -> None:
    """Raise `BrokenRules` if a file of these rules differs from the source that this process has read."""
    for file in modules_of(path).values():
        if is_there(str(file)) and file.read_bytes() != source_of(str(file)):
            again = "start a new process (in a notebook, restart the kernel)"
            raise BrokenRules(f"{str(file)!r} has changed since this process read it: {again}")


@cache
def _module(path: str, importable: str) -> Any:
    """The executed module of a rules file, which Python imports if it has an `importable` name.

    Otherwise its name is the path, so that two files may share a file name. Dots in it are escaped, as pickle
    would take what is before them for packages. A script that is running is not executed again.
    """
    main = sys.modules["__main__"]
    if Path(getattr(main, "__file__", None) or "").resolve() == Path(path):
        return main
    if importable:
        _executed.add(importable)
        return import_module(importable)
    name = path.replace("%", "%25").replace(".", "%2E")
    if name in sys.modules:
        _unguarded.add(name)
        raise BrokenRules(UNGUARDED)
    loader = _Source(name, path)
    spec = spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = module_from_spec(spec)
    allow_imports({name: file for name, file in modules_of(Path(path)).items() if name})
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except KeyboardInterrupt:
        del sys.modules[name]
        raise
    except BaseException as error:
        del sys.modules[name]
        why = UNGUARDED if name in _unguarded else raised(error)
        if isinstance(error, ImportError) and needs_package(path):
            why += "; name it as a module of its package, MODULE:CLASS"
        raise BrokenRules(f"the rules file {path!r} fails: {why}") from error
    return module
