"""Outcomes and parameters in words for people."""

from collections.abc import Mapping

from solver.database import Database
from solver.entry import Entry


def plies(count: int) -> str:
    """The number of plies in words: "1 ply", "2 plies"."""
    return f"{count} {'ply' if count == 1 else 'plies'}"


def result(outcome: str, remoteness: int | None) -> str:
    """An outcome and how far off it is: "win in 3 plies", "draw", "loss in endless play"."""
    if outcome == "draw":
        return outcome
    return f"{outcome} in {'endless play' if remoteness is None else plies(remoteness)}"


def standing(to_move: str, outcome: str, remoteness: int | None) -> str:
    """Where the player to move stands: "o to move: loss in 2 plies"."""
    if remoteness == 0:
        verdict = {"win": f"{to_move}, who would be to move, has won", "draw": "a draw"}
        return f"the game is over: {verdict.get(outcome, f'{to_move}, who would be to move, has lost')}"
    return f"{to_move} to move: {result(outcome, remoteness)}"


def describe(db: Database, entry: Entry) -> str:
    """A position in words: the board drawn, where the player to move stands, and every move, best first."""
    lines = [db.game.show(db.game.parse(entry.position)), ""]
    lines.append(standing(entry.to_move, entry.outcome, entry.remoteness))
    if entry.best_move is not None:
        lines += [f"best move: {entry.best_move}", "", *_table(entry)]
    return "\n".join(lines)


def _table(entry: Entry) -> list[str]:
    rows = [("move", "result", "position")]
    for move in entry.ranked_moves:
        star = " *" if move.best else ""
        rows.append((f"{move.move}{star}", result(move.outcome, move.remoteness), move.position))
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return [f"{move:<{widths[0]}}  {text:<{widths[1]}}  {position}" for move, text, position in rows]


def guarantee(owner: str, gain: int, longest: int | None) -> str:
    """What a plan guarantees its owner, whose least gain and longest line (in plies) are given."""
    if gain > 0:
        margin = f" by at least {gain}" if gain > 1 else ""
        return f"{owner} wins{margin}" + (f" in at most {plies(longest)}" if longest else "")
    return f"{owner} never loses" if gain == 0 else f"{owner} may lose"


def assignments(parameters: Mapping[str, object]) -> list[str]:
    """The parameters as a person types them."""
    return [f"{name}={typed(value)}" for name, value in parameters.items()]


def typed(value: object) -> str:
    """The value of a parameter as a person types it."""
    if isinstance(value, tuple | list):
        return ",".join(map(typed, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
