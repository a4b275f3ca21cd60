"""A server of the live page of a database, on a port of its own."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from solver import Database
from solver.errors import SolverError
from solver.system.plugins import picture


def answer(db: Database, target: str) -> tuple[int, str, str]:
    """The status, the type and the text of what is at a path of the server."""
    url = urlsplit(target)
    if url.path != "/rows":
        return 200, "text/html", picture("live-page", db, "rows")
    try:
        rows = picture("page-rows", db, parse_qs(url.query, keep_blank_values=True)["position"][0])
    except SolverError as error:
        told = {"error": {"code": type(error).__name__, "message": str(error)}}
        return 404, "application/json", json.dumps(told)
    return 200, "application/json", rows


@contextmanager
def served(db: Database) -> Iterator[str]:
    """The URL of the page while it is served."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, kind, text = answer(db, self.path)
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
