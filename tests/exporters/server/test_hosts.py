"""Host names that the service accepts, against DNS rebinding; and redirects without a host name."""

from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from starlette.testclient import TestClient

from tests.support.served_program import reply, serving


def status(port: int, host: str | None) -> int:
    named = "" if host is None else f"Host: {host}\r\n"
    request = f"GET /health HTTP/1.1\r\n{named}Connection: close\r\n\r\n"
    return int(reply(port, request.encode())[9:12])


LOOPBACK = [
    *("localhost", "LocalHost", "localhost.", "localhost:8000"),
    *("127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:80"),
]

FOREIGN = [
    *("example.org", "localhost.example.org", "example.org:8000", "127.0.0.1.example.org", "10.0.0.1"),
    *("[::2]", "localhost@example.org", "localhost:80:80", "", None),
]


def test_loopback_service_answers_only_loopback_and_allowed_hosts(path: Path) -> None:
    options = ("--allow-host", "Games.example.org", "--allow-host", "box:8080")
    answered = [*LOOPBACK, "games.example.org", "games.example.org:443", "box", "box:8080"]
    with serving(path, "--host", "localhost", *options) as (_, port):
        assert {host: status(port, host) for host in answered} == dict.fromkeys(answered, 200)
        assert {host: status(port, host) for host in FOREIGN} == dict.fromkeys(FOREIGN, 400)
        assert reply(port, b"GET /games HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n").endswith(
            b'{"error":{"code":"unknown-host","message":'
            b"\"this service is not 'example.org': --allow-host adds a name\"}}"
        )


def test_service_on_another_address_answers_any_host(path: Path) -> None:
    with serving(path, "--host", "0.0.0.0") as (_, port):
        for host in ("example.org", "localhost", "10.0.0.1:80"):
            assert status(port, host) == 200


REDIRECTED = {
    "/universal/v1": "/universal/v1/",
    "/universal/v1/tictactoe": "/universal/v1/tictactoe/",
    "/universal/v1/tictactoe/a/positions?p=xo.......": "/universal/v1/tictactoe/a/positions/?p=xo.......",
    "/games/": "/games",
    "/games/a/positions/?moves=4%2C0": "/games/a/positions?moves=4%2C0",
    "/games/x:y%20z/page/": "/games/x:y%20z/page",
    "/games/javascript:a/": "/games/javascript:a",
}


@pytest.mark.parametrize("asked", REDIRECTED)
def test_redirects_are_relative_and_work_behind_a_proxy(client: TestClient, asked: str) -> None:
    response = client.get(asked, headers={"Host": "example.org"})
    assert response.status_code == 307
    location = response.headers["location"]
    assert urlsplit(location)[:2] == ("", "")
    assert not location.startswith("/")
    for prefix in ("http://localhost", "https://example.org/below/this"):
        assert urljoin(prefix + asked, location) == prefix + REDIRECTED[asked]


def test_double_slash_path_is_not_redirected(client: TestClient) -> None:
    for asked in ("//example.org/games/", "/games//", "//example.org/universal/v1"):
        assert client.get(f"http://testserver{asked}").status_code == 404


def test_odd_host_does_not_alter_the_path_in_a_refusal(client: TestClient) -> None:
    response = client.get("/nowhere", headers={"Host": "a/b?c"})
    assert response.json()["error"]["message"].startswith("there is no GET /nowhere:")
