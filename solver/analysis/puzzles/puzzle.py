"""Puzzles: positions with several moves, of which exactly one keeps the value; and their difficulty.

The look-ahead is the least number of plies within which either that move, or every other move, is followed to
its end (`Move.remoteness`): a player who looks less far, and evaluates only terminal states, cannot identify
the move. A draw to which nobody hurries is seen only where it ends the game: after the move, or after a reply
to a move that throws a win away. A move is also found by captures, which everybody tries first: in one ply if
it captures more than every other move, in three if it is the only move after which the next one captures
whatever the reply is, as by a double threat. A capture is recognized on the board, without knowledge of the
game: the opponent has fewer marks than before.

Puzzles are ordered by their look-ahead, then by the number of moves, then by the number of quiet replies:
replies to the move after which the game is not won within one ply. A quiet move leaves many of them, a threat
few.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from solver.database import Database
from solver.database.entry import Entry, Move
from solver.game import SIGNS, AnyGame, sign_for
from solver.rules.arrays import Flags, Keys
from solver.rules.asking import actions_of, board_of, is_over, mover_of, owner_of, representative, utility_of
from solver.rules.notation import write_action, write_position

NEVER = 2**31 - 1
"""The plies to an end that is never seen: more than any game has."""

SEEN = 1
"""The plies within which a move is seen to end the game, or to capture more than every other move."""


class _Marks(NamedTuple):
    own: int
    others: int

    def taken(self, later: "_Marks") -> int:
        """The marks that the opponent has lost on the later board; 0 if the player has lost more."""
        taken = self.others - later.others
        return taken if taken > 0 and taken >= self.own - later.own else 0


def plies_to_gain(game: AnyGame, state: Any, answer: Any) -> int:
    """The plies within which the move to the state `answer` is found by captures.

    1 if it captures more than every other move. 3 if after it, and after no other move, the player's next
    move can capture whatever the reply is, and at least as much as is lost. Otherwise `NEVER`.
    """
    player = mover_of(game, state)
    before = _marks(game, state, player)
    if not before.others:
        return NEVER
    taken = {child: before.taken(_marks(game, child, player)) for child in _after(game, state)}
    if taken[answer] > max((count for child, count in taken.items() if child != answer), default=0):
        return SEEN
    if not _takes(game, answer, player, before):
        return NEVER
    others = (child for child in taken if child != answer)
    return NEVER if any(_takes(game, child, player, before) for child in others) else SEEN + 2


def plies_to_draw(game: AnyGame, state: Any, value: int) -> int:
    """The plies within which a move to `state` is seen to allow a draw to which nobody hurries.

    1 if the game is over in `state`, 2 if a reply ends it with the utility `value`, else `NEVER`.
    """
    if is_over(game, state):
        return SEEN
    replies = _after(game, state)
    ended = any(is_over(game, reply) and utility_of(game, reply) == value for reply in replies)
    return SEEN + 1 if ended else NEVER


def _takes(game: AnyGame, state: Any, player: int, before: _Marks) -> bool:
    """Whether the player can capture by the next move, whatever the reply in `state` is."""
    if is_over(game, state) or mover_of(game, state) == player:
        return False
    return all(
        any(before.taken(_marks(game, child, player)) for child in _after(game, reply))
        for reply in _after(game, state)
    )


def _after(game: AnyGame, state: Any) -> Iterator[Any]:
    return (game.result(state, action) for action in actions_of(game, state))


def _marks(game: AnyGame, state: Any, player: int) -> _Marks:
    owners = [owner_of(game, mark) for row in board_of(game, state) or () for mark in row if mark]
    return _Marks(owners.count(player), owners.count(1 - player))


KEPT_OUTCOMES = ("win", "draw")
"""The outcomes of positions that can be puzzles; in a lost position there is nothing to keep."""

SOON = 1
"""The most plies after a reply within which it is won at once, so that the reply is not quiet."""


@dataclass(frozen=True)
class Wanted:
    """The selection of puzzles."""

    count: int
    """The most puzzles."""
    player: int | None = None
    """The player to move, 0 or 1; None for either."""
    plies: range | None = None
    """The range of the remoteness; None for any, including draws without one."""
    outcome: str | None = None
    """`win` or `draw`; None for both."""

    def among(self, values: Keys, signs: Keys, remoteness: Keys) -> Flags:
        """Which positions are selected, given their values, signs of the player to move, and remoteness."""
        outcomes = KEPT_OUTCOMES if self.outcome is None else (self.outcome,)
        flags: Flags = np.isin(np.sign(values) * signs, [SIGNS[outcome] for outcome in outcomes])
        if self.player is not None:
            flags &= signs == sign_for(self.player)
        if self.plies is not None:
            flags &= (remoteness >= self.plies.start) & (remoteness < self.plies.stop)
        return flags


class Difficulty(NamedTuple):
    """The difficulty of a puzzle; a greater tuple is harder."""

    ahead: int
    """The look-ahead in plies; `NEVER` if no end is ever seen."""
    moves: int
    """The number of legal moves."""
    replies: int
    """The number of quiet replies to the move."""


class Puzzle(NamedTuple):
    """A position in which exactly one move keeps the value."""

    entry: Entry
    answer: Move
    difficulty: Difficulty


def puzzle_in(db: Database, entry: Entry) -> Puzzle | None:
    """The puzzle in a position of the database; None if the position is no puzzle."""
    if len(entry.keeping) != 1 or len(entry.moves) < 2 or entry.outcome not in KEPT_OUTCOMES:
        return None
    (answer,) = entry.keeping
    difficulty = Difficulty(_ahead(db, entry, answer), len(entry.moves_by_action), _quiet(db, entry, answer))
    return Puzzle(entry, answer, difficulty)


def look_aheads(parents: Keys, keeps: Flags, ends: Keys, size: int) -> Keys:
    """The look-aheads of `size` positions, given the parent of each move, `keeps` and its end in plies."""
    own, others = np.zeros((2, size), np.int64)
    np.maximum.at(own, parents[keeps], ends[keeps])
    np.maximum.at(others, parents[~keeps], ends[~keeps])
    return np.minimum(own, others)


def class_of(db: Database, puzzle: Puzzle) -> tuple[Any, Any]:
    """The symmetry class of a puzzle and its place in the class, both as sortable keys.

    The canonical position comes first in its class.
    """
    state = db.state_of(puzzle.entry.position)
    canonical = representative(db.game, state)
    if isinstance(state, int):
        return canonical, (state != canonical, state)
    return write_position(db.game, canonical), (state != canonical, puzzle.entry.position)


def _ahead(db: Database, entry: Entry, answer: Move) -> int:
    game, state = db.game, db.state_of(entry.position)
    after = {write_action(game, action): game.result(state, action) for action in actions_of(game, state)}
    own = after[answer.move]
    if is_over(game, own):
        return SEEN
    others = (
        plies_to_draw(game, after[move.move], move.value) if move.remoteness is None else move.remoteness
        for move in entry.moves_by_action
        if move is not answer
    )
    end = NEVER if answer.remoteness is None else answer.remoteness
    return min(end, max(others), plies_to_gain(game, state, own))


def _quiet(db: Database, entry: Entry, answer: Move) -> int:
    sign = sign_for(db.game.players.index(entry.to_move))
    return sum(
        sign * reply.value <= 0 or reply.remoteness is None or reply.remoteness - 1 > SOON
        for reply in db[answer.position].moves_by_action
    )
