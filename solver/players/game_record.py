"""Records of played games as JSON Lines, one game per line, and their check against the rules."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Any

from solver.database.header import is_database
from solver.database.lines import not_legal
from solver.errors import ForeignFile, NoMove, SolverError
from solver.game import ENDLESS, FIRST, SECOND, AnyGame, sign_for, winner_of
from solver.players.match import PlayedGame, end_of
from solver.players.simple import action_called
from solver.rules.asking import actions_of, mover_of
from solver.rules.failures import rules_asked
from solver.rules.loading import game_parameters
from solver.rules.named import as_named, game_of_file
from solver.rules.notation import read_position, write_action, write_position
from solver.system.strict_json import MAX_BYTES, parse_json
from solver.system.words import no_file

KINDS: dict[str, type | UnionType] = {
    "game": str,
    "parameters": dict,
    "players": list,
    "start": str,
    "moves": list,
    "utility": int | None,
    "note": str | None,
}
"""The keys of a record and the types of their values."""


class BrokenRecord(SolverError):
    """A recorded game is impossible by the rules."""


def as_line(game: AnyGame, played: PlayedGame) -> str:
    """The game as a line of JSON without the line break; a lone surrogate is replaced by a question mark."""
    record = {
        **as_named(game),
        "parameters": game_parameters(game),
        "players": list(played.players),
        "start": played.start,
        "moves": list(played.moves),
        "utility": played.utility,
        "winner": None if played.winner is None else game.players[played.winner],
        "note": played.note,
        **({} if played.endless == "draw" else {"endless": played.endless}),
    }
    return json.dumps(record, ensure_ascii=False).encode(errors="replace").decode()


def read_games(path: str | Path) -> Iterator[tuple[AnyGame, PlayedGame]]:
    """The games in a file, each with its rules; `replay` checks whether they are legal.

    Blank lines are skipped. Raises `MissingFile`, `ForeignFile` (a line is not a game, or there is no game)
    and, for the rules, what `game_of_file` raises.
    """
    if not Path(path).is_file():
        raise no_file(path, "`perfectplay match --save FILE` writes games")
    if is_database(Path(path)):
        raise ForeignFile(
            f"{path} is a database: `perfectplay match {path} PLAYER PLAYER --save FILE` writes games"
        )
    with Path(path).open("rb") as file:
        number = games = 0
        while line := file.readline(MAX_BYTES + 1):
            number += 1
            if line.strip():
                games += 1
                yield _read(line, f"line {number} of {path}", Path(path).resolve().parent)
    if not games:
        raise ForeignFile(f"{path} has no game: `perfectplay match --save {path} --force` writes games")


def replay(game: AnyGame, played: PlayedGame) -> list[Any]:
    """The states of a recorded game, from its start on.

    Raises `BrokenRecord` for an illegal move or an end that differs from the recorded one, and `BrokenRules`.
    The end of an unfinished game is not checked.
    """
    with rules_asked(game):
        try:
            states = [read_position(game, played.start)]
        except SolverError as error:
            raise BrokenRecord(str(error)) from error
        met, unfinished = Counter[Any](), played.utility is None
        for ply, move in enumerate(played.moves):
            met[states[-1]] += 1
            if not unfinished and end_of(game, states[-1], met, ply, played.endless):
                raise BrokenRecord(f"move {ply + 1} is played after the end of the game")
            states.append(_next(game, states[-1], move, ply + 1))
        met[states[-1]] += 1
        if not unfinished:
            end = end_of(game, states[-1], met, len(played.moves), played.endless)
            if end is None and not played.note:
                raise BrokenRecord(f"the game is not over in {write_position(game, states[-1])!r}")
            utility = end[0] if end else -sign_for(mover_of(game, states[-1]))  # who is to move forfeits
            if utility != played.utility:
                raise BrokenRecord(f"the game ends with the utility {utility}, not {played.utility}")
    if played.winner != (None if played.utility is None else winner_of(played.utility)):
        raise BrokenRecord(f"the utility {played.utility} is not that of a game with this winner")
    return states


def _next(game: AnyGame, state: Any, move: str | int, ply: int) -> Any:
    try:
        return game.result(state, action_called(game, state, move))
    except NoMove as error:
        names = (write_action(game, action) for action in actions_of(game, state))
        raise BrokenRecord(not_legal(ply, move, write_position(game, state), names)) from error


def _read(line: bytes, where: str, folder: Path) -> tuple[AnyGame, PlayedGame]:
    record = parse_json(line, where)
    for key, wanted in KINDS.items():
        if not isinstance(record, dict) or key not in record or not _is(record[key], wanted):
            raise ForeignFile(f"{where} is not a game: it should be an object with {', '.join(KINDS)}")
    if not all(_is(move, str | int) for move in record["moves"]):
        raise ForeignFile(f"{where} is not a game: each of its moves should be a text or an integer")
    first, second = (*map(str, record["players"]), "?", "?")[:2]
    if (endless := record.get("endless", "draw")) not in tuple(ENDLESS):
        raise ForeignFile(f"{where} is not a game: 'endless' should be one of {', '.join(ENDLESS)}")
    utility = record["utility"]
    winner = None if utility is None else winner_of(utility)
    game = game_of_file(where, record, record["parameters"], folder=folder, changed=True)
    if "winner" in record:
        winner = next((side for side in (FIRST, SECOND) if game.players[side] == record["winner"]), None)
    moves = tuple(record["moves"])
    return game, PlayedGame((first, second), record["start"], moves, winner, utility, record["note"], endless)


def _is(value: Any, wanted: type | UnionType) -> bool:
    """Whether a JSON value has the type `wanted`; booleans are not integers."""
    return isinstance(value, wanted) and not isinstance(value, bool)
