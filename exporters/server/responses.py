"""Responses: answers as JSON or text, and refusals, which all have one form.

    {"error": {"code": "unknown-position", "message": "..."}}

A code is the name of an error of `solver.errors`, or one that stands in this folder.
"""

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from solver.errors import (
    BrokenRules,
    BusyFile,
    ChangedRules,
    SolverError,
    TooLarge,
    UnknownPosition,
    UsageError,
    error_as_dict,
)

JSON, SVG, HTML = "application/json", "image/svg+xml", "text/html; charset=utf-8"


class TooManyPositions(UsageError):
    """A request asks for more positions than are answered at once."""


STATUSES: Mapping[type[SolverError], int] = {
    UnknownPosition: 404,
    ChangedRules: 409,
    TooManyPositions: 413,
    BusyFile: 503,
    BrokenRules: 500,
    TooLarge: 500,
    UsageError: 400,
}
"""The status of an error, by the first of these classes that it is of; 500 for all others."""


def answered(answer: Any, media: str, status: int = 200) -> Response:
    """The response with an answer: a text, or a value as JSON."""
    text = answer if isinstance(answer, str) else as_json(answer)
    return Response(text, status, media_type=media)


def failure(status: int, code: str, message: str) -> Response:
    """The response to a request that is refused."""
    return answered(error_object(code, message), JSON, status=status)


def error_object(code: str, message: str) -> dict[str, dict[str, str]]:
    """The form of a refusal."""
    return {"error": {"code": code, "message": message}}


def refused(error: SolverError) -> Response:
    """The response to a request that raises an error."""
    return answered(error_as_dict(error), JSON, status=status_of(error))


def status_of(error: SolverError) -> int:
    """The status of an error."""
    return next((status for kind, status in STATUSES.items() if isinstance(error, kind)), 500)


def as_json(value: Any) -> str:
    """A value as JSON, in few characters."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
