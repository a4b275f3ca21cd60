"""OpenSpiel's rules by name, where they can be solved, and what is known of them.

They are those of Lanctot et al. (2019), *OpenSpiel: A Framework for Reinforcement Learning in Games*
(arXiv:1908.09453). OpenSpiel's states carry the moves that led to them, and its pictures need not show all
that matters: how often a board was met, which move was the last, whether a castle may move. `MERGED` has the
games whose pictures do: each is proved by the tests, which go through every history of small boards, and is
tried on larger ones.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import Any

from solver.errors import BadParameter, shown
from solver.games.openspiel_trial import MOST_ACTIONS, refuse_deadly

MERGED = {
    "breakthrough": "men advance or are taken, and the board shows them",
    "clobber": "each move takes a stone, and the board shows the rest",
    "connect_four": "stones are only added, and the board shows them",
    "dots_and_boxes": "lines are only added, and the picture shows them and who owns the boxes",
    "gomoku": "stones are only added, and the board shows them",
    "hex": "stones are only added, and the board shows them",
    "mnk": "marks are only added, and the board shows them",
    "nim": "piles only shrink, and the text shows them",
    "tic_tac_toe": "marks are only added, and the board shows them",
    "y": "stones are only added, and the board shows them and which came last",
}
"""The games whose picture and mover decide all that follows, by OpenSpiel's names, and why."""

LONGEST = 300
"""Characters of a message of OpenSpiel that are repeated."""

WRAPPERS = ("misere", "start_at")
"""Games of OpenSpiel that play another one, which their parameter `game` names, by its states."""


def rules_called(name: str) -> Any:
    """OpenSpiel's game of that name; raises `BadParameter`."""
    try:
        import pyspiel
    except ImportError:
        raise BadParameter("OpenSpiel is not installed: `pip install open_spiel` brings its games") from None
    plain = name.partition("(")[0]
    if plain not in pyspiel.registered_names():
        known = ", ".join(kind.short_name for kind in pyspiel.registered_games() if not _strange(kind))
        raise BadParameter(
            f"OpenSpiel has no game {shown(plain)}; those for two with nothing hidden are {known}"
        )
    if plain != name:  # with the parameters that it is made for each game can be played
        refuse_deadly(name)
    with _failure_named(name):
        game = pyspiel.load_game(name)
    strange = _strange(game.get_type()) or (
        game.num_players() != 2 and f"is for {game.num_players()} players"
    )
    if strange:
        raise BadParameter(
            f"{name} {strange}: it should be for two who move in turns, with nothing hidden or left to chance"
        )
    if game.num_distinct_actions() > MOST_ACTIONS:
        raise BadParameter(f"{name} is too large: it has more than {MOST_ACTIONS:,} actions")
    with _failure_named(name):
        game.new_initial_state()
    return game


def picture_decides(game: Any) -> bool:
    """Whether a picture of the board and who is to move decide all that follows."""
    found = game.get_parameters() | {"name": game.get_type().short_name}
    while found["name"] in WRAPPERS:
        found = found["game"]
    return found["name"] in MERGED


def picture(opened: Any) -> str:
    """The picture of a state of OpenSpiel in one line."""
    return str(opened).strip().replace("\n", "/")


def mover(opened: Any) -> int:
    """The player to move; where the game is over, whoever did not make the last move."""
    history = opened.full_history()
    if opened.is_terminal():
        return 1 - int(history[-1].player) if history else 0
    return int(opened.current_player())


def _strange(kind: Any) -> str:
    """Why games of this kind cannot be solved here, nothing if they can."""
    wanted = {
        "dynamics": ("SEQUENTIAL", "is not played in turns"),
        "chance_mode": ("DETERMINISTIC", "leaves something to chance"),
        "information": ("PERFECT_INFORMATION", "hides something from the players"),
        "utility": ("ZERO_SUM", "is not zero-sum"),
        "reward_model": ("TERMINAL", "pays before the end"),
    }
    if not kind.min_num_players <= 2 <= kind.max_num_players:
        return "is not for two players"
    return next((why for name, (value, why) in wanted.items() if getattr(kind, name).name != value), "")


@contextmanager
def _failure_named(name: str) -> Iterator[None]:
    """Turn what OpenSpiel raises into `BadParameter`; what it then also prints is dropped."""
    sys.stderr.flush()
    kept = os.dup(2)
    with TemporaryFile() as held:
        os.dup2(held.fileno(), 2)
        try:
            yield
            held.seek(0)
            os.write(kept, held.read())
        except Exception as error:
            why = " ".join(str(error).split())
            raise BadParameter(f"OpenSpiel cannot load {shown(name)}: {why[:LONGEST]}") from None
        finally:
            os.dup2(kept, 2)
            os.close(kept)
