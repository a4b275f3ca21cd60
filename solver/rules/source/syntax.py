"""Computes a digest of the syntax tree of a module, and lists its imports.

Comments, docstrings and the layout of the text are not part of the tree. It is serialized here, since
`ast.dump` differs between versions of Python: a node is the name of its class and those of its fields that
are neither None nor empty, in order.
"""

import ast
import hashlib
from collections.abc import Callable, Iterator, Set
from typing import Any, NamedTuple

MAX_PARSED_BYTES = 300_000
"""Bytes of a source that is parsed; parsing takes up to 500 times as much memory."""

SPELLING = frozenset({"kind", "type_comment", "type_ignores"})
"""Fields about spelling alone."""


class Import(NamedTuple):
    """A module, or a member of one, that an import statement names."""

    level: int
    """The number of dots before the name."""
    name: str


class Syntax(NamedTuple):
    """The digest and the imports of a module."""

    digest: str
    """The SHA-256, in hex, over the tree."""
    imports: frozenset[Import]


NO_TREE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What is raised for a source that has no tree, or one too deep to be serialized."""


def syntax_of(source: bytes) -> Syntax:
    """Digest and imports of a module; a source that is too long, or not Python, is digested as bytes."""
    try:
        tree = parsed(source)
        return Syntax(digest_of(tree), frozenset(_imports(tree)))
    except NO_TREE:
        return Syntax(hashlib.sha256(source).hexdigest(), frozenset())


def parsed(source: bytes) -> ast.Module:
    """The syntax tree of a module; raises one of `NO_TREE`."""
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
                inner = [each for each in inner if not (each in left_out or _is_idle(each, value))]
            if name not in SPELLING and inner is not None and inner != []:
                write(f" {name}=")
                _write(inner, write, left_out)
        write(")")
    elif isinstance(value, list):
        write("[")
        for each in value:
            _write(each, write, left_out)
        write("]")
    else:
        write(f"{type(value).__name__}:{value!r}")


def _is_idle(node: Any, parent: ast.AST) -> bool:
    """Return whether a node is `pass`, a docstring or other constant, or an empty part of an f-string."""
    if isinstance(parent, ast.JoinedStr):
        return isinstance(node, ast.Constant) and node.value == ""
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _imports(tree: ast.Module) -> Iterator[Import]:
    """The names in all import statements, also nested ones."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(0, each.name) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            yield from (Import(node.level, f"{base}.{each.name}".strip(".")) for each in node.names)
