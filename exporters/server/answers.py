"""The endpoints of a game, with their paths, parameters and answers, and their OpenAPI 3.1 description.

Source: spec.openapis.org/oas/v3.1.0
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from exporters.html.database_page import live, neighbourhood
from exporters.server.responses import HTML, JSON, SVG, TooManyPositions
from exporters.svg.position import render as position_as_svg
from solver.analysis.statistics import statistics
from solver.database import Database
from solver.database.lines import best_line, position_asked
from solver.database.wording import batch_as_dicts, database_as_dict, entry_as_dict, line_as_dict
from solver.errors import ForeignFile, UsageError
from solver.players.trembling import Trembling, ranking_as_dict
from solver.system.plugins import release
from solver.system.strict_json import parse_json

MAX_POSITIONS = 1000
"""The most positions of a request."""


@dataclass(frozen=True)
class Endpoint:
    """An endpoint of a game."""

    path: str
    """The part of the path after `/games/ID`."""
    summary: str
    answer: Callable[[Database, Any], Any]
    """From a position or a request body to a JSON value, or to text of another `media` type."""
    parameters: tuple[str, ...] = ()
    """The query parameters: those of `position_asked`, or none."""
    method: str = "GET"
    media: str = JSON
    schema: str = ""
    """The name of the answer's schema in `solver/commands/output.schema.json`; "" for none."""

    def answered(self, db: Database, query: Mapping[str, str], body: bytes) -> Any:
        """The answer to a request; raises what a lookup raises."""
        if self.parameters:
            return self.answer(db, position_asked(db, *map(query.get, self.parameters)))
        return self.answer(db, body)


AT_A_POSITION = ("position", "moves")


def _ranking(db: Database, position: str) -> Any:
    entry = db[position]
    return ranking_as_dict(db, entry, Trembling(db).ranking(entry))


def _batch(db: Database, body: bytes) -> Any:
    try:
        positions = parse_json(body, "the body of the request")
    except ForeignFile as error:
        raise UsageError(str(error)) from error
    if not isinstance(positions, list) or not all(isinstance(text, str) for text in positions):
        raise UsageError('the body of the request should be a JSON array of positions, as in ["xo......."]')
    if len(positions) > MAX_POSITIONS:
        raise TooManyPositions(
            f"{len(positions):,} positions are too many for one request: send {MAX_POSITIONS:,}"
        )
    return {"positions": batch_as_dicts(db, positions)}


ENDPOINTS = (
    Endpoint("/page", "The page to play against", lambda db, _: live(db, "rows", "ranking"), media=HTML),
    Endpoint(
        "/rows", "What the page shows of a position", neighbourhood, AT_A_POSITION, schema="served_rows"
    ),
    Endpoint("", "The game, and how it was solved", lambda db, _: database_as_dict(db), schema="served_game"),
    Endpoint(
        "/positions",
        "The labels of a position and of each move in it",
        lambda db, position: entry_as_dict(db, db[position]),
        AT_A_POSITION,
        schema="query",
    ),
    Endpoint(
        "/ranking",
        "The same, equal moves in the order of what an opponent who errs gives away",
        _ranking,
        AT_A_POSITION,
        schema="query",
    ),
    Endpoint("/positions", "The labels of many positions", _batch, method="POST", schema="served_positions"),
    Endpoint(
        "/line",
        "Best play from a position to the end",
        lambda db, position: line_as_dict(db, best_line(db, position)),
        AT_A_POSITION,
        schema="served_line",
    ),
    Endpoint("/stats", "The number of positions of each kind", lambda db, _: statistics(db), schema="stats"),
    Endpoint(
        "/value.svg",
        "The picture of a position with the value of each move",
        lambda db, position: position_as_svg(db.game, db[position]),
        AT_A_POSITION,
        media=SVG,
    ),
)


GENERAL = {
    "/games": ("The games that are served", "served_games"),
    "/health": ("Whether the service runs", "served_health"),
    "/openapi.json": ("This description", "served_description"),
}

TEXT = {"type": "string"}

PARAMETERS = {
    name: {"name": name, "in": "query", "schema": TEXT, "description": description}
    for name, description in (
        ("position", "The position as text (default: the start)"),
        ("moves", "Instead of a position: the moves from the start, separated by commas"),
    )
}

ID: dict[str, Any] = {
    "name": "id",
    "in": "path",
    "required": True,
    "schema": TEXT,
    "description": "The ID of the game",
}


def openapi() -> dict[str, Any]:
    """The OpenAPI description, as a JSON object."""
    paths: dict[str, dict[str, Any]] = {
        path: {"get": _operation(summary, JSON, [], schema)} for path, (summary, schema) in GENERAL.items()
    }
    for endpoint in ENDPOINTS:
        parameters = [ID, *map(PARAMETERS.__getitem__, endpoint.parameters)]
        operation = _operation(endpoint.summary, endpoint.media, parameters, endpoint.schema)
        if endpoint.method == "POST":
            array = {"type": "array", "items": TEXT}
            operation["requestBody"] = {"required": True, "content": {JSON: {"schema": array}}}
        paths.setdefault(f"/games/{{id}}{endpoint.path}", {})[endpoint.method.lower()] = operation
    schemas = files("solver.commands").joinpath("output.schema.json").read_text("utf-8")
    schemas = schemas.replace("#/$defs/", "#/components/schemas/")
    return {
        "openapi": "3.1.0",
        "info": {"title": "perfectplay", "version": release()},
        "paths": paths,
        "components": {"schemas": json.loads(schemas)["$defs"]},
    }


def _operation(summary: str, media: str, parameters: list[dict[str, Any]], schema: str) -> dict[str, Any]:
    def content(schema: str) -> dict[str, Any]:
        return {"schema": {"$ref": f"#/components/schemas/{schema}"}} if schema else {}

    return {
        "summary": summary,
        "parameters": parameters,
        "responses": {
            "200": {"description": "The answer", "content": {media.partition(";")[0]: content(schema)}},
            "default": {"description": "A refusal", "content": {JSON: content("error")}},
        },
    }
