"""Annotates a played game: which moves kept the value and which lost it, and the accuracy of each player.

A move *keeps the value* if its minimax value equals that of the position. It has at most one sign, the first
in `SIGNS` that applies. The *accuracy* of a player is the share of moves that keep the value, over positions
in which some move loses value.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from solver.analysis.puzzles.puzzle import puzzle_in
from solver.database import Database
from solver.database.entry import Entry, Move
from solver.database.lines import best_line
from solver.database.wording import aligned, game_title, labels_as_dict, result_of, standing_of
from solver.errors import WrongDatabase
from solver.players.game_record import replay
from solver.players.match import PlayedGame
from solver.system.words import wanted

HARD = 3
"""The least look-ahead, in plies, of an only good move that is hard to find: depths 1 and 2 miss it."""

LINE = 10
"""The most plies of best play shown beside a move that is not a best move."""

SIGNS = {
    "??": "turns a win into a loss",
    "?": "loses value otherwise, a whole outcome or some points",
    "!": "is the only move that keeps a win or a draw, and hard to find",
    "!?": "keeps the value, and leaves the opponent a single good move that is hard to find",
    "?!": "keeps the value, but wins later or loses sooner than it could",
}
"""The meanings of the signs; the first that applies is the sign of a move."""


@dataclass(frozen=True)
class AnnotatedMove:
    """A move of a played game, compared with the labels."""

    entry: Entry
    """The position in which the move was made."""
    move: Move
    """The move, with the labels of the position that it leads to."""
    sign: str
    """`??`, `?`, `!`, `!?` or `?!`, the first that applies, or "" for none."""
    line: tuple[Move, ...]
    """Best play from the position, at most 10 plies; empty for a best move."""

    @property
    def lost(self) -> int:
        """The value that the move loses for the player who makes it; 0 if it keeps the value."""
        return abs(self.entry.value - self.move.value)


@dataclass(frozen=True)
class Accuracy:
    """The accuracy of a player."""

    player: str
    choices: int
    """The number of the player's moves in positions in which some move loses value."""
    keeping: int
    """The number of these moves that keep the value."""
    signs: Counter[str]
    """The number of moves with each sign, over all moves of the player."""

    @property
    def share(self) -> float | None:
        """The accuracy; None if there are no such positions."""
        return self.keeping / self.choices if self.choices else None

    def __add__(self, other: "Accuracy") -> "Accuracy":
        """The accuracy over the moves of both operands."""
        counts = self.choices + other.choices, self.keeping + other.keeping
        return Accuracy(self.player, *counts, self.signs + other.signs)


@dataclass(frozen=True)
class AnnotatedGame:
    """A played game, annotated by the database of its solved game."""

    db: Database
    played: PlayedGame
    moves: tuple[AnnotatedMove, ...]
    end: Entry
    """The position after the last move."""

    def accuracy(self, side: int) -> Accuracy:
        """The accuracy of the player of a side, 0 or 1; its `share` is from 0 to 1."""
        own = [move for move in self.moves if move.entry.to_move == self.db.game.players[side]]
        choices = [move for move in own if len(move.entry.keeping) < len(move.entry.moves)]
        signs = Counter(move.sign for move in own if move.sign)
        keeping = sum(not move.lost for move in choices)
        return Accuracy(self.played.players[side], len(choices), keeping, signs)


def annotate(db: Database, played: PlayedGame) -> AnnotatedGame:
    """A played game, annotated by the labels in a database.

    Raises `WrongDatabase` if endless play counts differently there, `BrokenRecord` for an illegal move or an
    end that differs from the recorded one, `BrokenRules`, and what a lookup raises.
    """
    wanted(Database, db, "open_database(FILE)")
    wanted(PlayedGame, played, "play_match(GAME, PLAYERS)")
    if db.endless != played.endless and db.has_loops:
        raise WrongDatabase(
            f"infinite play is {played.endless!r} in the game, {db.endless!r} in {db.path}: "
            f"solve it with --endless {played.endless}"
        )
    states, entries = replay(db.game, played), dict[Any, tuple[Entry, bool]]()
    for state in states:
        if state not in entries:
            entry = db.entry_of(state)
            puzzle = puzzle_in(db, entry)
            entries[state] = entry, puzzle is not None and puzzle.difficulty.ahead >= HARD
    steps = zip(pairwise(entries[state] for state in states), played.moves, strict=True)
    moves = tuple(_annotated(db, *before, *after, name) for (before, after), name in steps)
    return AnnotatedGame(db, played, moves, entries[states[-1]][0])


def _annotated(
    db: Database, entry: Entry, hard: bool, after: Entry, hard_after: bool, name: str | int
) -> AnnotatedMove:
    """The annotated move `name`; the flags say whether a position has one good move, hard to find."""
    move = next(move for move in entry.moves if move.move == name)
    if move.value != entry.value:
        sign = "??" if (entry.outcome, move.outcome) == ("win", "loss") else "?"
    elif hard:
        sign = "!"
    elif hard_after and after.to_move != entry.to_move and len(entry.moves_by_action) > 1:
        sign = "!?"
    else:
        sign = "" if move.best else "?!"
    line = () if move.best else best_line(db, entry.position, LINE).moves
    return AnnotatedMove(entry, move, sign, line)


def total(games: Iterable[AnnotatedGame]) -> list[Accuracy]:
    """The accuracy of each player, by name, over all games."""
    totals = dict[str, Accuracy]()
    for game in games:
        for accuracy in (game.accuracy(0), game.accuracy(1)):
            so_far = totals.get(accuracy.player)
            totals[accuracy.player] = accuracy if so_far is None else so_far + accuracy
    return list(totals.values())


def as_dict(games: Sequence[AnnotatedGame]) -> dict[str, Any]:
    """The games in the form printed by `annotate --json`."""
    return {
        "games": [_game_as_dict(game) for game in games],
        "players": [_accuracy_as_dict(accuracy) for accuracy in total(games)],
    }


def _game_as_dict(game: AnnotatedGame) -> dict[str, Any]:
    return {
        "game": game.db.game_name,
        "parameters": game.db.parameters,
        "start": game.played.start,
        "moves": [_move_as_dict(ply, move) for ply, move in enumerate(game.moves, start=1)],
        "end": {**labels_as_dict(game.end, "position"), "over": game.end.is_terminal},
        "utility": game.played.utility,
        "note": game.played.note,
        "sides": [
            {"side": name, **_accuracy_as_dict(game.accuracy(side))}
            for side, name in enumerate(game.db.game.players)
        ],
    }


def _move_as_dict(ply: int, annotated: AnnotatedMove) -> dict[str, Any]:
    entry, move = annotated.entry, annotated.move
    return {
        "ply": ply,
        **labels_as_dict(entry, "position", "to_move"),
        "move": move.move,
        "sign": annotated.sign or None,
        "leads_to": labels_as_dict(move),
        "best": move.best,
        "lost": annotated.lost,
        "moves": len(entry.moves),
        "keeping": len(entry.keeping),
        "line": [better.move for better in annotated.line],
    }


def _accuracy_as_dict(of: Accuracy) -> dict[str, Any]:
    counts = {"choices": of.choices, "kept": of.keeping, "accuracy": of.share}
    return {"player": of.player, **counts, "signs": {sign: of.signs[sign] for sign in SIGNS}}


def in_words(games: Sequence[AnnotatedGame]) -> str:
    """The games in words and, if there are several, the accuracy of each player over all."""
    blocks = ["\n".join(_lines(nth, game, len(games))) for nth, game in enumerate(games, start=1)]
    if len(games) > 1:
        blocks.append("\n".join(["all games", *map(accuracy_in_words, total(games))]))
    return "\n\n".join(blocks)


def _lines(nth: int, game: AnnotatedGame, count: int) -> Iterator[str]:
    title = f"{game_title(game.db.game)}, {seats(game)}, from {game.played.start}"
    yield f"game {nth}: {title}" if count > 1 else title
    rows = [("ply", "", "move", "", "leads to", "better")]
    for ply, made in enumerate(game.moves, start=1):
        better = f"{result_of(made.entry)}: {', '.join(str(move.move) for move in made.line)}"
        row = (str(ply), made.entry.to_move, str(made.move.move), made.sign, result_of(made.move))
        rows.append((*row, better if made.line else ""))
    yield from map(str.rstrip, aligned(rows))
    yield end_in_words(game)
    for side, name in enumerate(game.db.game.players):
        yield accuracy_in_words(game.accuracy(side), name)


def seats(game: AnnotatedGame) -> str:
    """The players of the two sides."""
    names = zip(game.db.game.players, game.played.players, strict=True)
    return " against ".join(side if player == side else f"{side} ({player})" for side, player in names)


def end_in_words(game: AnnotatedGame) -> str:
    """The note on the end of the game, or the standing of its last position."""
    return game.played.note or standing_of(game.end)


def accuracy_in_words(of: Accuracy, side: str | None = None) -> str:
    """The accuracy of a player in one line."""
    who = of.player if side in (None, of.player) else f"{side} ({of.player})"
    signs = "".join(f", {of.signs[sign]} {sign}" for sign in SIGNS if of.signs[sign])
    if of.share is None:
        return f"{who}: no move could lose value{signs}"
    return f"{who}: accuracy {of.share:.0%}, {of.keeping} of {of.choices} where some move loses value{signs}"
