"""How the first moves fare, in perfect and in random play; symmetric ones together."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from solver.analysis.report.contents import Words, listed
from solver.analysis.report.counted import SIDES
from solver.analysis.report.ends import Ends
from solver.analysis.report.figures import amount, as_dicts, percent
from solver.database import Database
from solver.database.entry import Move
from solver.database.wording import result_of
from solver.rules.asking import representative
from solver.rules.notation import read_position


class Opening(NamedTuple):
    """First moves that are symmetric to each other, or one alone, and how random play goes on after them."""

    moves: Sequence[Move]
    """In the order of the game's actions; all of the same labels."""
    random: Ends

    def as_dict(self) -> dict[str, Any]:
        """The moves as JSON has them."""
        move, figures = self.moves[0], self.random.figures()
        wanted = {name: figures[name] for name in ("first", "draw", "second", "utility", "plies")}
        return {
            "moves": [each.move for each in self.moves],
            "value": move.value,
            "outcome": move.outcome,
            "remoteness": move.remoteness,
            "best": move.best,
            "random": as_dicts(wanted),
        }

    def row(self) -> list[Words]:
        """The moves as a row of a table."""
        move, figures = self.moves[0], self.random.figures()
        names = listed([each.move for each in self.moves])
        verdict = result_of(move) + (", best" if move.best else "")
        random = [percent(figures[way]) for way in SIDES.values()]
        return [names, verdict, *random, amount(figures["plies"])]


def first_moves(db: Database) -> Sequence[Sequence[Move]]:
    """The moves from the start, best first; those that lead to symmetric positions are together."""
    found: dict[Any, list[Move]] = {}
    for move in db[db.start].moves:
        found.setdefault(representative(db.game, read_position(db.game, move.position)), []).append(move)
    order = {move.move: at for at, move in enumerate(db[db.start].moves_by_action)}
    return [sorted(moves, key=lambda move: order[move.move]) for moves in found.values()]
