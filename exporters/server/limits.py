"""Limits of a request: the length of its URL, and the bytes of its body and the seconds until it has come."""

from collections.abc import Callable

from anyio import fail_after
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from exporters.server.responses import failure

MOST_URL_BYTES = 8192
"""Bytes of a path with its query."""

MOST_BODY_BYTES = 1 << 20
"""Bytes of a body."""

BODY_SECONDS = 10
"""Seconds in which a body has to come."""


class Limits:
    """Refuses requests with a long URL, and all while the service closes."""

    def __init__(self, app: ASGIApp, closing: Callable[[], bool]) -> None:
        """Pass other requests on to `app`."""
        self._app, self._closing = app, closing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        app = self._app
        if scope["type"] == "http":
            if self._closing():
                app = failure(503, "closing", "the service is closing: ask again when it has started again")
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
