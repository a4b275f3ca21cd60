"""Limits of a request: its host, the length of its URL, and the size and duration of its head and body.

A site can have its name resolved to this machine, and browsers then let its pages read the answers of local
services (DNS rebinding). So a service on a loopback address answers only to names of loopback.
"""

import asyncio
import re
from collections.abc import Callable, Collection, Iterable
from ipaddress import ip_address

from anyio import fail_after
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from exporters.server.responses import failure
from solver.errors import UsageError, shown

MAX_URL_BYTES = 8192
"""The most bytes of a path with its query."""

MAX_BODY_BYTES = 1 << 20
"""The most bytes of a body."""

BODY_SECONDS = 10
"""Seconds within which a body must arrive."""


class Limits:
    """Refuses requests to a foreign host or with a long URL, and all requests while the service closes."""

    def __init__(self, app: ASGIApp, closing: Callable[[], bool], hosts: Collection[str] | None) -> None:
        """Pass other requests on to `app`; `hosts` are the names that are answered, None for any."""
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
            elif len(scope["raw_path"]) + len(scope["query_string"]) > MAX_URL_BYTES:
                app = failure(414, "long-url", f"a URL should have at most {MAX_URL_BYTES:,} bytes")
        await app(scope, receive, send)


async def body_of(request: Request) -> bytes | Response:
    """The body of a request, or the refusal of one that is too long, arrives too slowly or is incomplete."""
    body = bytearray()
    try:
        with fail_after(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > MAX_BODY_BYTES:
                    return failure(413, "long-body", f"a body should have at most {MAX_BODY_BYTES:,} bytes")
    except TimeoutError:
        return failure(408, "long-body", f"a body should come within {BODY_SECONDS} seconds")
    except ClientDisconnect:
        return failure(400, "long-body", "the body ended too early")
    return bytes(body)


LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names of the loopback addresses."""


def host_name(host: str) -> str | None:
    """The name in a `Host` header, in lower case and without the port; None if it has none."""
    parts = re.fullmatch(r"(\[[0-9a-f:.]+\]|[\w.-]*\w)\.?(:\d*)?", host.lower(), re.ASCII)
    return parts and parts[1]


def answered_hosts(address: str, allowed: Iterable[str]) -> Collection[str] | None:
    """The names that a service at an IP address answers to; None for any name, as except on loopback.

    Raises `UsageError` if one of `allowed` is no name.
    """
    names = {*LOOPBACK, f"[{address}]" if ":" in address else address}
    for host in allowed:
        if (name := host_name(host)) is None:
            raise UsageError(f"--allow-host {host!r} should be a name such as games.example.org")
        names.add(name)
    return names if ip_address(address).is_loopback else None


MAX_HEAD_BYTES = 1 << 16
"""The most bytes of a request line and its headers."""

HEAD_SECONDS = 20
"""The most seconds from the start of a connection, or the last request, to the end of the next head."""


class BoundedProtocol(HttpToolsProtocol):
    """A connection that is closed if the head of a request is too long or too slow."""

    _bytes = 0
    _in_body = False
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first head."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read bytes, which may include the end of a head."""
        self._bytes += len(data)
        super().data_received(data)
        waits_for_head = self._timer is not None and not self._in_body
        if waits_for_head and self._bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response(f"a head should have at most {MAX_HEAD_BYTES:,} bytes")

    def on_headers_complete(self) -> None:
        """Stop waiting for the head; a body may follow."""
        self._stop()
        self._in_body = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """End a body, which may have been refused before it came."""
        self._in_body, self._bytes = False, 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next head."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self._wait()

    def _unsupported_upgrade_warning(self) -> None:
        """Ignore the offer of another protocol: answer the request, then close the connection."""
        self.cycle.keep_alive = False

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are no request, and close the connection."""
        body = failure(400, "bad-request", msg).body
        head = (
            "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()

    def _wait(self) -> None:
        self._stop()
        self._bytes = 0
        self._timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
