"""JSON from a stranger: one value, of the kind that is expected, that means the same to everybody."""

import json
from typing import Any


def read_json(text: str, kind: type) -> Any:
    """The value that `text` says, which is of this `kind`.

    Raises ValueError where it says none, one of another kind, a name twice, or NaN; or where it is too deep.
    """
    try:
        value = json.loads(text, object_pairs_hook=_each_once, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("too deep") from None
    if type(value) is not kind:
        raise ValueError(f"this should be JSON of a {kind.__name__}")
    return value


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(found := dict(pairs)) < len(pairs):
        raise ValueError("a name comes twice")
    return found


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")
