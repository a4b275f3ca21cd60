"""Executes a rules file: Python code with a game or a player found by its name.

A module that can be imported is one, too. A file is read once in a process, so the code that is executed is
the code that the fingerprint covers.
"""

import sys
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from solver.errors import BrokenRules, SolverError
from solver.rules.source import trust
from solver.rules.source.modules import Package, file_fingerprint, is_there, rules_file, with_imports
from solver.rules.source.neighbours import allow_imports, execute, raised
from solver.system.names import names_instead


def from_file(name: str, unknown: type[SolverError], *, trusted: bool = True) -> Any:
    """The object that `FILE.py:NAME` or `MODULE:NAME` names; raises `unknown` if there is none.

    Raises `BrokenRules` if the file fails, and `UntrustedRules` if it has not run before, unless it is
    `trusted`, as one that the user names.
    """
    file, _, attribute = name.rpartition(":") if ":" in name else (name, "", "")
    if (place := rules_file(file)) is None:
        if is_there(file):
            raise unknown(f"{file!r} is not a Python file: its name should end in .py")
        raise unknown(f"there is no rules file {file!r}")
    path = str(place)
    if trusted:
        trust.note(file_fingerprint(path), path)
    else:
        trust.require(file_fingerprint(path), path)
    try:
        module = _module(path) if file.endswith(".py") else import_module(file)
        found = getattr(module, attribute, None)
    except SolverError:
        raise
    except Exception as error:
        raise BrokenRules(f"the rules file {file!r} fails: {raised(error)}") from error
    if found is None:
        has = [each for each, kind in vars(module).items() if _is_class_of(module, kind)]
        instead = f"; {names_instead(attribute, has, 'it has')}" if has else ""
        lacks = f"has no class {attribute!r}" if attribute else "should be named with its class"
        raise unknown(f"the rules file {file!r} {lacks}{instead}")
    return found


def _is_class_of(module: Any, found: Any) -> bool:
    """Return whether `found` is a class that the module defines, not one that it imports."""
    return isinstance(found, type) and found.__module__ == module.__name__


@cache
def _module(path: str) -> Any:
    """The executed rules file, a module named by its path, so that two files may share a name.

    The name has no dots, which would be packages, so that states of its classes can be pickled. Modules that
    it imports may lie beside it.
    """
    name = path.replace("%", "%25").replace(".", "%2E")
    spec = spec_from_file_location(name, path)
    assert spec is not None  # as its name ends in .py
    module = module_from_spec(spec)
    beside = with_imports(Package("", Path(path).parent), "", Path(path))
    allow_imports({each: file for each, file in beside.items() if each})
    sys.modules[name] = module
    try:
        execute(path, module)
    except KeyboardInterrupt:
        del sys.modules[name]
        raise
    except BaseException as error:
        del sys.modules[name]
        raise BrokenRules(f"the rules file {path!r} fails: {raised(error)}") from error
    return module
