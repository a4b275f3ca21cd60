"""What values hold, as values that can be hashed."""

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from types import NoneType
from typing import Any

ATOMS = {str, int, float, bool, NoneType}
"""Types of values that are frozen already, and most frequent."""


def frozen(value: Any, *, named: bool = False) -> Hashable:
    """What a value holds: equal for values that hold the same, and hashable unless a part cannot be frozen.

    Lists become tuples; what has fields becomes a tuple of pairs in ascending order, if `named` behind the
    name of its class, unless it is a dict or a named tuple. The order of a list that is called `moves` does
    not count.
    """
    if type(value) in ATOMS:
        return value  # type: ignore[no-any-return]
    held, contents = fields_of(value), _contents(value)
    if contents is not None:
        items = (frozen(item, named=named) for item in contents)
        known = in_order(items) if isinstance(value, set | frozenset) else tuple(items)
        return (known, _pairs(held, named)) if held else known
    if held is None:  # a number of NumPy is one of Python
        return value.tolist() if hasattr(value, "tolist") else value  # type: ignore[no-any-return]
    is_named = named and not (isinstance(value, dict) or hasattr(value, "_asdict"))
    return (type(value).__qualname__, *_pairs(held, named)) if is_named else _pairs(held, named)


def _contents(value: Any) -> Iterable[Any] | None:
    """What a list, a tuple, a set or an array of NumPy holds besides its fields; None for others."""
    if hasattr(value, "tolist"):
        listed = value.tolist()
        return listed if isinstance(listed, list) else None
    if hasattr(value, "_asdict"):
        return None
    return value if isinstance(value, list | tuple | set | frozenset | deque) else None


def _pairs(held: dict[Any, Any], named: bool) -> tuple[Any, ...]:
    def content(name: object, value: Any) -> Hashable:
        is_unordered = name == "moves" and isinstance(value, list)
        items = (frozen(item, named=named) for item in value) if is_unordered else ()
        return in_order(items) if is_unordered else frozen(value, named=named)

    return in_order((frozen(name, named=named), content(name, item)) for name, item in held.items())


def fields_of(value: Any) -> dict[Any, Any] | None:
    """The fields of a named tuple, a dataclass, a dict or an object without a hash of its own; else None."""
    if hasattr(value, "_asdict"):
        return dict(value._asdict())
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value) if field.compare}
    slots = dict(_slots(value))
    attributes = {**slots, **value.__dict__} if hasattr(value, "__dict__") else slots or None
    if isinstance(value, dict):  # one with defaults grows where it is read
        empty = [value.default_factory()] if isinstance(value, defaultdict) and value.default_factory else []
        return {key: item for key, item in value.items() if item not in empty} | (attributes or {})
    its_hash: Any = type(value).__hash__
    return attributes if its_hash in (None, object.__hash__) and not callable(value) else None


def _slots(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the attributes that the classes of a value keep in slots."""
    for owner in type(value).__mro__:
        slots = owner.__dict__.get("__slots__", ())
        for slot in [slots] if isinstance(slots, str) else slots:
            private = slot.startswith("__") and not slot.endswith("__")
            name = f"_{owner.__name__.lstrip('_')}{slot}" if private else slot
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                yield name, getattr(value, name)


def in_order(values: Iterable[Any]) -> tuple[Any, ...]:
    """The values in ascending order, or where they cannot be compared in that of their texts.

    Sets, which are compared as parts of each other, are in the order of what they hold.
    """
    known = list(values)
    if any(isinstance(item, set | frozenset) for item in known):
        return tuple(sorted(known, key=lambda item: repr(frozen(item))))
    try:
        return tuple(sorted(known))
    except TypeError:
        return tuple(sorted(known, key=repr))
