"""Responses: answers as JSON or text, and refusals, which have a common form.

    {"error": {"code": "unknown-position", "message": "..."}}

A code is the name of an error in `solver.errors` or a code of this package.
"""

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from solver import errors
from solver.errors import SolverError, UsageError

JSON, SVG, HTML = "application/json", "image/svg+xml", "text/html; charset=utf-8"


class TooManyPositions(UsageError):
    """A request has more positions than are answered at once."""


STATUSES: Mapping[type[SolverError], int] = {
    errors.UnknownPosition: 404,
    errors.ChangedRules: 409,
    TooManyPositions: 413,
    errors.BusyFile: 503,
    errors.BrokenRules: 500,
    errors.TooLarge: 500,
    UsageError: 400,
}
"""The HTTP status of an error, by the first of these classes that matches; 500 if none does."""


def answered(answer: Any, media: str, status: int = 200) -> Response:
    """The response with an answer: text, or any other value as JSON."""
    compact = (",", ":")
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False, separators=compact)
    return Response(text, status, media_type=media)


def failure(status: int, code: str, message: str) -> Response:
    """The response to a refused request."""
    return answered({"error": {"code": code, "message": message}}, JSON, status)


def refused(error: SolverError) -> Response:
    """The response to a request that raised an error."""
    return answered(errors.error_as_dict(error), JSON, status=status_of(error))


def status_of(error: SolverError) -> int:
    """The HTTP status of an error."""
    return next((status for kind, status in STATUSES.items() if isinstance(error, kind)), 500)
