"""The contents of values in hashable form."""

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable
from dataclasses import fields, is_dataclass
from types import MappingProxyType, NoneType
from typing import Any

ATOMS = {str, int, float, bool, NoneType}
"""The most frequent types of values that are hashable already."""


def frozen(value: Any, *, named: bool = False) -> Hashable:
    """The contents of a value: equal for equal contents, and hashable unless a part cannot be frozen.

    A list becomes a tuple. A value with fields becomes a tuple of (name, content) pairs in ascending order;
    if `named`, the name of its class precedes them, unless it is a dict or a named tuple. The order of a list
    that is called `moves` does not count.
    """
    if type(value) in ATOMS or isinstance(value, type):
        return value  # type: ignore[no-any-return]
    held, contents = fields_of(value), _contents(value)
    if contents is not None:
        items = (frozen(item, named=named) for item in contents)
        frozen_items = in_order(items) if isinstance(value, set | frozenset) else tuple(items)
        return (frozen_items, _pairs(held, named)) if held else frozen_items
    if held is None:  # a NumPy number becomes a Python number
        return value.tolist() if hasattr(value, "tolist") else value  # type: ignore[no-any-return]
    is_named = named and not (isinstance(value, dict) or hasattr(value, "_asdict"))
    return (type(value).__qualname__, *_pairs(held, named)) if is_named else _pairs(held, named)


def _contents(value: Any) -> Iterable[Any] | None:
    """The items of a list, tuple, set, deque, bytearray or NumPy array, without its fields; else None."""
    if hasattr(value, "tolist"):
        listed = value.tolist()
        return listed if isinstance(listed, list) else None
    if hasattr(value, "_asdict"):
        return None
    return value if isinstance(value, list | tuple | set | frozenset | deque | bytearray) else None


def _pairs(held: dict[Any, Any], named: bool) -> tuple[Any, ...]:
    def content(name: object, value: Any) -> Hashable:
        if name == "moves" and isinstance(value, list):
            return in_order(frozen(item, named=named) for item in value)
        return frozen(value, named=named)

    return in_order((frozen(name, named=named), content(name, item)) for name, item in held.items())


def fields_of(value: Any) -> dict[Any, Any] | None:
    """The fields of a named tuple, a dataclass, a dict or an object without a hash of its own; else None."""
    if hasattr(value, "_asdict"):
        return dict(value._asdict())
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value) if field.compare}
    state: Any = object.__getstate__(value)  # with slots, a pair of which they are the second
    slots = state[1] if isinstance(state, tuple) else {}
    attributes = {**slots, **value.__dict__} if hasattr(value, "__dict__") else slots or None
    if isinstance(value, dict | MappingProxyType):  # a defaultdict grows when it is read
        empty = [value.default_factory()] if isinstance(value, defaultdict) and value.default_factory else []
        return {key: item for key, item in value.items() if item not in empty} | (attributes or {})
    its_hash: Any = type(value).__hash__
    return attributes if its_hash in (None, object.__hash__) and not callable(value) else None


def in_order(values: Iterable[Any]) -> tuple[Any, ...]:
    """The values in ascending order, or in that of their reprs if they cannot be compared.

    If any holds a set, for which `<` means a subset, they are in the order of the reprs of their contents.
    """
    items = list(values)
    if any(map(holds_set, items)):
        return tuple(sorted(items, key=lambda item: repr(frozen(item))))
    try:
        return tuple(sorted(items))
    except TypeError:
        return tuple(sorted(items, key=repr))


def holds_set(value: Any) -> bool:
    """Whether a value is a set, whose order differs from process to process, or a tuple that holds one."""
    return isinstance(value, set | frozenset) or (isinstance(value, tuple) and any(map(holds_set, value)))
