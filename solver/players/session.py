"""A person at the keyboard, as a player in a match and in a dialogue that plays against another player."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from solver.database.lines import MAX_LISTED
from solver.database.wording import aligned, ending, result_of
from solver.errors import BrokenRules, NoMove, SolverError, UsageError, cut
from solver.game import AnyGame, sign_for, winner_of
from solver.players import Truth
from solver.players.match import Forfeit, Opponent, PlayedGame, choose, end_of
from solver.rules.asking import actions_of, board_of, mover_of, picture_of
from solver.rules.failures import rules_asked
from solver.rules.notation import write_action, write_position


@dataclass(frozen=True)
class Human:
    """Ask the person at the keyboard."""

    game: AnyGame

    def choose(self, state: Any, random: Random) -> Any:
        """The first legal move that the person types; raises `NoMove` at the end of input."""
        name = self.game.players[mover_of(self.game, state)]
        moves = moves_by_name(self.game, state)
        print(picture_of(self.game, state), file=sys.stderr)
        while True:
            print(f"{name}> ", end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            if not line:
                raise NoMove("the person at the keyboard left")
            if (move := move_typed(line, moves)) is not None:
                return moves[move]
            print(refusal(line, moves), file=sys.stderr)


def moves_by_name(game: AnyGame, state: Any) -> dict[str, Any]:
    """The legal actions by name, as typed by a person, in action order."""
    return {str(write_action(game, action)): action for action in actions_of(game, state)}


def move_typed(typed: str, moves: Iterable[str]) -> str | None:
    """The one of these moves that was typed, perhaps in other letter case; None if there is none."""
    word = typed.strip()
    alike = [move for move in moves if move.lower() == word.lower()]
    return word if word in alike else alike[0] if len(alike) == 1 else None


def refusal(typed: str, moves: Iterable[str]) -> str:
    """The message for typed text that names none of these moves."""
    return f"{typed.strip()!r} is not a move here: play one of {cut(', '.join(moves), MAX_LISTED)}"


HELP = """\
a move  play it, as the board or the list below names it
hint    a best move and what it leads to
why     what each move leads to when both sides then play their best
undo    take back your last move and what followed
board   draw the board again
quit    leave; the end of input does the same"""


@dataclass(frozen=True)
class Answer:
    """The answer to a typed line."""

    text: str
    refused: bool = False


class Dialogue:
    """A game in progress between a person and a player."""

    def __init__(
        self,
        game: AnyGame,
        start: Any,
        person: int,
        opponent: Opponent,
        truth: Truth,
        *,
        seed: int | None = None,
    ) -> None:
        """Begin in the state `start`, with the person as the player `person`, 0 or 1.

        `seed` determines the opponent's random choices; without it they differ each time.
        """
        self.game, self.person, self.opponent, self.truth = game, person, opponent, truth
        self.random = Random(seed)
        self.states, self.moves = [start], list[str | int]()
        self.finished = False
        self.end: tuple[int, str | None] | None = None

    @property
    def name(self) -> str:
        """The name of the person's side."""
        return self.game.players[self.person]

    def played(self) -> PlayedGame:
        """The game so far, with its utility if it is over."""
        other, (utility, note) = self.opponent.name, self.end or (None, None)
        start, winner = write_position(self.game, self.states[0]), winner_of(utility or 0)
        sides = (other, "human") if self.person else ("human", other)
        return PlayedGame(sides, start, tuple(self.moves), winner, utility, note, self.truth.endless)

    def opening(self) -> str:
        """The introduction: the sides, the commands, the opponent's first moves if any, and the board.

        Raises `BrokenRules` if the rules fail.
        """
        other = self.game.players[1 - self.person]
        hello = f"You are {self.name}; {other} is {self.opponent.name}. "
        hello += "Type a move, or hint, why, undo, board, help or quit."
        with rules_asked(self.game):
            return "\n\n".join([hello, *self._replies(), self._board()])

    def answer(self, typed: str) -> Answer:
        """The answer to a typed line, after carrying it out; the game must not be over.

        Raises `BrokenRules` if the rules fail.
        """
        with rules_asked(self.game):
            return self._answer(typed)

    def _answer(self, typed: str) -> Answer:
        moves = moves_by_name(self.game, self.states[-1])
        if (move := move_typed(typed, moves)) is not None:
            self._advance(moves[move])
            return Answer("\n\n".join([*self._replies(), self._board()]))
        commands: dict[str, Callable[[], str]] = {
            "hint": self._hint,
            "why": self._why,
            "undo": self._undo,
            "board": self._board,
            "help": lambda: f"{HELP}\n\nyour moves: {', '.join(moves)}",
        }
        word = typed.strip().lower()
        if word == "quit":
            self.finished = True
            return Answer("You left the game.")
        if word not in commands:
            return Answer(f"{refusal(typed, moves)}; or type help", refused=True)
        try:
            return Answer(commands[word]())
        except BrokenRules:
            raise
        except SolverError as error:
            return Answer(str(error), refused=True)

    def _hint(self) -> str:
        entry = self.truth.entry(self.states[-1])
        assert entry.best_move is not None  # as the game is not over
        return f"hint: {entry.best_move} ({result_of(entry)})"

    def _why(self) -> str:
        rows = [
            (f"{move.move}{' *' if move.best else ''}", result_of(move))
            for move in self.truth.entry(self.states[-1]).moves
        ]
        return "\n".join(aligned([("move", "leads to"), *rows]))

    def _undo(self) -> str:
        states = enumerate(self.states[:-1])
        mine = [nth for nth, state in states if mover_of(self.game, state) == self.person]
        if not mine:
            raise UsageError("there is no move of yours to take back")
        del self.states[mine[-1] + 1 :], self.moves[mine[-1] :]
        return self._board()

    def _board(self) -> str:
        """The state as text; without a board, the legal moves are listed below it."""
        state = self.states[-1]
        picture, moves = picture_of(self.game, state), moves_by_name(self.game, state)
        if board_of(self.game, state) is not None or not moves:
            return picture
        return f"{picture}\nmoves: {', '.join(moves)}"

    def _advance(self, action: Any) -> None:
        self.moves.append(write_action(self.game, action))
        self.states.append(self.game.result(self.states[-1], action))

    def _replies(self) -> list[str]:
        """Make the opponent's moves until the person's turn or the end of the game; returns them in words."""
        lines: list[str] = []
        while not (end := self._end()) and mover_of(self.game, self.states[-1]) != self.person:
            try:
                action = choose(self.game, self.states[-1], self.opponent, self.random)
            except Forfeit as forfeit:
                self.finished, self.end = True, (sign_for(self.person), str(forfeit))
                return [*lines, f"{forfeit}.\nYou win."]
            lines.append(f"{self.opponent.name} plays {write_action(self.game, action)}.")
            self._advance(action)
        if end:
            self.finished, self.end = True, end
            lines.append(self._verdict(*end))
        return lines

    def _end(self) -> tuple[int, str | None] | None:
        plies = len(self.states) - 1
        return end_of(self.game, self.states[-1], Counter(self.states), plies, self.truth.endless)

    def _verdict(self, utility: int, note: str | None) -> str:
        winner = winner_of(utility)
        if winner is None:
            return f"The game is over: {note or 'a draw'}."
        whose = "you win" if winner == self.person else f"{self.opponent.name} wins"
        return f"The game is over: {note or ending(self.game, utility, self.truth.margin(utility))}; {whose}."
