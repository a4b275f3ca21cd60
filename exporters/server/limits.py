"""Limits of a request: its host, the length of its URL, and the bytes and the seconds of its body."""

from collections.abc import Callable, Collection

from anyio import fail_after
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from exporters.server.hosts import host_name
from exporters.server.responses import failure
from solver.errors import shown

MOST_URL_BYTES = 8192
"""Bytes of a path with its query."""

MOST_BODY_BYTES = 1 << 20
"""Bytes of a body."""

BODY_SECONDS = 10
"""Seconds in which a body has to come."""


class Limits:
    """Refuses requests to a foreign host, those with a long URL, and all while the service closes."""

    def __init__(self, app: ASGIApp, closing: Callable[[], bool], hosts: Collection[str] | None) -> None:
        """Pass other requests on to `app`; `hosts` are the names that are answered to, None for any."""
        self._app, self._closing, self._hosts = app, closing, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        app = self._app
        if scope["type"] == "http":
            host = Headers(scope=scope).get("host", "")
            if self._closing():
                app = failure(503, "closing", "the service is closing: ask again when it has started again")
            elif self._hosts is not None and host_name(host) not in self._hosts:
                app = failure(
                    400, "unknown-host", f"this service is not {shown(host)}: --allow-host adds a name"
                )
            elif len(scope["raw_path"]) + len(scope["query_string"]) > MOST_URL_BYTES:
                app = failure(414, "long-url", f"a URL should have at most {MOST_URL_BYTES:,} bytes")
        await app(scope, receive, send)


class BodyTooLong(Exception):
    """A body has too many bytes, takes too long to come, or is not sent to its end."""

    def __init__(self, status: int, message: str) -> None:
        """Refuse it with this status."""
        super().__init__(message)
        self.status = status


async def body_of(request: Request) -> bytes:
    """The body of a request; raises `BodyTooLong`."""
    body = bytearray()
    try:
        with fail_after(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > MOST_BODY_BYTES:
                    raise BodyTooLong(413, f"a body should have at most {MOST_BODY_BYTES:,} bytes")
    except TimeoutError:
        raise BodyTooLong(408, f"a body should come within {BODY_SECONDS} seconds") from None
    except ClientDisconnect:
        raise BodyTooLong(400, "a body should be sent to its end") from None
    return bytes(body)
