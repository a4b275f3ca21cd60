"""`perfectplay serve` as a program: hostile requests over sockets, and its end."""

import random
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

from tests.support.commandline import refusal
from tests.support.served_program import connected, reply, serving

GOOD = b"GET /games/a/positions?position=xo....... HTTP/1.1\r\nHost: localhost\r\n\r\n"

POST = b"POST /games/a/positions HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"

LAST = GOOD[:-2] + b"Connection: close\r\n\r\n"


@pytest.fixture(scope="module")
def port(path: Path) -> Iterator[int]:
    with serving(path) as (_, port):
        yield port


@pytest.fixture(scope="module")
def quiet_port(path: Path) -> Iterator[int]:
    """The port of a program that ends when it is told to, and has said nothing by then."""
    with serving(path) as (program, port):
        yield port
        program.send_signal(signal.SIGTERM)
        assert program.wait(30) in (0, -signal.SIGTERM)
        assert program.stderr is not None
        assert program.stderr.read() == ""


def answers(port: int) -> bool:
    response = httpx2.get(f"http://127.0.0.1:{port}/games/a/positions?position=xo.......")
    return response.status_code == 200 and response.json()["best_move"] == 3


def test_service_survives_malformed_requests(port: int) -> None:
    chance = random.Random(0)
    for number in range(1000):
        request = bytearray(GOOD)
        for _ in range(chance.randint(1, 8)):
            at = chance.randrange(len(request))
            chosen = chance.choice(["change", "cut", "insert", "repeat"])
            if chosen == "change":
                request[at] = chance.randrange(256)
            elif chosen == "cut":
                del request[at : at + chance.randint(1, 9)]
            elif chosen == "insert":
                request[at:at] = chance.randbytes(chance.randint(1, 20))
            else:
                request += request[at : at + 30]
            request = request or bytearray(b"?")
        with connected(port) as connection:
            connection.sendall(request)
            if number % 10 == 0:
                connection.shutdown(socket.SHUT_WR)
                connection.settimeout(1)
                try:
                    actual = connection.recv(65536)
                except (TimeoutError, ConnectionError):
                    actual = b""
                assert b"Traceback" not in actual
    assert answers(port)


def test_invalid_request_is_refused_as_json(port: int) -> None:
    actual = reply(port, b"\x00\x01\x02\r\n\r\n")
    assert actual.startswith(b"HTTP/1.1 400 ")
    assert actual.endswith(b'{"error":{"code":"bad-request","message":"Invalid HTTP request received."}}')


def test_too_long_request_head_is_refused(port: int) -> None:
    actual = reply(port, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 15_000)
    assert actual.startswith(b"HTTP/1.1 400 ")
    assert b"a head should have at most 65,536 bytes" in actual


def test_slow_clients_do_not_block_others(port: int) -> None:
    with ExitStack() as slow:
        for number in range(100):
            slow.enter_context(connected(port)).sendall(GOOD[: number % 40 + 1])
        assert all(answers(port) for _ in range(5))


def test_signal_ends_service_after_the_current_request(path: Path) -> None:
    with serving(path) as (program, port):
        assert answers(port)
        body = b'["........."]'
        # the first connection asks nothing
        with connected(port), connected(port) as connection, connection.makefile("rb") as answer:
            connection.sendall(POST % len(body))
            time.sleep(0.5)
            program.send_signal(signal.SIGTERM)
            time.sleep(0.5)
            connection.sendall(body)
            assert b'"remoteness":null' in answer.read()
            assert program.wait(10) in (0, -signal.SIGTERM)
        assert program.stderr is not None
        assert program.stderr.read() == ""


def test_taken_port_is_reported_in_one_line(path: Path, port: int) -> None:
    said = refusal(2, "serve", str(path), "--port", str(port))
    wanted = f"cannot listen on 127.0.0.1, port {port}: Address already in use; choose --host and --port"
    assert said == f"Error: {wanted}\n"


def test_client_leaving_during_a_body_logs_nothing(quiet_port: int) -> None:
    for sent in (b"", b'["xo', b" " * 100_000):
        with connected(quiet_port) as connection:
            connection.sendall(POST % 200_000 + sent)
            time.sleep(0.2)
    assert answers(quiet_port)


REFUSED_BEFORE_THE_BODY = {
    b"POST /games/a/positions": b" 413 ",
    b"POST /games/none/positions": b" 404 ",
    b"PUT /games/a/positions": b" 405 ",
    b"POST /games/a/positions?a=b": b" 400 ",
}


@pytest.mark.parametrize("asked", REFUSED_BEFORE_THE_BODY)
def test_rest_of_a_refused_body_is_not_read_as_requests(port: int, asked: bytes) -> None:
    body = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100_000
    head = asked + b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
    with connected(port) as connection, connection.makefile("rb") as answer:
        connection.sendall(head + body[:2_000_000])
        assert REFUSED_BEFORE_THE_BODY[asked] in answer.readline()
        connection.sendall(body[2_000_000:])
        connection.sendall(LAST)
        rest = answer.read()
        assert rest.count(b"HTTP/1.1 ") == 1, rest[:1000]
        assert b"HTTP/1.1 200 OK" in rest
        assert b'"best_move":3' in rest


def test_protocol_upgrade_offer_is_ignored(quiet_port: int) -> None:
    offers = GOOD[:-2] + b"Connection: Upgrade\r\nUpgrade: %s\r\nSec-WebSocket-Version: 13\r\n\r\n"
    for protocol in (b"websocket", b"h2c"):
        actual = reply(quiet_port, offers % protocol)
        assert actual.startswith(b"HTTP/1.1 200 OK")
        assert b'"best_move":3' in actual
