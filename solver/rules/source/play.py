"""Finds the definitions of rules that only show: members that pictures and searches ask, and play does not.

Whether a definition only shows is told from the syntax trees, without running them. It counts as play if
anything that plays may reach it: by its name as an attribute, in a text or in the body of a class, through a
decorator, through names that are only known at run time, or from a module that is not looked at.
"""

import ast
from collections.abc import Iterable, Iterator

SHOWING = frozenset({"show", "board", "cell_names", "look", "title", "evaluate", "states_at_most"})
"""The members of a game on which neither play nor the text of positions and moves depends."""

AT_RUN_TIME = frozenset(
    {"eval", "exec", "globals", "locals", "importlib", "__import__", "inspect", "getmembers", "__dict__"}
    | {"dir", "vars", "hasattr", "getattr", "setattr", "delattr", "attrgetter", "methodcaller"}
    | {"__getattribute__", "__init_subclass__", "__set_name__"}
)
"""Names by which code may reach members that it does not name."""

HARMLESS_OF_MEMBERS = frozenset({"property", "cached_property", "staticmethod", "classmethod", "override"})
HARMLESS_OF_CLASSES = frozenset({"dataclass", "final", "total_ordering"})
"""The decorators that do nothing but what they are known for."""

HARMLESS_CALLS = frozenset({"Look", "MappingProxyType"})
"""The calls that a definition may make when its class is made."""

FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def showing(trees: Iterable[ast.Module]) -> frozenset[ast.AST]:
    """The definitions in the modules of a game that only show; none where that cannot be told."""
    modules = list(trees)
    found = frozenset(
        member
        for module in modules
        for kind in module.body
        if isinstance(kind, ast.ClassDef) and _is_plain(kind)
        for member in kind.body
        if _name(member) in SHOWING and _is_harmless(member)
    )
    used = {name for module in modules for name in _names(module, found)}
    while reached := frozenset(member for member in found if _name(member) in used):
        found -= reached
        used.update(name for member in reached for name in _names(member, frozenset()))
    return frozenset() if used & AT_RUN_TIME else found


def _name(member: ast.AST) -> str | None:
    """The name that a statement in the body of a class defines as a method, a property or a plain value."""
    if isinstance(member, FUNCTIONS):
        return member.name
    if isinstance(member, ast.Assign) and len(member.targets) == 1:
        return member.targets[0].id if isinstance(member.targets[0], ast.Name) else None
    return None


def _is_plain(kind: ast.ClassDef) -> bool:
    """Return whether making the class asks nothing of its members."""
    return not kind.keywords and all(_called(each) in HARMLESS_OF_CLASSES for each in kind.decorator_list)


def _is_harmless(member: ast.AST) -> bool:
    """Return whether a definition does nothing when its class is made, and leaves other objects alone."""
    nodes = list(ast.walk(member))
    if any(isinstance(node, ast.Global | ast.Nonlocal) for node in nodes):
        return False
    if any(isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) for node in nodes):
        return False
    if isinstance(member, FUNCTIONS):
        if not all(_called(each) in HARMLESS_OF_MEMBERS for each in member.decorator_list):
            return False
        returns = [member.returns] if member.returns else []
        nodes = [node for each in (member.args, *returns) for node in ast.walk(each)]
    return not any(
        isinstance(node, ast.NamedExpr)
        or (isinstance(node, ast.Call) and _called(node) not in HARMLESS_CALLS)
        for node in nodes
    )


def _called(node: ast.AST) -> str | None:
    """The last part of the name of what is called, or of what decorates."""
    if isinstance(node, ast.Call):
        return _called(node.func)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None


def _names(code: ast.AST, left_out: frozenset[ast.AST]) -> Iterator[str]:
    """The names by which code may reach members of classes, but for definitions in it that are left out."""
    todo: list[tuple[ast.AST, bool]] = [(code, False)]
    while todo:
        node, in_function = todo.pop()
        if node in left_out:
            continue
        for name in _names_of(node):
            if not (in_function and isinstance(node, ast.Name)) or name in AT_RUN_TIME:
                yield name  # but for variables of a function, which does not see the names of its class
        body = frozenset(node.body) if isinstance(node, FUNCTIONS) else ()
        in_function = in_function and not isinstance(node, ast.ClassDef)
        todo.extend((each, in_function or each in body) for each in ast.iter_child_nodes(node))


def _names_of(node: ast.AST) -> Iterable[str]:
    """The names in a node, without those in its parts."""
    if isinstance(node, ast.Attribute):
        return (node.attr,)
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (node.value,)
    if isinstance(node, ast.MatchClass):
        return node.kwd_attrs
    if isinstance(node, ast.alias):
        return AT_RUN_TIME.intersection(node.name.split("."))
    return AT_RUN_TIME.intersection((node.name,)) if isinstance(node, FUNCTIONS) else ()
