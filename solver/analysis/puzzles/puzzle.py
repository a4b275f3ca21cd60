"""A puzzle: a position with several moves of which exactly one keeps the value, and how hard that is to find.

The look-ahead is the least number of plies within which either the move, or every other move, is seen to its
end (`Move.remoteness`): who looks no further and knows nothing but ends cannot tell which move it is. A draw
that nobody hurries to is seen where it is the end of the game: after the move, or after a reply to one that
throws a win away. A move is also seen by what it takes: in one ply if that is more than by every other, in
three if it is the only one after which the next one takes something whatever the reply is. So a capture, or a
double threat, is what everybody tries first. A capture is seen on the board: the opponent has fewer marks
than before. So it needs no knowledge of a game.

Puzzles are ordered by their look-ahead, then by the number of moves among which the one is to be found, then
by the number of quiet replies: replies to the move after which the game is not won at once, by the reply or
the ply after it. A move that leaves many is a quiet one, a threat leaves few.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from solver.database import Database
from solver.database.entry import Entry, Move
from solver.game import SIGNS, AnyGame, sign_for
from solver.rules.arrays import Flags, Keys
from solver.rules.asking import actions_of, board_of, is_over, mover_of, owner_of, representative, utility_of
from solver.rules.notation import write_action, write_position

NEVER = 2**31 - 1
"""Stands for the plies to an end that is never seen; more than any game has."""

SEEN = 1
"""The plies within which a move is seen that ends the game, or takes more than all others."""


class _Marks(NamedTuple):
    own: int
    others: int

    def taken(self, later: "_Marks") -> int:
        """The marks that the other has lost on the later board; 0 if one has lost more."""
        taken = self.others - later.others
        return taken if taken > 0 and taken >= self.own - later.own else 0


def plies_to_gain(game: AnyGame, state: Any, answer: Any) -> int:
    """The plies within which the move to `answer` is seen to be the one that takes marks of the opponent.

    1 if it takes more than every other. 3 if after it, and after no other, the next move can take something
    whatever the reply is, and not less than is lost. Else `NEVER`.
    """
    player = mover_of(game, state)
    before = _marks(game, state, player)
    if not before.others:
        return NEVER
    taken = {child: before.taken(_marks(game, child, player)) for child in _after(game, state)}
    if taken[answer] > max(chain([0], (count for child, count in taken.items() if child != answer))):
        return SEEN
    if not _takes(game, answer, player, before):
        return NEVER
    others = (child for child in taken if child != answer)
    return NEVER if any(_takes(game, child, player, before) for child in others) else SEEN + 2


def plies_to_draw(game: AnyGame, state: Any, value: int) -> int:
    """The plies within which a move to `state` is seen to allow a draw that nobody hurries to.

    1 if the game is over then, 2 if a reply ends it with this `value`, else `NEVER`.
    """
    if is_over(game, state):
        return SEEN
    replies = _after(game, state)
    ended = any(is_over(game, reply) and utility_of(game, reply) == value for reply in replies)
    return SEEN + 1 if ended else NEVER


def _takes(game: AnyGame, state: Any, player: int, before: _Marks) -> bool:
    """Whether the player takes something by the next move whatever the reply in `state` is."""
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
"""Outcomes worth keeping; in a lost position there is no puzzle."""

SOON = 1
"""Plies after a reply within which a win is at once."""


@dataclass(frozen=True)
class Wanted:
    """The puzzles that are wanted."""

    count: int
    player: int | None = None
    """The player to move, 0 or 1; None for either."""
    plies: range | None = None
    """The remoteness; None for any, and for draws without one."""
    outcome: str | None = None
    """`win` or `draw`; None for both."""

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The outcomes for the player to move."""
        return KEPT_OUTCOMES if self.outcome is None else (self.outcome,)

    def among(self, values: Keys, signs: Keys, remoteness: Keys) -> Flags:
        """Which positions are wanted, given values, signs of the players to move, and remoteness."""
        flags: Flags = np.isin(np.sign(values) * signs, [SIGNS[outcome] for outcome in self.outcomes])
        if self.player is not None:
            flags &= signs == sign_for(self.player)
        if self.plies is not None:
            flags &= (remoteness >= self.plies.start) & (remoteness < self.plies.stop)
        return flags


class Difficulty(NamedTuple):
    """How hard a puzzle is: the greater, the harder."""

    ahead: int
    """The look-ahead in plies; `NEVER` where no end is ever seen."""
    moves: int
    replies: int
    """The number of quiet replies to the move."""


class Puzzle(NamedTuple):
    """A position in which exactly one move keeps the value."""

    entry: Entry
    answer: Move
    difficulty: Difficulty


def puzzle_in(db: Database, entry: Entry) -> Puzzle | None:
    """The puzzle that a position of the database is; None if it is none."""
    if len(entry.keeping) != 1 or len(entry.moves) < 2 or entry.outcome not in KEPT_OUTCOMES:
        return None
    (answer,) = entry.keeping
    difficulty = Difficulty(_ahead(db, entry, answer), len(entry.moves_by_action), _quiet(db, entry, answer))
    return Puzzle(entry, answer, difficulty)


def look_aheads(parents: Keys, keeps: Flags, ends: Keys, size: int) -> Keys:
    """The look-ahead of each of `size` positions by the `ends` of moves, of which some keep the value."""
    own, others = np.zeros((2, size), np.int64)
    np.maximum.at(own, parents[keeps], ends[keeps])
    np.maximum.at(others, parents[~keeps], ends[~keeps])
    return np.minimum(own, others)


def class_of(db: Database, puzzle: Puzzle) -> tuple[Any, Any]:
    """The class of symmetric positions that a puzzle is in, and its place in it: both can be ordered.

    The canonical one comes first.
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
