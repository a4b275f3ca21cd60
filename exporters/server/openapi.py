"""The description of the service as OpenAPI 3.1, made from the table of endpoints.

Source: spec.openapis.org/oas/v3.1.0
"""

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from exporters.server.answers import Endpoint
from exporters.server.responses import JSON

GENERAL = {
    "/games": "The games that are served",
    "/health": "Whether the service runs",
    "/openapi.json": "This description",
}

PARAMETERS = {
    "position": "The position as text (default: the start)",
    "moves": "Instead of a position: the moves from the start, separated by commas",
}

ID = {
    "name": "id",
    "in": "path",
    "required": True,
    "schema": {"type": "string"},
    "description": "The ID of the game",
}

ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
        }
    },
}


def openapi(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """The description as JSON."""
    paths: dict[str, dict[str, Any]] = {
        path: {"get": _operation(summary, JSON, [])} for path, summary in GENERAL.items()
    }
    for each in endpoints:
        operation = _operation(each.summary, each.media, [ID, *map(_parameter, each.parameters)])
        if each.method == "POST":
            array = {"type": "array", "items": {"type": "string"}}
            operation["requestBody"] = {"required": True, "content": {JSON: {"schema": array}}}
        paths.setdefault(f"/games/{{id}}{each.path}", {})[each.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "perfectplay", "version": version("perfectplay")},
        "paths": paths,
        "components": {"schemas": {"Error": ERROR}},
    }


def _operation(summary: str, media: str, parameters: list[dict[str, Any]]) -> dict[str, Any]:
    error = {"schema": {"$ref": "#/components/schemas/Error"}}
    return {
        "summary": summary,
        "parameters": parameters,
        "responses": {
            "200": {"description": "The answer", "content": {media.partition(";")[0]: {}}},
            "default": {"description": "A refusal", "content": {JSON: error}},
        },
    }


def _parameter(name: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": {"type": "string"}, "description": PARAMETERS[name]}
