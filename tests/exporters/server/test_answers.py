"""The service gives the answers of the command line; its errors have one form."""

import json
import re
import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from starlette.routing import Route
from starlette.testclient import TestClient

from exporters.server.answers import MAX_POSITIONS
from exporters.server.limits import MAX_BODY_BYTES, MAX_URL_BYTES
from solver import open_database
from solver.rules.loading import load_game
from tests.exporters.server.conftest import client_of
from tests.support.commandline import call
from tests.support.solved import solved_file

FILES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "readable": ("tictactoe", {}, {}),
    "packed": ("tictactoe", {}, {"layout": "packed"}),
    "folded": ("connect", {"rows": 3, "columns": 3, "k": 3}, {"fold": True}),
    "loops": ("ponghauki", {}, {}),
    "scored": ("dots-and-boxes", {"rows": 1, "columns": 2}, {}),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of solved games."""
    folder = tmp_path_factory.mktemp("served")
    for name, (game, parameters, options) in FILES.items():
        shutil.copy(solved_file(game, parameters, **options), folder / f"{name}.db")
    return folder


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    with client_of(*(folder / f"{name}.db" for name in FILES)) as client:
        yield client


def answer(client: TestClient, path: str, **query: Any) -> Any:
    response = client.get(path, params=query)
    assert response.status_code == 200, response.text
    return response.json()


def test_position_answers_equal_those_of_the_command_line(client: TestClient, folder: Path) -> None:
    asked = []
    for name in FILES:
        with open_database(folder / f"{name}.db") as db:
            asked += [(name, text) for text in [*db][:: max(1, len(db) // 3)]]
    for path, options in (("positions", []), ("ranking", ["--rank"]), ("line", ["--line"])):
        for name, text in asked:
            words = ["query", f"{folder}/{name}.db", "--json", *options, "--", text]
            said = json.loads(call(*words).stdout)
            actual = answer(client, f"/games/{name}/{path}", position=text)
            assert {"game": said["game"], "parameters": said["parameters"], **actual} == said


@pytest.mark.parametrize("name", FILES)
def test_games_are_listed_and_described(client: TestClient, folder: Path, name: str) -> None:
    about = answer(client, f"/games/{name}")
    assert {"id": name, **about} in answer(client, "/games")["games"]
    with open_database(folder / f"{name}.db") as db:
        assert (about["states"], about["start"], about["sha256"]) == (len(db), db.start, db.about["sha256"])
    said = call("stats", f"{folder}/{name}.db", "--json")
    assert answer(client, f"/games/{name}/stats") == json.loads(said.stdout)
    page = client.get("/").text
    assert escape(about["title"]) in page
    assert f'href="games/{name}/page">Play {name}</a>' in page


def test_position_can_be_given_by_its_moves(client: TestClient) -> None:
    actual = answer(client, "/games/readable/positions", moves="4, 0,8")
    assert actual == answer(client, "/games/readable/positions", position="o...x...x")
    for nothing in ({}, {"moves": ""}):
        assert answer(client, "/games/readable/positions", **nothing)["position"] == "........."


@pytest.mark.parametrize("name", FILES)
def test_many_positions_are_answered_at_once(client: TestClient, folder: Path, name: str) -> None:
    with open_database(folder / f"{name}.db") as db:
        texts = [*db][:15]
    actual = client.post(f"/games/{name}/positions", json=texts).json()["positions"]
    for text, item in zip(texts, actual, strict=True):
        alone = answer(client, f"/games/{name}/positions", position=text)
        best = [move["move"] for move in alone["moves"] if move["best"]]
        labels = {key: alone[key] for key in ("position", "value", "remoteness")}
        assert item == {**labels, "best_moves": best}


def test_picture_equals_that_of_the_command_line(client: TestClient, folder: Path) -> None:
    said = call("query", f"{folder}/packed.db", "xo.......", "-o", "-")
    response = client.get("/games/packed/value.svg", params={"position": "xo......."})
    assert (response.text, response.headers["content-type"]) == (said.stdout, "image/svg+xml")


REFUSED: list[tuple[str | bytes, int, str]] = [
    ("/games/readable/positions?position=abc", 400, "unreadable-position"),
    ("/games/readable/positions?position=xxxxxxxxx", 404, "unknown-position"),
    ("/games/packed/positions?position=xxx......", 404, "unknown-position"),
    ("/games/readable/positions?moves=4,4", 400, "unreadable-position"),
    ("/games/readable/positions?moves=4&position=x", 400, "usage-error"),
    ("/games/readable/positions?positon=x", 400, "usage-error"),
    ("/games/readable/positions?moves=4&moves=0", 400, "usage-error"),
    ("/games/readable/line?position=%00", 400, "unreadable-position"),
    ("/games/readable/value.svg?position=?", 400, "unreadable-position"),
    ("/games/other/positions", 404, "unknown-game"),
    ("/games/..%2Freadable/positions", 404, "unknown-path"),
    ("/games/%2Fetc%2Fpasswd", 404, "unknown-path"),
    ("/nowhere", 404, "unknown-path"),
    (f"/games/readable/positions?position={'x' * MAX_URL_BYTES}", 414, "long-url"),
    (b"{", 400, "usage-error"),
    (b'"x"', 400, "usage-error"),
    (b"[1]", 400, "usage-error"),
    (b'["abc"]', 400, "unreadable-position"),
    (b'["xxxxxxxxx"]', 404, "unknown-position"),
    (json.dumps(["........."] * (MAX_POSITIONS + 1)).encode(), 413, "too-many-positions"),
    (b" " * (MAX_BODY_BYTES + 1), 413, "long-body"),
    (b"[" * 10_000, 400, "usage-error"),
]
"""What is asked, as an address or as the body of a list of positions; the status and code of the refusal."""


@pytest.mark.parametrize(("asked", "status", "code"), REFUSED)
def test_refusals_have_one_form(client: TestClient, folder: Path, asked: Any, status: int, code: str) -> None:
    is_body = isinstance(asked, bytes)
    response = client.post("/games/packed/positions", content=asked) if is_body else client.get(asked)
    assert (response.status_code, list(response.json())) == (status, ["error"])
    assert response.json()["error"]["code"] == code
    assert "\n" not in response.json()["error"]["message"]
    assert str(folder) not in response.text


def test_other_methods_are_refused(client: TestClient) -> None:
    for method in ("PUT", "DELETE", "PATCH", "POST"):
        response = client.request(method, "/games/readable/line")
        assert (response.status_code, response.json()["error"]["code"]) == (405, "wrong-method")
        assert response.headers["allow"] == "GET, HEAD"
    response = client.request("PUT", "/games/readable/positions")
    assert response.headers["allow"] == "GET, HEAD, POST"


def test_matching_etag_gets_not_modified(client: TestClient) -> None:
    url = "/games/packed/positions?position=xo......."
    first = client.get(url)
    assert first.headers["cache-control"] == "no-cache"
    tag = first.headers["etag"]
    again = client.get(url, headers={"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    for lines in (['"other"', tag], ["*"], [tag.removeprefix("W/")]):
        headers = [("If-None-Match", line) for line in lines]
        assert client.get(url, headers=headers).status_code == 304, lines
    assert client.get("/games/packed/positions", headers={"If-None-Match": tag}).status_code == 200
    assert client.get("/games/readable/positions?position=xo.......").headers["etag"] != tag


def test_head_request_returns_only_headers(client: TestClient) -> None:
    url = "/games/packed/positions?position=xo......."
    got, head = client.get(url), client.head(url)
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", got.headers["etag"])


def test_long_answers_are_compressed_on_request(client: TestClient) -> None:
    plain = client.get("/games/packed/value.svg", headers={"Accept-Encoding": "identity"})
    packed = client.get("/games/packed/value.svg", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert (packed.text, "Accept-Encoding" in packed.headers["vary"]) == (plain.text, True)


def test_cross_origin_requests_need_an_allowed_origin(client: TestClient, folder: Path) -> None:
    asks = {"Origin": "https://example.org"}
    assert "access-control-allow-origin" not in client.get("/games", headers=asks).headers
    with client_of(folder / "packed.db", origins=["https://example.org"]) as open_client:
        allowed = open_client.get("/games/packed/positions", headers=asks).headers
        assert allowed["access-control-allow-origin"] == "https://example.org"
        readable = {*allowed["access-control-expose-headers"].lower().split(", ")}
        assert readable == {"etag", "database-digest"} <= {*allowed}  # in pages of that origin
        other = open_client.get("/games", headers={"Origin": "https://example.com"}).headers
        assert "access-control-allow-origin" not in other


def test_openapi_description_has_every_path(client: TestClient) -> None:
    described = answer(client, "/openapi.json")
    validate(described)
    routes = [route for route in client.app.routes if isinstance(route, Route)]  # type: ignore[attr-defined]
    ours = {route.path for route in routes if re.match(r"/(games|health|openapi)", route.path)}
    assert set(described["paths"]) == ours
    for path, operations in described["paths"].items():
        methods = {method for route in routes if route.path == path for method in route.methods or ()}
        assert {method.upper() for method in operations} == methods - {"HEAD"}


@pytest.mark.parametrize("name", FILES)
def test_answers_follow_the_openapi_description(client: TestClient, name: str) -> None:
    described = answer(client, "/openapi.json")
    tried = 0
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            content = operation["responses"]["200"]["content"]
            if "application/json" not in content:
                continue
            schema = content["application/json"]["schema"]
            start = answer(client, f"/games/{name}")["start"]
            body = [start] if method == "post" else None
            response = client.request(method, path.format(id=name), json=body)
            Draft202012Validator({**schema, "components": described["components"]}).validate(response.json())
            tried += 1
    assert tried == 10  # all but the page and the picture
    refused = client.get(f"/games/{name}/positions", params={"position": "none"}).json()
    schema = {"$ref": "#/components/schemas/error", "components": described["components"]}
    Draft202012Validator(schema).validate(refused)


def test_closing_service_refuses_requests(folder: Path) -> None:
    closing = False
    with client_of(folder / "packed.db", closing=lambda: closing) as client:
        assert client.get("/health").json() == {"status": "ok"}
        closing = True
        refused = client.get("/health")
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "closing")


def test_slow_answer_is_refused_after_the_time_limit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exporters.server.app.SECONDS", 0)
    with client_of(folder / "packed.db") as client:
        refused = client.get("/games")
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "too-slow")


def test_changed_title_invalidates_the_etag(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Titles and pictures of rules are no part of what a file is solved by."""
    url = "/games/packed/page"
    tag = client.get(url).headers["etag"]
    monkeypatch.setattr(type(load_game("tictactoe", {})), "title", "Noughts and crosses")
    response = client.get(url, headers={"If-None-Match": tag})
    assert (response.status_code, "Noughts and crosses" in response.text) == (200, True)
