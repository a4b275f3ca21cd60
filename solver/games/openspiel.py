"""OpenSpiel's games: all two-player, turn-based, deterministic, zero-sum ones with perfect information.

In general a state is the sequence of moves so far, so that play is a tree. Where it is proved that the
picture of the board and the player to move determine all that follows (`openspiel_rules.MERGED`), these two
are the state. A picture does not tell the moves that lead to it, so one not met before is searched for.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from solver.errors import BrokenRules, UnreadablePosition
from solver.game import Game
from solver.games.openspiel_rules import mover, picture, picture_decides, rules_called

MOST = 2_000_000
"""States that are searched for a picture."""

START = "start"
"""The text of no moves at all."""


@dataclass(frozen=True)
class OpenSpiel(Game[str, int]):
    """Play a game of OpenSpiel, given as there: `openspiel:breakthrough(rows=4,columns=3)`."""

    game: str = "tic_tac_toe"

    def __post_init__(self) -> None:
        """Raise `BadParameter` without OpenSpiel, or for a game that it lacks or that is of another kind."""
        self._rules  # noqa: B018

    @property
    def title(self) -> str:
        """The game as OpenSpiel calls it."""
        return f"OpenSpiel's {self.game}"

    @property
    def initial(self) -> str:
        """The picture before the first move, or `start`."""
        return self._text(self._rules.new_initial_state()) if self._merged else START

    def to_move(self, state: str) -> int:
        """The player to move; where the game is over, whoever did not make the last move."""
        return mover(self._opened(state))

    def actions(self, state: str) -> Sequence[int]:
        """OpenSpiel's numbers of the legal actions, ascending."""
        return tuple(self._opened(state).legal_actions())

    def result(self, state: str, action: int) -> str:
        """The picture after the action, or one move more."""
        if not self._merged:
            return str(action) if state == START else f"{state} {action}"
        child = self._text(self._opened(state).child(action))
        self._ways.setdefault(child, (state, action))
        return child

    def utility(self, state: str) -> int:
        """OpenSpiel's return for the first player."""
        gain = self._opened(state).returns()[0]
        if gain != int(gain):
            raise BrokenRules(f"{self.game} ends with {gain} in {state!r}: utilities should be whole numbers")
        return int(gain)

    def parse(self, text: str) -> str:
        """The state that has this picture, or that the moves lead to, such as `0 4 8`."""
        words = [] if text.strip() == START else text.split() or [""]
        if not all(word.isascii() and word.isdecimal() and len(word) < 20 for word in words):
            return self._sought(text.strip())
        state = self.initial
        for action in map(int, words):
            if action not in self.actions(state):
                raise UnreadablePosition(
                    f"cannot read the position {text!r}: {action} is no legal move there"
                )
            state = self.result(state, action)
        return state

    def show(self, state: str) -> str:
        """OpenSpiel's picture, and what the numbers of the actions mean."""
        opened = self._opened(state)
        names = [
            f"{action}: {opened.action_to_string(opened.current_player(), action)}"
            for action in opened.legal_actions()
        ]
        return "\n\n".join([str(opened).strip("\n"), *([", ".join(names)] if names else [])])

    @cached_property
    def _rules(self) -> Any:
        return rules_called(self.game)

    @cached_property
    def _merged(self) -> bool:
        return picture_decides(self._rules)

    @cached_property
    def _ways(self) -> dict[str, tuple[str, int] | None]:
        """The pictures met so far, each with a predecessor and the action between."""
        return {self.initial: None}

    @cached_property
    def _last(self) -> dict[str, Any]:
        """A cache of the state of OpenSpiel opened last, by its text: each is asked several questions."""
        return {}

    def _opened(self, state: str) -> Any:
        """The state of OpenSpiel: its rules, after the moves that lead there."""
        if state not in self._last:
            opened = self._rules.new_initial_state()
            for action in self._moves(state):
                opened.apply_action(action)
            self._last.clear()
            self._last[state] = opened
        return self._last[state]

    def _moves(self, state: str) -> list[int]:
        if not self._merged:
            return [] if state == START else list(map(int, state.split()))
        moves, way = [], self._ways[self._sought(state)]
        while way is not None:
            before, action = way
            moves.append(action)
            way = self._ways[before]
        return moves[::-1]

    def _sought(self, picture: str) -> str:
        """The picture, after a search for it if it is new; raises `UnreadablePosition` if there is none."""
        possible = self._merged and picture.endswith(self.players)
        queue = deque([self.initial] if possible and picture not in self._ways else [])
        seen = set(queue)
        while queue and len(seen) < MOST and picture not in self._ways:
            state = queue.popleft()
            children = [self.result(state, action) for action in self.actions(state)]
            new = [child for child in dict.fromkeys(children) if child not in seen]
            seen.update(new)
            queue.extend(new)
        if not possible or picture not in self._ways:
            first = " ".join(map(str, self.actions(self.initial)[:1]))
            like = f"like {self.initial!r}" + (f", or the moves so far, such as {first!r}" if first else "")
            raise UnreadablePosition(f"cannot read the position {picture!r}: it should be {like}")
        return picture

    def _text(self, opened: Any) -> str:
        return f"{picture(opened)} {self.players[mover(opened)]}"
