"""Syntax trees of rules: their digests, their imports, and the definitions that only show.

Comments, docstrings and the layout of the text are not part of the tree. It is serialized here, since
`ast.dump` differs between versions of Python: a node is the name of its class and those of its fields that
are neither None nor empty, in order.

A definition only shows if pictures and searches use it and play does not. It counts as play if code that
decides play may reach it: by its name as an attribute, in a text or in the body of a class, through a
decorator, or through names that are only known at run time.
"""

import ast
import hashlib
from collections.abc import Callable, Iterable, Iterator, Set
from functools import lru_cache
from typing import Any, NamedTuple

MAX_PARSED_BYTES = 300_000
"""The most bytes of a source that is parsed; parsing takes up to 500 times as much memory."""

SPELLING = frozenset({"kind", "type_comment", "type_ignores"})
"""Fields about spelling alone."""


class Syntax(NamedTuple):
    """The digest and the imports of a module."""

    digest: str
    """The SHA-256, in hex, over the tree."""
    imports: frozenset[tuple[int, str]]
    """For each module, or member of one, that an import statement names: the number of dots, and the name."""


NO_TREE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""The exceptions for a source that cannot be parsed, or whose tree is too deep to be serialized."""


def syntax_of(source: bytes) -> Syntax:
    """Digest and imports of a module; a source that is too long, or not Python, is digested as bytes."""
    try:
        tree = parsed(source)
        return Syntax(digest_of(tree), frozenset(_imports(tree)))
    except NO_TREE:
        return Syntax(hashlib.sha256(source).hexdigest(), frozenset())


@lru_cache(maxsize=16)
def parsed(source: bytes) -> ast.Module:
    """The syntax tree of a module, not to be changed; raises one of `NO_TREE`."""
    if len(source) > MAX_PARSED_BYTES:
        raise ValueError("too long")
    return ast.parse(source)


def digest_of(tree: ast.Module, left_out: Set[ast.AST] = frozenset()) -> str:
    """The SHA-256, in hex, over a tree without the statements that are left out; raises one of `NO_TREE`."""
    parts = list[str]()
    _write(tree, parts.append, left_out)
    return hashlib.sha256("".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _write(value: Any, write: Callable[[str], None], left_out: Set[ast.AST]) -> None:
    """Serialize a node, a list of nodes or a constant by `write`; parentheses delimit nodes and lists."""
    if isinstance(value, ast.AST):
        write(f"({type(value).__name__}")
        for name in value._fields:
            inner = getattr(value, name, None)
            if isinstance(inner, list):
                inner = [node for node in inner if not (node in left_out or _is_idle(node, value))]
            if name not in SPELLING and inner is not None and inner != []:
                write(f" {name}=")
                _write(inner, write, left_out)
        write(")")
    elif isinstance(value, list):
        write("[")
        for item in value:
            _write(item, write, left_out)
        write("]")
    else:
        write(f"{type(value).__name__}:{value!r}")


def _is_idle(node: Any, parent: ast.AST) -> bool:
    """Whether a node is `pass`, a docstring or other constant, or an empty part of an f-string."""
    if isinstance(parent, ast.JoinedStr):
        return isinstance(node, ast.Constant) and node.value == ""
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            yield from ((node.level, f"{base}.{alias.name}".strip(".")) for alias in node.names)


SHOWING = {"show", "board", "cell_names", "look", "title"} | {
    *("evaluate", "evaluation_terms", "states_at_most")
}
"""The members of a game on which neither play nor the text of positions and moves depends."""

AT_RUN_TIME = frozenset(
    {"eval", "exec", "globals", "locals", "importlib", "__import__", "inspect", "getmembers", "__dict__"}
    | {"dir", "vars", "hasattr", "getattr", "setattr", "delattr", "attrgetter", "methodcaller"}
    | {"__getattribute__", "__init_subclass__", "__set_name__"}
)
"""Names by which code may reach members that it does not name."""

HARMLESS = {"property", "cached_property", "staticmethod", "classmethod", "override"} | {
    *("dataclass", "final", "total_ordering", "Look", "MappingProxyType")
}
"""Decorators and functions that may run in the body of a class, as they have no side effects."""


def showing(trees: Iterable[ast.Module]) -> frozenset[ast.AST]:
    """The definitions in the modules of a game that only show; empty if that cannot be decided."""
    modules = list(trees)
    classes = [node for module in modules for node in module.body if isinstance(node, ast.ClassDef)]
    plain = [node for node in classes if not node.keywords and _are_harmless(node.decorator_list)]
    named = {member: _shown_by(member) for kind in plain for member in kind.body}
    shown = frozenset(member for member, name in named.items() if name)
    used = {name for module in modules for name in _names(module, shown)}
    while reached := frozenset(member for member in shown if named[member] in used):
        shown -= reached
        used.update(name for member in reached for name in _names(member, frozenset()))
    return frozenset() if used & AT_RUN_TIME else shown


def _shown_by(member: ast.AST) -> str | None:
    """The member of `SHOWING` that a statement in the body of a class defines, if it does nothing else."""
    match member:
        case ast.FunctionDef(name=name, args=args, returns=returns, decorator_list=decorators):
            at_once: list[ast.AST] = [args, *([returns] if returns else [])]
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            at_once, decorators = [value], []
        case _:
            return None
    nodes = [node for part in at_once for node in ast.walk(part)] if name in SHOWING else []
    calls: list[ast.AST] = [node for node in nodes if isinstance(node, ast.Call | ast.NamedExpr)]
    if name not in SHOWING or not _are_harmless([*decorators, *calls]):
        return None
    return None if any(map(_binds, ast.walk(member))) else name


def _binds(node: ast.AST) -> bool:
    """Whether a node assigns to anything but variables of a function."""
    return isinstance(node, ast.Global | ast.Nonlocal) or (
        isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
    )


def _are_harmless(callers: Iterable[ast.AST]) -> bool:
    """Whether all calls and decorators are of `HARMLESS` names."""
    functions = (caller.func if isinstance(caller, ast.Call) else caller for caller in callers)
    return all(getattr(caller, "attr", getattr(caller, "id", None)) in HARMLESS for caller in functions)


def _names(code: ast.AST, left_out: frozenset[ast.AST]) -> Iterator[str]:
    """The names by which code, without the definitions that are left out, may reach members of classes."""
    todo: list[tuple[ast.AST, bool]] = [(code, False)]
    while todo:
        node, in_function = todo.pop()
        if node in left_out:
            continue
        if names_in := NAMES.get(type(node)):
            for name in names_in(node):
                if not (in_function and isinstance(node, ast.Name)) or name in AT_RUN_TIME:
                    yield name  # not variables of a function, which does not see the names of its class
        body = frozenset(node.body) if isinstance(node, ast.FunctionDef) else ()
        in_function = in_function and not isinstance(node, ast.ClassDef)
        for field in node._fields:
            inner = getattr(node, field, None)
            for part in inner if isinstance(inner, list) else (inner,):
                if isinstance(part, ast.AST) and part._fields:
                    of_function = in_function or part in body
                    todo.append((part, of_function))


NAMES: dict[type[ast.AST], Callable[[Any], Iterable[str]]] = {
    ast.Attribute: lambda node: (node.attr,),
    ast.Name: lambda node: (node.id,),
    ast.Constant: lambda node: (node.value,) if isinstance(node.value, str) else (),
    ast.MatchClass: lambda node: node.kwd_attrs,
    ast.alias: lambda node: AT_RUN_TIME.intersection(node.name.split(".")),
    ast.FunctionDef: lambda node: AT_RUN_TIME.intersection((node.name,)),
}
"""The function from a node to its own names, without those of its children, by class of node."""
