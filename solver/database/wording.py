"""Outcomes and entries in words for people, and the answers of a database as JSON objects."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from solver.database.entry import Entry, Move
from solver.database.interface import Database
from solver.database.lines import BestLine
from solver.game import AnyGame
from solver.rules.asking import is_over, mover_of, picture_of, title_of, utility_of
from solver.rules.evaluation import evaluated, evaluation_of
from solver.rules.failures import rules_asked
from solver.rules.loading import game_name, game_parameters
from solver.rules.notation import read_position
from solver.rules.parameters import with_parameters
from solver.system.words import number_of


def plies(count: int) -> str:
    """The number of plies in words: "1 ply", "2,000 plies"."""
    return number_of(count, "ply", "plies")


def counted_positions(db: Database, count: int | None = None) -> str:
    """All positions of a file, or `count` of them, in words; if folded, classes of symmetric positions."""
    count = len(db) if count is None else count
    return classes(count) if db.folded else number_of(count, "position")


def classes(count: int, noun: str = "position") -> str:
    """A count of what a folded file has, in words: "1 class of symmetric positions"."""
    return f"{number_of(count, 'class', 'classes')} of symmetric {noun}s"


def count_of(count: int, noun: str = "position", *, folded: bool) -> str:
    """A count without its noun or, of a folded file, as by `classes`."""
    return classes(count, noun) if folded else f"{count:,}"


def result(outcome: str, remoteness: int | None, margin: int | None = None) -> str:
    """An outcome, its `margin` if given, and its remoteness: "win by 3 in 5 plies", "draw".

    A draw has a positive remoteness only if endless play is not a draw.
    """
    if outcome == "draw":
        return f"{outcome} in {plies(remoteness)}" if remoteness else outcome
    return f"{outcome}{_by(margin)} in {'endless play' if remoteness is None else plies(remoteness)}"


def result_of(labels: Entry | Move) -> str:
    """The outcome, margin and remoteness of a position, or of a move for the player who makes it."""
    return result(labels.outcome, labels.remoteness, labels.margin)


def standing_of(entry: Entry) -> str:
    """The outcome of a position for the player to move, as `standing`."""
    return standing(entry.to_move, entry.outcome, entry.remoteness, entry.margin, entry.winner)


def standing(
    to_move: str, outcome: str, remoteness: int | None, margin: int | None = None, winner: str | None = None
) -> str:
    """The outcome for the player to move: "o to move: loss in 2 plies"; "the game is over: x has won".

    `margin` as for `result`; `winner` is the winner's name, None for a draw.
    """
    if remoteness == 0:
        return f"the game is over: {f'{winner} has won{_by(margin)}' if winner else 'a draw'}"
    return f"{to_move} to move: {result(outcome, remoteness, margin)}"


def turn(game: AnyGame, state: Any) -> str:
    """Who is to move in a position without a database: "o to move"; or as `standing`, without a margin."""
    with rules_asked(game):
        if not is_over(game, state):
            return f"{game.players[mover_of(game, state)]} to move"
        utility = utility_of(game, state)
    return standing("", "", 0, winner=game.players[utility < 0] if utility else None)


def winners(*files: Database) -> dict[int, str]:
    """The outcomes of the positions of all files by sign: "x wins", "draw", "o wins".

    If all files are folded by symmetries of either sign, the outcomes are for the player to move.
    """
    both = all(db.folding.is_signed for db in files)
    first, second = ("the player to move", "the other player") if both else files[0].game.players
    return {1: f"{first} wins", 0: "draw", -1: f"{second} wins"}


def ending(game: AnyGame, utility: int, margin: int | None) -> str:
    """The result of a game that is over: "x wins", "x wins by 3", "draw"; `margin` as for `result`."""
    return f"{game.players[utility < 0]} wins{_by(margin)}" if utility else "draw"


def endless_play(game: AnyGame, endless: str) -> str:
    """The result of play that never ends: "a draw", "won by x"."""
    return "a draw" if endless == "draw" else f"won by {game.players[endless == 'second']}"


def _by(margin: int | None) -> str:
    return "" if margin is None else f" by {margin}"


def describe(
    db: Database, entry: Entry, moves: Iterable[Move] | None = None, **columns: Mapping[str | int, str]
) -> str:
    """A position in words: the board, the outcome for the player to move, and every move, best first.

    `moves`, if given, are listed instead, in their order. `columns` are added to the table of moves: by their
    headings, the text for each move, by its name.
    """
    state = read_position(db.game, entry.position)
    lines = [picture_of(db.game, state), ""]
    lines.append(standing_of(entry))
    if entry.best_move is not None:
        rows = _rows(entry.moves if moves is None else moves, columns)
        lines.append(f"best move: {entry.best_move}")
        if (evaluation := evaluation_of(db.game, state)) is not None:
            lines.append(f"evaluation: {evaluation}")
        lines += ["", *aligned(rows)]
    return "\n".join(lines)


MAX_COLUMN_WIDTH = 40
"""The most characters to which a column of a table is padded; longer names stick out."""


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows of a table as lines, their columns aligned."""
    *columns, _ = zip(*rows, strict=True)
    widths = [min(MAX_COLUMN_WIDTH, max(map(len, column))) for column in columns]
    return [
        "  ".join([*(f"{text:<{width}}" for text, width in zip(texts, widths, strict=True)), last])
        for *texts, last in rows
    ]


def cell(value: object, places: int = 3) -> str:
    """A number, text or bool as tables show it; - for None."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.{places}f}"
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _rows(moves: Iterable[Move], columns: Mapping[str, Mapping[str | int, str]]) -> list[tuple[str, ...]]:
    rows = [("move", "result", *columns, "position")]
    for move in moves:
        star = " *" if move.best else ""
        more = (texts[move.move] for texts in columns.values())
        rows.append((f"{move.move}{star}", result_of(move), *more, move.position))
    return rows


def game_title(game: AnyGame) -> str:
    """The title of a game; without one, its name and parameters as typed, without flags that are off."""
    if (title := title_of(game)) is not None:
        return title
    chosen = {name: value for name, value in game_parameters(game).items() if value is not False}
    return with_parameters(game_name(game).rpartition(":")[2], chosen)


def entry_as_dict(db: Database, entry: Entry) -> dict[str, Any]:
    """The entry as `query --json` prints it; moves are listed best first."""
    return {
        "game": db.game_name,
        "parameters": db.parameters,
        **labels_as_dict(entry, "position", "to_move"),
        "best_move": entry.best_move,
        "moves": [_move_as_dict(move) for move in entry.moves],
        **evaluated(db.game, db.state_of(entry.position)),
    }


def line_as_dict(db: Database, line: BestLine) -> dict[str, Any]:
    """Best play from a position; `over` is false if play returns to an earlier position instead of ending."""
    return {
        "position": line.position,
        "moves": [_move_as_dict(move) for move in line.moves],
        "end": labels_as_dict(line.end, "position", "to_move"),
        "over": line.end.is_terminal,
    }


def batch_as_dicts(db: Database, positions: Sequence[str]) -> list[dict[str, Any]]:
    """The labels and the best moves of many positions, in their order; raises as a lookup."""
    labels = db.lookup(positions)
    values, plies = labels.value.tolist(), labels.remoteness.tolist()
    return [
        {
            "position": position,
            "value": values[at],
            "remoteness": None if plies[at] < 0 else plies[at],
            "best_moves": list(labels.best_moves(at)),
        }
        for at, position in enumerate(positions)
    ]


def database_as_dict(db: Database) -> dict[str, Any]:
    """The game of a file, and how it was solved."""
    return {
        "game": db.game_name,
        "parameters": db.parameters,
        "title": game_title(db.game),
        "players": list(db.game.players),
        "start": db.start,
        "starts": db.starts,
        "endless": db.endless,
        "folded": db.folded,
        **{key: db.number(key) for key in ("states", "terminal", "moves")},
        "sha256": db.about["sha256"],
    }


def labels_as_dict(labels: Entry | Move, *names: str) -> dict[str, Any]:
    """The attributes of these names, then value, outcome and remoteness, of a position or a move."""
    return {name: getattr(labels, name) for name in (*names, "value", "outcome", "remoteness")}


def _move_as_dict(move: Move) -> dict[str, Any]:
    """The move, without its value unless the game is scored, as the outcome tells the value."""
    fields = dataclasses.asdict(move)
    if fields.pop("margin") is None:
        del fields["value"]
    return fields
