"""Outcomes and entries in words for people."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from solver.database.entry import Entry
from solver.database.interface import Database
from solver.rules.asking import picture_of
from solver.rules.notation import read_position

if TYPE_CHECKING:
    from solver.proof.plan import Guarantee


def plies(count: int) -> str:
    """The number of plies in words: "1 ply", "2 plies"."""
    return f"{count} {'ply' if count == 1 else 'plies'}"


def result(outcome: str, remoteness: int | None, margin: int | None = None) -> str:
    """An outcome, its `margin` if given, and its remoteness: "win by 3 in 5 plies", "draw".

    A draw has a remoteness only where endless play is no draw.
    """
    if outcome == "draw":
        return f"{outcome} in {plies(remoteness)}" if remoteness else outcome
    return f"{outcome}{_by(margin)} in {'endless play' if remoteness is None else plies(remoteness)}"


def standing(to_move: str, outcome: str, remoteness: int | None, margin: int | None = None) -> str:
    """The outcome for the player to move: "o to move: loss in 2 plies"; `margin` as for `result`."""
    if remoteness == 0:
        has = {"win": "has won", "loss": "has lost"}.get(outcome)
        verdict = f"{to_move}, who would be to move, {has}{_by(margin)}" if has else "a draw"
        return f"the game is over: {verdict}"
    return f"{to_move} to move: {result(outcome, remoteness, margin)}"


def _by(margin: int | None) -> str:
    return "" if margin is None else f" by {margin}"


def describe(db: Database, entry: Entry) -> str:
    """A position in words: the board, the outcome for the player to move, and every move, best first."""
    lines = [picture_of(db.game, read_position(db.game, entry.position)), ""]
    margin = abs(entry.value) if db.scored else None
    lines.append(standing(entry.to_move, entry.outcome, entry.remoteness, margin))
    if entry.best_move is not None:
        lines += [f"best move: {entry.best_move}", "", *_table(entry, scored=db.scored)]
    return "\n".join(lines)


MAX_COLUMN_WIDTH = 40
"""Characters that a column of a table is padded to; longer names stand out."""


def _table(entry: Entry, *, scored: bool) -> list[str]:
    rows = [("move", "result", "position")]
    for move in entry.ranked_moves:
        star = " *" if move.best else ""
        text = result(move.outcome, move.remoteness, abs(move.value) if scored else None)
        rows.append((f"{move.move}{star}", text, move.position))
    widths = [min(MAX_COLUMN_WIDTH, max(len(row[column]) for row in rows)) for column in (0, 1)]
    return [f"{move:<{widths[0]}}  {text:<{widths[1]}}  {position}" for move, text, position in rows]


def guarantee(owner: str, gain: int, longest: int | None, *, scored: bool = False) -> str:
    """What a plan guarantees its owner, whose least gain and longest line (in plies) are given.

    `scored` is whether the margin is to be named even if it is 1.
    """
    if gain > 0:
        margin = f" by at least {gain}" if scored or gain > 1 else ""
        return f"{owner} wins{margin}" + (f" in at most {plies(longest)}" if longest else "")
    if gain < 0 and (scored or gain < -1):
        return f"{owner} loses by at most {-gain}"
    return f"{owner} never loses" if gain == 0 else f"{owner} may lose"


def promise(owner: str, other: str, proved: "Guarantee", *, scored: bool = False) -> str:
    """All that a proved plan guarantees its owner: what at least, and what if the other player errs."""
    at_least = guarantee(owner, proved.gain, proved.plies, scored=scored)
    if proved.best == proved.gain:
        return at_least + (f" and never wins, whatever {other} does" if proved.gain == 0 else "")
    most = f" by up to {proved.best}" if scored or proved.best > 1 else ""
    if proved.gain > 0:
        return f"{at_least}, and{most} if {other} errs"
    if proved.best <= 0:
        errs = f"; if {other} errs, by {-proved.best} at best" if proved.best else f"; draws if {other} errs"
        return at_least + errs
    losing = f"{proved.errors:,} of {proved.replies:,} replies {'lose' if proved.errors > 1 else 'loses'}"
    return f"{at_least}; wins{most}{_when(proved)} if {other} errs ({losing})"


def _when(proved: "Guarantee") -> str:
    """In how many plies a win comes by errors, as far as there is a bound."""
    if proved.latest is not None:
        first = "" if proved.soonest == proved.latest else f", {proved.soonest} at the soonest,"
        return f" in at most {plies(proved.latest)}{first}"
    return "" if proved.after_error is None else f" at most {plies(proved.after_error)} later"


def tally(ends: Mapping[int, int]) -> str:
    """How many ends there are, by what the owner gets: "3 ends: 2 won, 1 drawn"."""
    scored, kinds = any(abs(gain) > 1 for gain in ends), dict[str, int]()
    for gain, count in ends.items():
        kind = "won" if gain > 0 else "lost" if gain else "drawn"
        kind += f" by {abs(gain)}" if scored and gain else ""
        kinds[kind] = kinds.get(kind, 0) + count
    total = sum(ends.values())
    each = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
    return f"{total:,} {'end' if total == 1 else 'ends'}: {each}" if ends else "no ends"
