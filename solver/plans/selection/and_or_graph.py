"""The moves that a plan may choose from, as an AND-OR graph of positions or of classes of symmetric ones.

Where the owner is to move a node has the moves that are allowed, where the other is every reply. A plan is
such a graph itself, with one move left wherever the owner is to move.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from solver.database import Database
from solver.database.entry import Entry, Move, of_member
from solver.errors import TooLarge, UnknownPosition
from solver.game import FIRST, AnyGame
from solver.rules.asking import representative
from solver.rules.notation import read_position, write_position

Allowed: TypeAlias = Callable[[Sequence[Move], Container[str]], Sequence[Move]]
"""Which of the owner's moves may be chosen, given them and the positions that are in the graph already."""

Lookup: TypeAlias = Callable[[str], Entry]
"""What is known of the position that stands for a text's, with such positions after its moves."""


class Edge(NamedTuple):
    """A move and the number of the node to which it leads."""

    move: str | int
    to: int


@dataclass(frozen=True)
class AndOrGraph:
    """An AND-OR graph whose nodes are numbered breadth first from the root, which is 0."""

    positions: tuple[str, ...]
    """The position of each node."""
    owned: tuple[bool, ...]
    """Whether the owner of the plan is to move there, and the game is not over."""
    ways: tuple[tuple[Edge, ...], ...]
    """The allowed moves, in order, or all replies; of moves that lead to the same node only the first."""
    gains: tuple[int, ...]
    """What the node is worth to the owner; in an end that is what the game ends with."""

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.positions)

    def open(self, node: int) -> bool:
        """Whether there is something to choose in `node`."""
        return self.owned[node] and len(self.ways[node]) > 1

    def chosen(self, choice: Sequence[int]) -> "AndOrGraph":
        """The plan that takes, in each node of the owner, the way that `choice` has the number of."""
        return self.restricted(
            [
                (ways[number],) if owned else ways
                for ways, owned, number in zip(self.ways, self.owned, choice, strict=True)
            ]
        )

    def restricted(self, kept: Sequence[Sequence[Edge]]) -> "AndOrGraph":
        """The graph with only the `kept` ways of each node, as far as the root still leads, renumbered."""
        order, number = [0], {0: 0}
        for node in order:
            for way in kept[node]:
                if way.to not in number:
                    number[way.to] = len(order)
                    order.append(way.to)
        return AndOrGraph(
            tuple(self.positions[node] for node in order),
            tuple(self.owned[node] for node in order),
            tuple(tuple(Edge(way.move, number[way.to]) for way in kept[node]) for node in order),
            tuple(self.gains[node] for node in order),
        )


def best_moves(moves: Sequence[Move], met: Container[str]) -> list[Move]:
    """The best moves."""
    return [move for move in moves if move.best]


def one_best_move(moves: Sequence[Move], met: Container[str]) -> list[Move]:
    """The first best move that leads to a position met already, else the first best move."""
    best = best_moves(moves, met)
    return [next((move for move in best if move.position in met), best[0])]


def moves_worth(least: int, player: int) -> Allowed:
    """The moves after which `player` can still force a gain of at least `least`."""
    sign = 1 if player == FIRST else -1
    return lambda moves, met: [move for move in moves if sign * move.value >= least]


def choices(
    db: Database, root: str, player: int, allowed: Allowed, *, most: int | None = None, fold: bool = False
) -> AndOrGraph:
    """The graph from `root`, with one node for each class of symmetric positions if `fold`.

    Raises `TooLarge` where it has more than `most` nodes, and `BrokenRules` where the symmetries are false.
    """
    look = _of_class(db) if fold else db.__getitem__
    entries = [look(root)]
    number = {entries[0].position: 0}
    owned, ways = [], []
    for entry in entries:
        owned.append(bool(entry.moves) and entry.to_move == db.game.players[player])
        moves = allowed(entry.moves, number) if owned[-1] else entry.moves
        first: dict[str, Move] = {}
        for move in moves:
            first.setdefault(move.position, move)
        for position in first:
            if position not in number:
                number[position] = len(entries)
                entries.append(look(position))
        if most is not None and len(entries) > most:
            raise TooLarge(
                f"there are more than {most:,} positions to choose among from {root!r}: "
                "ask for a plan from a later position, or leave --smallest out"
            )
        ways.append(tuple(Edge(move.move, number[position]) for position, move in first.items()))
    sign = 1 if player == FIRST else -1
    gains = tuple(sign * entry.value for entry in entries)
    return AndOrGraph(tuple(entry.position for entry in entries), tuple(owned), tuple(ways), gains)


def _of_class(db: Database) -> Lookup:
    """What is known of a position's representative, whose moves lead to representatives."""
    game = db.game
    members: dict[str, str] = {}

    def led_to_classes(entry: Entry) -> Entry:
        positions = [_representative(game, move.position) for move in entry.moves]
        for move, position in zip(entry.moves, positions, strict=True):
            members.setdefault(position, move.position)
        moves = [replace(move, position=to) for move, to in zip(entry.moves, positions, strict=True)]
        return replace(entry, moves=tuple(moves))

    def look(position: str) -> Entry:
        stand = _representative(game, position)
        try:
            return led_to_classes(db[stand])
        except UnknownPosition:  # play from the start leads to the class, but not to this member of it
            entry = led_to_classes(db[members.get(position, position)])
            return led_to_classes(of_member(game, entry, read_position(game, stand)))

    return look


def _representative(game: AnyGame, position: str) -> str:
    """The position that stands for all that are symmetric to `position`."""
    return write_position(game, representative(game, read_position(game, position)))
