"""What the file of a solved game says of itself, in the table `about` of either layout."""

import json
from importlib.metadata import version
from typing import Any

from solver.game import AnyGame
from solver.rules.loading import game_name, game_parameters
from solver.rules.notation import write_position
from solver.rules.source.fingerprint import fingerprint


def described(
    game: AnyGame,
    layout: int,
    *,
    start: Any,
    starts: int,
    endless: str,
    folded: bool,
    values: tuple[int, int],
    states: int,
    terminal: int,
    moves: int,
) -> dict[str, str]:
    """The rows of `about`, by key, but for the digest.

    `layout` is the number of the layout, `start` the first of `starts` states in which play may begin,
    `values` the least and the greatest minimax value; then the numbers of states, of terminal ones, of moves.
    """
    name = game_name(game)
    return {
        "format": f"perfectplay {layout}",
        "program": f"perfectplay {version('perfectplay')}",
        "game": name,
        "rules": fingerprint(name),
        "parameters": json.dumps(game_parameters(game)),
        "start": write_position(game, start),
        "starts": str(starts),
        "endless": endless,
        "folded": json.dumps(folded),
        "values": json.dumps(list(values)),
        "states": str(states),
        "terminal": str(terminal),
        "moves": str(moves),
    }
