"""Serves one database, on a port of its own."""

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from threading import Thread
from urllib.parse import quote

import uvicorn

from exporters.server.app import application
from exporters.server.files import ServedFile
from solver import Database


@contextmanager
def served(db: Database) -> Iterator[str]:
    """The URL of the page while it is served."""
    with socket.create_server(("127.0.0.1", 0)) as listening, closing(ServedFile(db.path)) as file:
        server = uvicorn.Server(uvicorn.Config(application({file.id: file}), log_config=None, ws="none"))
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/games/{quote(file.id, safe='')}/page"
        finally:
            server.should_exit = True
            thread.join()
