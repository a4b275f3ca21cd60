"""What is seen of a move by looking a few plies ahead: what it takes, and draws that end the game.

A capture is seen on the board: the opponent has fewer marks than before. So it needs no knowledge of a game.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from solver.game import AnyGame
from solver.rules.asking import actions_of, board_of, is_over, mover_of, owner_of, utility_of

NEVER = 2**31 - 1
"""Stands for the plies to an end that is never seen; more than any game has."""

SEEN = 1
"""The plies within which a move is seen that ends the game, or takes more than all others."""


class _Marks(NamedTuple):
    """The numbers of marks on a board."""

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
    taken = {each: before.taken(_marks(game, each, player)) for each in _after(game, state)}
    if taken[answer] > max(chain([0], (count for each, count in taken.items() if each != answer))):
        return SEEN
    if not _takes(game, answer, player, before):
        return NEVER
    return NEVER if any(_takes(game, each, player, before) for each in taken if each != answer) else SEEN + 2


def plies_to_draw(game: AnyGame, state: Any, value: int) -> int:
    """The plies within which a move to `state` is seen to allow a draw that nobody hurries to.

    1 if the game is over then, 2 if a reply ends it with this `value`, else `NEVER`.
    """
    if is_over(game, state):
        return SEEN
    replies = _after(game, state)
    ended = any(is_over(game, each) and utility_of(game, each) == value for each in replies)
    return SEEN + 1 if ended else NEVER


def _takes(game: AnyGame, state: Any, player: int, before: _Marks) -> bool:
    """Whether the player takes something by the next move whatever the reply in `state` is."""
    if is_over(game, state) or mover_of(game, state) == player:
        return False
    return all(
        any(before.taken(_marks(game, each, player)) for each in _after(game, reply))
        for reply in _after(game, state)
    )


def _after(game: AnyGame, state: Any) -> Iterator[Any]:
    """The states after the moves in `state`."""
    return (game.result(state, action) for action in actions_of(game, state))


def _marks(game: AnyGame, state: Any, player: int) -> _Marks:
    owners = [owner_of(game, mark) for row in board_of(game, state) or () for mark in row if mark]
    return _Marks(owners.count(player), owners.count(1 - player))
