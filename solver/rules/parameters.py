"""Parameters of games and players: the types they may have, their values from texts, and as JSON.

annotation                      on a command line       in JSON
int, float, bool, str           3, 0.5, true, word      the same
Literal["a", "b"]               a                       the same
an Enum                         the name of a member    the same
T | None, Optional[T]           none, or as T           null, or as T
tuple[T, ...], tuple[T, U]      with commas             a list
"""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from solver.errors import BadParameter, BrokenRules, shown, summary_of

MAX_CHARACTERS = 1_000_000
MAX_ITEMS = 100_000
"""The greatest lengths of a text and of a list."""

MAX_BITS = 10_000
"""The most bits of an integer; Python prints none that is much longer."""

LIMITS = f"{MAX_CHARACTERS:,} characters, or {MAX_ITEMS:,} items of a list"

PLAIN = {int: "an integer", bool: "true or false", float: "a number", str: "a word"}

KNOWN = "int, float, bool, str, a Literal, an Enum, one of these or None, or a tuple of them"


@cache
def parameter_types(kind: type) -> dict[str, Any]:
    """The parameters of a class and their types, in order; raises `BrokenRules` for unsupported types."""
    if not dataclasses.is_dataclass(kind):
        return {}
    try:
        types = get_type_hints(kind)
    except Exception as error:
        raise BrokenRules(
            f"the annotations of {kind.__name__} cannot be read: {summary_of(error)}"
        ) from error
    parameters = {field.name: types[field.name] for field in dataclasses.fields(kind) if field.init}
    for name, annotation in parameters.items():
        if not _known(annotation):
            raise BrokenRules(
                f"the parameter {name} of {kind.__name__} is {_name(annotation)}: it should be {KNOWN}; "
                f"if it is no parameter, write {name} = ... without a type"
            )
    return parameters


def defaults_of(kind: type) -> dict[str, Any]:
    """The parameters of a class of games that have a default, as JSON; raises as `as_json`."""
    types = parameter_types(kind)
    defaults = {}
    for field in dataclasses.fields(kind) if types else ():
        default = field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        if field.name in types and default is not dataclasses.MISSING:
            defaults[field.name] = as_json(kind, field.name, default)
    return defaults


def converted(owner: str, name: str, value: Any, annotation: Any) -> Any:
    """The value of a parameter, perhaps a text, converted to its `annotation`; raises `BadParameter`."""
    if not _known(annotation):
        raise BadParameter(
            f"{owner} takes {name} as {in_words(annotation)}, which cannot be typed: use {KNOWN}"
        )
    if _is_too_long(value):
        raise BadParameter(f"{owner} takes {name} in at most {LIMITS}")
    try:
        return _read(value, annotation)
    except (TypeError, ValueError, LookupError, ArithmeticError, RecursionError):
        raise BadParameter(f"{owner} takes {name} as {in_words(annotation)}, not {shown(value)}") from None


def as_json(kind: type, name: str, value: Any) -> Any:
    """The value of the parameter `name` for JSON; raises `BrokenRules` if JSON cannot hold it."""
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, int) and value.bit_length() <= MAX_BITS:  # early, as a list may have thousands
        return value
    if _is_too_long(value):
        raise BrokenRules(f"the parameter {name} of {kind.__name__} should have at most {LIMITS}")
    if isinstance(value, tuple | list):
        return [as_json(kind, name, item) for item in value]
    if isinstance(value, str | NoneType) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise BrokenRules(
        f"the parameter {name} of {kind.__name__} is {shown(value)}, which a database cannot hold: "
        f"it should be {KNOWN}"
    )


def with_parameters(name: str, parameters: Mapping[str, object]) -> str:
    """The name of a game and its parameters as a person types them."""
    return " ".join([name, *(f"{key}={typed(value)}" for key, value in parameters.items())])


def typed(value: object) -> str:
    """The value of a parameter as a person types it."""
    if isinstance(value, tuple | list):
        return ",".join(map(typed, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_too_long(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) > MAX_CHARACTERS
    return isinstance(value, tuple | list) and len(value) > MAX_ITEMS


def _known(annotation: Any) -> bool:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is tuple:
        return bool(inner) and all(part is Ellipsis or _known(part) for part in inner)
    if origin in (Union, UnionType):
        return (
            len(inner) == 2 and NoneType in inner and all(part is NoneType or _known(part) for part in inner)
        )
    if origin is Literal:
        return all(isinstance(choice, str | int | NoneType) for choice in inner)
    return isinstance(annotation, type) and issubclass(annotation, int | float | str | Enum)


def _read(value: Any, annotation: Any) -> Any:
    """The value, converted to its `annotation`; raises the errors that `converted` catches."""
    if annotation in (int, str):  # early, as a list may have thousands
        return _read_plain(value, annotation)
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is tuple:
        return _read_items(value, inner)
    if origin in (Union, UnionType) and NoneType in inner:
        (other,) = (part for part in inner if part is not NoneType)
        return None if value is None or _lower(value) == "none" else _read(value, other)
    if origin is Literal:
        return _choice(value, inner)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return value if isinstance(value, annotation) else annotation[value]
    return _read_plain(value, annotation)


def _read_items(value: Any, inner: Sequence[Any]) -> tuple[Any, ...]:
    if not isinstance(value, str | list | tuple):
        raise TypeError(value)
    items = value.split(",") if isinstance(value, str) else value
    if len(items) > MAX_ITEMS:
        raise ValueError(len(items))
    types = [inner[0]] * len(items) if Ellipsis in inner else inner
    return tuple(_read(text, item) for text, item in zip(items, types, strict=True))


def _read_plain(value: Any, annotation: Any) -> Any:
    if annotation is bool:
        return value if isinstance(value, bool) else {"true": True, "false": False}[_lower(value)]
    numbers = str | int if annotation is int else str | int | float
    if not isinstance(value, numbers) or (annotation is not str and isinstance(value, bool)):
        raise TypeError(value)
    read = annotation(value)
    if isinstance(read, float) and not math.isfinite(read):
        raise ValueError(read)
    return read


def _choice(value: Any, choices: Sequence[Any]) -> Any:
    same = [choice for choice in choices if type(choice) is type(value) and choice == value]
    named = [choice for choice in choices if str(choice).lower() == _lower(value)]
    return [*same, *named][0]


def _lower(value: Any) -> str:
    return value.lower() if isinstance(value, str) else ""


def in_words(annotation: Any) -> str:
    """The description of a value of this type."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is tuple:
        parts = f"each {in_words(inner[0])}" if Ellipsis in inner else ", ".join(map(in_words, inner))
        return f"a list with commas, {parts}"
    if origin in (Union, UnionType):
        return " or ".join("none" if part is NoneType else in_words(part) for part in inner)
    if origin is Literal:
        return f"one of {', '.join(map(str, inner))}"
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return f"one of {', '.join(annotation.__members__)}"
    return PLAIN.get(annotation, _name(annotation))


def _name(annotation: Any) -> str:
    is_plain = isinstance(annotation, type) and not get_args(annotation)
    return annotation.__name__ if is_plain else str(annotation)
