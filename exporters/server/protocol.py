"""HTTP/1.1 of uvicorn, with a limit to the bytes and to the seconds until the head of a request has come."""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from exporters.server.responses import as_json, error_object

MOST_HEAD_BYTES = 1 << 16
"""Bytes of a request line and its headers."""

HEAD_SECONDS = 20
"""Seconds from the first byte of a connection, or from the last request, to the end of the next head."""


class BoundedProtocol(HttpToolsProtocol):
    """A connection, which is closed if the head of a request is too long or too slow."""

    _bytes = 0
    _in_body = False
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first head."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read some bytes, which may have the end of a head."""
        self._bytes += len(data)
        super().data_received(data)
        waits_for_head = self._timer is not None and not self._in_body
        if waits_for_head and self._bytes > MOST_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response(f"a head should have at most {MOST_HEAD_BYTES:,} bytes")

    def on_headers_complete(self) -> None:
        """Begin to answer."""
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
        """Answer a request that offers another protocol as one that does not, and read no more after it."""
        self.cycle.keep_alive = False

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that is none, and close the connection."""
        body = as_json(error_object("bad-request", msg)).encode()
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
