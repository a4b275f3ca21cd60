"""The universal web API of GamesCrafters, for clients that show our games without pictures.

    /universal/v1/                                   the games
    /universal/v1/GAME/                              the variants of a game: a file each, by ID
    /universal/v1/GAME/VARIANT/                      the start of a variant
    /universal/v1/GAME/VARIANT/positions/?p=TEXT     the value and the moves of a position

A `tie` ends play without a winner, a `draw` is endless play. Our draws are ties if the positions of the game
have a unique ply, or if they have a remoteness; all others are called draws. Source:
github.com/GamesCrafters/GamesCraftersUWAPI, README.md.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from exporters.server.files import ServedFile
from exporters.server.responses import JSON, answered, status_of
from solver.database import Database
from solver.database.entry import Entry
from solver.database.wording import game_title
from solver.errors import SolverError, UnknownPosition, message_of

ENDLESS, UNKNOWN = -200, -100
"""The remoteness of play that need not end, and of play that ends after an unknown number of plies.

Between play that ends and play that need not, `deltaRemoteness` is `ENDLESS`, too.
"""

NO_PICTURE = "v0"
"""The kind of user interface that lists moves by name."""


def responders(files: Mapping[str, ServedFile]) -> dict[str, Callable[[Request], Response]]:
    """The function that responds to requests, by path; a refusal is `{"error": MESSAGE}`."""

    def answering(describe: Callable[[Request], Any]) -> Callable[[Request], Response]:
        def respond(request: Request) -> Response:
            try:
                return answered(describe(request), JSON)
            except SolverError as error:
                return answered({"error": message_of(error)}, JSON, status=status_of(error))

        return respond

    def games(request: Request) -> list[dict[str, Any]]:
        names = dict.fromkeys(file.game for file in files.values())
        return [{"id": name, "name": name, "type": "twoPlayer", "gui": NO_PICTURE} for name in names]

    def game(request: Request) -> dict[str, Any]:
        name = request.path_params["game"]
        variants = {id: file for id, file in files.items() if file.game == name}
        if not variants:
            raise UnknownPosition(f"no game is served as {name!r}")
        listed = []
        for id, file in variants.items():
            with suppress(SolverError), file.database() as db:  # the variant's own path shows the error
                listed.append({"id": id, "name": game_title(db.game), "gui": NO_PICTURE})
        return {
            "id": name,
            "name": name,
            "allowCustomVariantCreation": False,
            "supportsWinBy": False,
            "variants": listed,
        }

    def variant(request: Request) -> dict[str, Any]:
        file = _variant_asked(files, request)
        with file.database() as db:
            return {
                "id": file.id,
                "name": game_title(db.game),
                "gui": NO_PICTURE,
                "startPosition": db.start,
                "autoguiStartPosition": db.start,
                "imageAutoGUIData": None,
            }

    def position(request: Request) -> dict[str, Any]:
        with _variant_asked(files, request).database() as db:
            return position_described(db, request.query_params.get("p", db.start))

    paths = {
        "/": games,
        "/{game}/": game,
        "/{game}/{variant}/": variant,
        "/{game}/{variant}/positions/": position,
    }
    return {f"/universal/v1{path}": answering(describe) for path, describe in paths.items()}


def _variant_asked(files: Mapping[str, ServedFile], request: Request) -> ServedFile:
    game, variant = request.path_params["game"], request.path_params["variant"]
    file = files.get(variant)
    if file is None or file.game != game:
        raise UnknownPosition(f"no variant of {game!r} is served as {variant!r}")
    return file


def position_described(db: Database, text: str) -> dict[str, Any]:
    """The value and the moves of a position, the best move first; raises what a lookup raises."""
    entry, moves, best = db[text], list[dict[str, Any]](), dict[str, int]()
    for move in entry.moves:
        child = db[move.position]
        name, value, after = str(move.move), _value(move.outcome, child), _described(child)
        delta = _distance(after["remoteness"], best.setdefault(value, after["remoteness"]), value)
        named = {"move": name, "autoguiMove": name, "moveValue": value}
        moves.append({**named, **after, "deltaRemoteness": delta})
    return {**_described(entry), "moves": moves}


def _distance(remoteness: int, best: int, value: str) -> int:
    """The distance of a move's remoteness from the best one of the same value; 0 for ties and draws."""
    if value not in ("win", "lose") or remoteness == best:
        return 0
    return ENDLESS if ENDLESS in (remoteness, best) else abs(remoteness - best)


def _described(entry: Entry) -> dict[str, Any]:
    """A position without its moves."""
    remoteness = entry.remoteness
    if remoteness is None:
        remoteness = UNKNOWN if entry.ply is not None and entry.outcome == "draw" else ENDLESS
    return {
        "position": entry.position,
        "autoguiPosition": entry.position,
        "positionValue": _value(entry.outcome, entry),
        "remoteness": remoteness,
    }


def _value(outcome: str, entry: Entry) -> str:
    """The value for an outcome of the position or of a move that leads to it."""
    draw = "draw" if entry.ply is None and entry.remoteness is None else "tie"
    return {"win": "win", "loss": "lose", "draw": draw}[outcome]
