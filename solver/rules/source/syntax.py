"""The syntax tree of a module as a digest and a list of imports.

Comments, docstrings and the layout of the text are no part of it. The tree is written by rules of our own,
since `ast.dump` differs between versions of Python: a node is the name of its class and those of its fields
that are neither None nor empty, in order.
"""

import ast
import hashlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

MAX_PARSED_BYTES = 300_000
"""Bytes of the longest source that is parsed, which takes up to 500 times as much memory."""

SPELLING = frozenset({"kind", "type_comment", "type_ignores"})
"""Fields that say how something is spelled."""


class Import(NamedTuple):
    """A module, or a member of one, that an import statement names."""

    level: int
    """The number of dots before the name."""
    name: str


class Syntax(NamedTuple):
    """What is known of a module from its syntax tree."""

    digest: str
    """The SHA-256, in hex, over the tree."""
    imports: frozenset[Import]


def syntax_of(source: bytes) -> Syntax:
    """What is known of a module; the digest is over its bytes where it is long, or not Python."""
    parts = list[str]()
    try:
        tree = ast.parse(source) if len(source) <= MAX_PARSED_BYTES else None
        _write(tree, parts.append)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if tree is None:
        return Syntax(hashlib.sha256(source).hexdigest(), frozenset())
    text = "".join(parts).encode("utf-8", "surrogatepass")
    return Syntax(hashlib.sha256(text).hexdigest(), frozenset(_imports(tree)))


def _write(value: Any, write: Callable[[str], None]) -> None:
    """Write a node, a list of nodes or a constant in parts, of which each tells where it ends."""
    if isinstance(value, ast.AST):
        write(f"({type(value).__name__}")
        for name in value._fields:
            inner = getattr(value, name, None)
            if isinstance(inner, list):
                inner = [each for each in inner if not _is_idle(each, value)]
            if name not in SPELLING and inner is not None and inner != []:
                write(f" {name}=")
                _write(inner, write)
        write(")")
    elif isinstance(value, list):
        write("[")
        for each in value:
            _write(each, write)
        write("]")
    else:
        write(f"{type(value).__name__}:{value!r}")


def _is_idle(node: Any, parent: ast.AST) -> bool:
    """Whether a statement is `pass`, a docstring or another constant, or a part of an f-string is empty."""
    if isinstance(parent, ast.JoinedStr):
        return isinstance(node, ast.Constant) and node.value == ""
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _imports(tree: ast.Module) -> Iterator[Import]:
    """The names in import statements, wherever they stand."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(0, each.name) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            yield from (Import(node.level, f"{base}.{each.name}".strip(".")) for each in node.names)
