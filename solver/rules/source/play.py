"""Finds the definitions of rules that only show: members that pictures and searches ask, and play does not.

Whether a definition only shows is told from the syntax trees. It counts as play if anything that plays may
reach it: by its name as an attribute, in a text or in the body of a class, through a decorator, or through
names that are only known at run time.
"""

import ast
from collections.abc import Iterable, Iterator

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
"""What may decorate or be called where a class is made: it does nothing but what it is known for."""


def showing(trees: Iterable[ast.Module]) -> frozenset[ast.AST]:
    """The definitions in the modules of a game that only show; none where that cannot be told."""
    modules = list(trees)
    classes = [each for module in modules for each in module.body if isinstance(each, ast.ClassDef)]
    plain = [each for each in classes if not each.keywords and _are_harmless(each.decorator_list)]
    named = {member: _shown_by(member) for kind in plain for member in kind.body}
    found = frozenset(member for member, name in named.items() if name)
    used = {name for module in modules for name in _names(module, found)}
    while reached := frozenset(member for member in found if named[member] in used):
        found -= reached
        used.update(name for member in reached for name in _names(member, frozenset()))
    return frozenset() if used & AT_RUN_TIME else found


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
    """Return whether a node changes more than variables of a function."""
    return isinstance(node, ast.Global | ast.Nonlocal) or (
        isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
    )


def _are_harmless(callers: Iterable[ast.AST]) -> bool:
    """Return whether all these, calls or decorators, are among the `HARMLESS` ones."""
    functions = (each.func if isinstance(each, ast.Call) else each for each in callers)
    return all(getattr(each, "attr", getattr(each, "id", None)) in HARMLESS for each in functions)


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
        body = frozenset(node.body) if isinstance(node, ast.FunctionDef) else ()
        in_function = in_function and not isinstance(node, ast.ClassDef)
        todo.extend((each, in_function or each in body) for each in ast.iter_child_nodes(node))


def _names_of(node: ast.AST) -> Iterable[str]:
    """The names in a node, without those in its parts."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name) | ast.Constant(value=str(name)):
            return (name,)
        case ast.MatchClass(kwd_attrs=names):
            return names
        case ast.alias(name=name):
            return AT_RUN_TIME.intersection(name.split("."))
        case ast.FunctionDef(name=name):
            return AT_RUN_TIME.intersection((name,))
    return ()
