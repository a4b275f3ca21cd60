"""The application: routes, and handlers that run in threads.

request --> limits --> route --> thread: the current file, the answer of the endpoint --> response
"""

import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from anyio import CapacityLimiter, fail_after, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match, Route

from exporters.html.catalogue import render as catalogue_page
from exporters.server import gamescrafters
from exporters.server.answers import ENDPOINTS, Endpoint, openapi
from exporters.server.files import ServedFile
from exporters.server.limits import Limits, body_of
from exporters.server.responses import HTML, JSON, answered, failure, refused
from solver.database.wording import database_as_dict
from solver.errors import SolverError, UsageError, error_as_dict, summary_of

SECONDS = 20
"""The time limit of a request, in seconds."""

THREADS = 8
"""The number of requests that are answered concurrently."""

Handler = Callable[[Request], Awaitable[Response]]


def application(
    files: Mapping[str, ServedFile],
    origins: Sequence[str] = (),
    closing: Callable[[], bool] = lambda: False,
    hosts: Collection[str] | None = None,
) -> Starlette:
    """The ASGI application that serves files by ID, and closes them when it ends.

    Pages of the `origins` may send requests, too. Requests to a host that is not in `hosts` are refused, and
    all requests while `closing()` is true.
    """
    service = _Service(files)

    def page() -> str:
        return catalogue_page(
            (name, file.database, [(f"Play {name}", f"games/{name}/page")], [], None)
            for name, file in files.items()
        )

    responders: dict[str, Callable[[Request], Response]] = {
        "/": lambda request: answered(page(), HTML),
        "/health": lambda request: answered({"status": "ok"}, JSON),
        "/openapi.json": lambda request: answered(openapi(), JSON),
        "/games": lambda request: answered({"games": _games(files)}, JSON),
        **gamescrafters.responders(files),
    }
    routes = [Route(path, service.handler(respond)) for path, respond in responders.items()]
    for endpoint in ENDPOINTS:
        path, handler = f"/games/{{id}}{endpoint.path}", service.endpoint(endpoint)
        routes.append(Route(path, handler, methods=[endpoint.method]))
    methods, readable = ["GET", "POST"], ["ETag", "Database-Digest"]
    cors = [Middleware(CORSMiddleware, allow_origins=origins, allow_methods=methods, expose_headers=readable)]
    middleware = [
        *(cors if origins else ()),
        Middleware(Limits, closing=closing, hosts=hosts),
        Middleware(GZipMiddleware, minimum_size=1000),
    ]
    handlers: Any = {HTTPException: _unrouted, Exception: _failed}

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        yield
        for file in files.values():
            file.close()

    app = Starlette(routes=routes, middleware=middleware, exception_handlers=handlers, lifespan=life)
    app.router.redirect_slashes = False  # it would redirect to the host in the client's header
    return app


class _Service:
    """Handlers of requests about the served files, which run in threads."""

    def __init__(self, files: Mapping[str, ServedFile]) -> None:
        self._files = files
        self._limiter = CapacityLimiter(THREADS)

    def handler(self, respond: Callable[[Request], Response]) -> Handler:
        """The handler that calls `respond` in a thread."""

        async def handle(request: Request) -> Response:
            return await self._in_thread(partial(respond, request))

        return handle

    def endpoint(self, endpoint: Endpoint) -> Handler:
        """The handler of an endpoint of a game."""

        async def handle(request: Request) -> Response:
            query, name = request.query_params, request.path_params["id"]
            if unknown := [key for key in query if key not in endpoint.parameters]:
                allowed = ", ".join(endpoint.parameters) or "none"
                return refused(UsageError(f"there is no parameter {unknown[0]!r} here; allowed: {allowed}"))
            if repeated := [key for key in query if len(query.getlist(key)) > 1]:
                return refused(UsageError(f"the parameter {repeated[0]!r} should be given only once"))
            if (file := self._files.get(name)) is None:
                return failure(404, "unknown-game", f"no game is served as {name!r}; /games lists them")
            body = await body_of(request) if endpoint.method == "POST" else b""
            if isinstance(body, Response):
                return body
            return await self._in_thread(partial(_answer, endpoint, file, request, body))

        return handle

    async def _in_thread(self, respond: Callable[[], Response]) -> Response:
        try:
            with fail_after(SECONDS):
                return await to_thread.run_sync(respond, abandon_on_cancel=True, limiter=self._limiter)
        except TimeoutError:
            return failure(503, "too-slow", f"the answer takes more than {SECONDS} seconds")


def _answer(endpoint: Endpoint, file: ServedFile, request: Request, body: bytes) -> Response:
    """The response of an endpoint; 304 if the client's copy is current.

    Caches must revalidate their copies each time, as the file may be replaced.
    """
    try:
        with file.database() as db:
            response = answered(endpoint.answered(db, request.query_params, body), endpoint.media)
            if endpoint.method == "GET":
                headers = {"Cache-Control": "no-cache", "ETag": _tag(response.body, request)}
                headers["Database-Digest"] = json.dumps(db.about["sha256"])
                tags = ",".join(request.headers.getlist("If-None-Match")).split(",")
                current = {"*", headers["ETag"], headers["ETag"].removeprefix("W/")}  # a weak comparison
                if current & {*map(str.strip, tags)}:
                    return Response(status_code=304, headers=headers)
                response.headers.update(headers)
            return response
    except SolverError as error:
        return refused(error)


def _games(files: Mapping[str, ServedFile]) -> list[dict[str, Any]]:
    listed = []
    for name, file in files.items():
        try:
            with file.database() as db:
                described = database_as_dict(db)
        except SolverError as error:
            described = error_as_dict(error)
        listed.append({"id": name, **described})
    return listed


def _tag(answer: bytes | memoryview, request: Request) -> str:
    """The ETag of the answer to a request: a hash of the URL and the answer.

    A hash of the file would not do, as the answer also depends on the rules and on this program.
    """
    url = f"{request.scope['path']}?{request.scope['query_string'].decode()} "
    return f'W/"{hashlib.sha256(url.encode() + answer).hexdigest()[:32]}"'


def _unrouted(request: Request, error: HTTPException) -> Response:
    path = request.scope["path"]
    other = path[:-1] if path.endswith("/") else f"{path}/"
    if any(route.matches({**request.scope, "path": other})[0] != Match.NONE for route in request.app.routes):
        name, query = request.scope["raw_path"].decode(), request.scope["query_string"].decode()
        last = name.removesuffix("/").rpartition("/")[2]
        relative = f"../{last}" if name.endswith("/") else f"./{last}/"
        return RedirectResponse(relative + (query and f"?{query}"))
    code = {404: "unknown-path", 405: "wrong-method"}.get(error.status_code, "bad-request")
    advice = "/games lists the games, /openapi.json the paths"
    response = failure(error.status_code, code, f"there is no {request.method} {path}: {advice}")
    if error.status_code == 405:
        routes = [route for route in request.app.routes if route.matches(request.scope)[0] != Match.NONE]
        methods = {method for route in routes for method in getattr(route, "methods", ())}
        response.headers["Allow"] = ", ".join(sorted(methods))
    return response


def _failed(request: Request, error: Exception) -> Response:
    return failure(500, "internal-error", f"the program has failed: {summary_of(error)}")
