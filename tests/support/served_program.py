"""`perfectplay serve` in a process of its own, on a port of its own."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.commandline import PROGRAM


@contextmanager
def serving(*arguments: str | Path, cwd: Path | None = None) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The process, and the port that it listens on."""
    command = [str(PROGRAM), "serve", *map(str, arguments), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=cwd) as program:
        assert program.stderr is not None
        said = program.stderr.readline()
        assert said.endswith("; Ctrl-C ends it\n"), said
        try:
            yield program, int(said.split(":")[2].partition("/")[0])
        finally:
            program.kill()


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 20)


def reply(port: int, request: bytes) -> bytes:
    """All that the service sends until it closes the connection, which the request must make it do."""
    with connected(port) as connection, connection.makefile("rb") as answer:
        connection.sendall(request)
        return answer.read()
