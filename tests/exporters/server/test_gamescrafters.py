"""The web API of GamesCrafters: shapes and values as in their sources."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from exporters.server.gamescrafters import position_described
from solver import open_database
from tests.exporters.server.conftest import client_of
from tests.support.games.explicit_graph import ExplicitGame
from tests.support.solved import solved_file, solving

BASE = "/universal/v1"

POSITION = {"position", "autoguiPosition", "positionValue", "remoteness", "moves"}

MOVE = {"move", "autoguiMove", "moveValue", "deltaRemoteness"} | POSITION - {"moves"}

SEEN_BY_THE_OTHER = {"win": "lose", "lose": "win", "tie": "tie", "draw": "draw"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    shutil.copy(solved_file("tictactoe"), folder / "ttt.db")
    shutil.copy(solved_file("tictactoe", {"misere": True}), folder / "misere.db")
    shutil.copy(solved_file("ponghauki"), folder / "pong.db")
    return folder


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    with client_of(folder / "ttt.db", folder / "misere.db", folder / "pong.db") as client:
        yield client


def response(client: TestClient, path: str) -> Any:
    response = client.get(f"{BASE}{path}")
    assert response.status_code == 200
    return response.json()


def test_games_and_variants_are_listed(client: TestClient) -> None:
    assert response(client, "/") == [
        {"id": name, "name": name, "type": "twoPlayer", "gui": "v0"} for name in ("tictactoe", "ponghauki")
    ]
    game = response(client, "/tictactoe/")
    assert set(game) == {"id", "name", "allowCustomVariantCreation", "supportsWinBy", "variants"}
    assert [variant["id"] for variant in game["variants"]] == ["ttt", "misere"]
    variant = response(client, "/tictactoe/ttt/")
    assert (variant["startPosition"], variant["gui"]) == (".........", "v0")


def test_start_of_tictactoe_is_a_tie(client: TestClient) -> None:
    start = response(client, "/tictactoe/ttt/positions/?p=.........")
    assert (start["positionValue"], len(start["moves"])) == ("tie", 9)
    assert {move["moveValue"] for move in start["moves"]} == {"tie"}
    assert {move["deltaRemoteness"] for move in start["moves"]} == {0}


@pytest.mark.parametrize(("game", "variant"), [("tictactoe", "ttt"), ("ponghauki", "pong")])
def test_move_values_match_their_positions(client: TestClient, folder: Path, game: str, variant: str) -> None:
    with open_database(folder / f"{variant}.db") as db:
        texts = [*db][:: max(1, len(db) // 20)]
    ranks = {"win": 0, "tie": 1, "draw": 1, "lose": 2}
    for text in texts:
        position = response(client, f"/{game}/{variant}/positions/?p={text}")
        assert set(position) == POSITION
        order = [(ranks[move["moveValue"]], move["deltaRemoteness"]) for move in position["moves"]]
        assert order == sorted(order)
        for move in position["moves"]:
            assert set(move) == MOVE
            child = response(client, f"/{game}/{variant}/positions/?p={move['position']}")
            assert move["positionValue"] == child["positionValue"]
            assert move["moveValue"] == SEEN_BY_THE_OTHER[child["positionValue"]]
            assert move["remoteness"] == child["remoteness"]
        if position["moves"]:
            best = position["moves"][0]
            assert (best["moveValue"], best["deltaRemoteness"]) == (position["positionValue"], 0)
            if best["moveValue"] in ("win", "lose"):
                assert position["remoteness"] == best["remoteness"] + 1


@pytest.mark.parametrize(
    ("children", "mover", "utilities", "moves"),
    [
        (((1, 2), (1,), ()), 0, (0, 0, 1), [(1, "win", 0), (0, "win", -200)]),
        (((1, 2), (), (2,)), 1, (0, 1, 0), [(1, "lose", 0), (0, "lose", -200)]),
        (((1, 2, 4), (), (3,), (), ()), 0, (0, 1, 0, 3, 3), [(2, "win", 0), (1, "win", 1), (0, "win", 0)]),
        (((1, 2, 4), (), (3,), (), ()), 1, (0, 3, 0, 3, 1), [(2, "lose", 0), (1, "lose", 1), (0, "lose", 0)]),
    ],
)
def test_best_move_is_first_with_endless_play_or_margins(
    children: Any, mover: int, utilities: tuple[int, ...], moves: list[tuple[int, str, int]]
) -> None:
    game = ExplicitGame(children, (mover, *[1 - mover] * (len(children) - 1)), utilities)
    with solving(game, endless="first") as db:
        actual = position_described(db, "0")["moves"]
        assert [int(move["move"]) for move in actual] == [move.move for move in db["0"].moves]
    assert [(int(move["move"]), move["moveValue"], move["deltaRemoteness"]) for move in actual] == moves


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("/chess/", 404),
        ("/tictactoe/pong/", 404),
        ("/tictactoe/ttt/positions/?p=abc", 400),
        ("/tictactoe/ttt/positions/?p=xxxxxxxxx", 404),
    ],
)
def test_refusal_is_a_string_under_error(client: TestClient, folder: Path, asked: str, status: int) -> None:
    response = client.get(f"{BASE}{asked}")
    assert (response.status_code, list(response.json())) == (status, ["error"])
    assert isinstance(response.json()["error"], str)
    assert str(folder) not in response.text


def test_draw_at_an_end_is_a_tie_if_endless_play_is_won() -> None:
    game = ExplicitGame(((1,), (0, 2), ()), (0, 1, 0), (0, 0, 0))
    with solving(game, endless="first") as db:
        start = position_described(db, "0")
    assert (start["positionValue"], start["remoteness"], start["moves"][0]["moveValue"]) == ("tie", 2, "tie")
    with solving(game) as db:
        start = position_described(db, "0")
    assert (start["positionValue"], start["remoteness"]) == ("draw", -200)
