"""What values hold, as values that can be hashed."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import fields, is_dataclass
from types import NoneType
from typing import Any

ATOMS = {str, int, float, bool, NoneType}
"""Types of values that are frozen already, and most frequent."""


def frozen(value: Any) -> Hashable:
    """What a value holds: equal for values that hold the same, and hashable unless a part cannot be frozen.

    Lists become tuples; what has fields becomes a tuple of pairs in ascending order. The order of a list that
    is called `moves` does not count.
    """
    if type(value) in ATOMS:
        return value  # type: ignore[no-any-return]
    held = fields_of(value)
    if held is not None:
        return in_order((frozen(name), _field(name, each)) for name, each in held.items())
    if hasattr(value, "tolist"):  # an array of NumPy
        return frozen(value.tolist())
    if isinstance(value, set | frozenset):
        return in_order(map(frozen, value))
    return tuple(map(frozen, value)) if isinstance(value, list | tuple) else value


def _field(name: object, value: Any) -> Hashable:
    return in_order(map(frozen, value)) if name == "moves" and isinstance(value, list) else frozen(value)


def fields_of(value: Any) -> dict[Any, Any] | None:
    """The fields of a named tuple, a dataclass, a dict or an object without a hash of its own; else None."""
    if hasattr(value, "_asdict"):
        return dict(value._asdict())
    if is_dataclass(value):
        return {each.name: getattr(value, each.name) for each in fields(value) if each.compare}
    attributes: dict[Any, Any] | None = getattr(value, "__dict__", None)
    if isinstance(value, dict):  # one with defaults grows where it is read
        empty = [value.default_factory()] if isinstance(value, defaultdict) and value.default_factory else []
        return {key: each for key, each in value.items() if each not in empty} | (attributes or {})
    its_hash: Any = type(value).__hash__
    return attributes if its_hash in (None, object.__hash__) and not callable(value) else None


def in_order(values: Iterable[Any]) -> tuple[Any, ...]:
    """The values in ascending order, or where they cannot be compared in that of their texts."""
    known = list(values)
    try:
        return tuple(sorted(known))
    except TypeError:
        return tuple(sorted(known, key=repr))
