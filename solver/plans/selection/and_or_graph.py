"""The moves that a plan may choose from, as an AND-OR graph of positions or of symmetry classes.

An OR node (owner to move) has an edge for each allowed move, an AND node one for each reply. A plan is a
subgraph with a single edge at each OR node.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple, TypeAlias

from solver.database import Database
from solver.database.entry import Entry, Move, of_member
from solver.errors import TooLarge, UnknownPosition
from solver.game import sign_for
from solver.rules.asking import is_over, representative
from solver.rules.notation import read_position, write_position
from solver.system.progress import Progress, no_progress

MoveFilter: TypeAlias = Callable[[Sequence[Move], Container[str]], Sequence[Move]]
"""A filter: from all moves of the owner and the positions already in the graph to the allowed moves."""

Lookup: TypeAlias = Callable[[str], Entry]
"""A lookup: the entry of the position that represents the given one; its moves lead to such positions."""


class Edge(NamedTuple):
    """A move and the node to which it leads."""

    move: str | int
    to: int


@dataclass(frozen=True)
class AndOrGraph:
    """An AND-OR graph whose nodes are numbered breadth first from the root, node 0."""

    positions: tuple[str, ...]
    """The position of each node."""
    owned: tuple[bool, ...]
    """Whether the node is an OR node: the owner is to move and the game is not over."""
    edges: tuple[tuple[Edge, ...], ...]
    """The edges of each node in action order; of several moves to the same node, only the first."""
    values: tuple[int, ...]
    """The minimax value of each node for the owner."""
    cut: frozenset[int] = frozenset()
    """The nodes at the depth limit, without edges, in which the game is not over."""

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.positions)

    def has_choice(self, node: int) -> bool:
        """Whether `node` is an OR node with more than one edge."""
        return self.owned[node] and len(self.edges[node]) > 1

    def chosen(self, choice: Sequence[int]) -> "AndOrGraph":
        """The plan that takes edge number `choice[node]` at each OR node."""
        return self.restricted(
            [
                (edges[number],) if owned else edges
                for edges, owned, number in zip(self.edges, self.owned, choice, strict=True)
            ]
        )

    def restricted(self, chosen: Sequence[Sequence[Edge]]) -> "AndOrGraph":
        """The subgraph reachable from the root by the `chosen` edges of each node, renumbered."""
        order = breadth_first(lambda node: (edge.to for edge in chosen[node]))
        number = {node: at for at, node in enumerate(order)}
        return AndOrGraph(
            tuple(self.positions[node] for node in order),
            tuple(self.owned[node] for node in order),
            tuple(tuple(Edge(edge.move, number[edge.to]) for edge in chosen[node]) for node in order),
            tuple(self.values[node] for node in order),
        )


def breadth_first(children: Callable[[int], Iterable[int]]) -> list[int]:
    """The nodes reachable from node 0, breadth first."""
    order, reached = [0], {0}
    for node in order:  # which grows
        for child in children(node):
            if child not in reached:
                reached.add(child)
                order.append(child)
    return order


def best_moves(moves: Sequence[Move], known: Container[str]) -> list[Move]:
    """The best moves."""
    return [move for move in moves if move.best]


def one_best_move(moves: Sequence[Move], known: Container[str]) -> list[Move]:
    """The first best move to a known position; if there is none, the first best move."""
    best = best_moves(moves, known)
    return [next((move for move in best if move.position in known), best[0])]


def moves_worth(minimum: int, player: int) -> MoveFilter:
    """The filter for moves after which `player` can still force a gain of at least `minimum`."""
    sign = sign_for(player)
    return lambda moves, known: [move for move in moves if sign * move.value >= minimum]


def build_graph(
    db: Database,
    root: str,
    player: int,
    allowed: MoveFilter,
    *,
    limit: int,
    depth: int | None = None,
    fold: bool = False,
    progress: Progress = no_progress,
) -> AndOrGraph:
    """The graph of play from `root` with the allowed moves of `player` and all replies.

    It is cut `depth` plies below the root. With `fold`, a node is a class of symmetric positions. Raises
    `TooLarge` for more than `limit` nodes, and `BrokenRules` if the symmetries of the rules are wrong.
    """
    lookup, sign = _class_lookup(db) if fold else db.__getitem__, sign_for(player)
    start = lookup(root)
    positions, plies, values, cut = [start.position], [0], [sign * start.value], set[int]()
    number = {start.position: 0}
    owned, edges = list[bool](), list[tuple[Edge, ...]]()
    for node, position in enumerate(positions):  # which grows
        if plies[node] == depth:
            owned.append(False)
            edges.append(())
            continue
        entry = lookup(position)
        owned.append(bool(entry.moves) and entry.to_move == db.game.players[player])
        moves = allowed(entry.moves_by_action, number) if owned[-1] else entry.moves_by_action
        first: dict[str, Move] = {}
        for move in moves:
            first.setdefault(move.position, move)
            if move.position not in number:
                number[move.position] = len(positions)
                positions.append(move.position)
                plies.append(plies[node] + 1)
                values.append(sign * move.value)
                if plies[-1] == depth and not is_over(db.game, read_position(db.game, move.position)):
                    cut.add(number[move.position])
        if len(positions) > limit:
            raise TooLarge(
                f"there are more than {limit:,} positions to choose among from {root!r}: "
                "ask for a plan from a later position, or omit --smallest"
            )
        edges.append(tuple(Edge(move.move, number[position]) for position, move in first.items()))
        progress("choosing moves", len(edges), None)
    return AndOrGraph(tuple(positions), tuple(owned), tuple(edges), tuple(values), frozenset(cut))


def _class_lookup(db: Database) -> Lookup:
    """The lookup of canonical positions, with moves that lead to canonical positions."""
    game = db.game
    members: dict[str, str] = {}

    @cache  # moves of many positions lead to one
    def representative_of(position: str) -> str:
        return write_position(game, representative(game, read_position(game, position)))

    def with_classes(entry: Entry) -> Entry:
        moves = []
        for move in entry.moves_by_action:
            moves.append(replace(move, position=representative_of(move.position)))
            members.setdefault(moves[-1].position, move.position)
        return replace(entry, moves_by_action=tuple(moves))

    def lookup(position: str) -> Entry:
        canonical = representative_of(position)
        member = members.setdefault(canonical, position)
        try:
            return with_classes(db[canonical])
        except UnknownPosition:  # only another member of the class is reachable from the start
            entry = with_classes(db[member])
            return with_classes(of_member(game, entry, read_position(game, canonical)))

    return lookup
