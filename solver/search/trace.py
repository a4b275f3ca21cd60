"""What a search did: its tree down to a depth, and what it found in each node, in the order of its visits."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, TypeAlias

from solver.game import AnyGame
from solver.system.plugins import Pictured, shown_in_notebook
from solver.system.words import number_of


class Visit(Enum):
    """What a search did in a node."""

    SEARCHED = "searched"
    """It tried moves."""
    TERMINAL = "terminal"
    """It took the utility: the game is over."""
    EVALUATED = "evaluated"
    """It asked the heuristic, at its horizon."""
    HORIZON = "horizon"
    """It went no deeper, and knows nothing of what follows."""
    KNOWN = "known"
    """It took what it remembered of the state, and did not visit it again."""
    REPEATED = "repeated"
    """It turned back, as the state is on the path already, or open elsewhere."""
    CUT = "cut"
    """It was never there, as nothing there could have changed the choice."""
    REPLIES = "replies"
    """It went through all results of an action: an AND node."""
    SAMPLED = "sampled"
    """It played games out from there, or below."""

    @property
    def counts(self) -> bool:
        """Whether the node is one of those that the search visited."""
        return self not in (Visit.KNOWN, Visit.REPEATED, Visit.CUT, Visit.REPLIES)


@dataclass(frozen=True)
class Interval:
    """The values that a node can have, as far as a search knows; None for a side that it does not know."""

    low: Any
    high: Any

    @property
    def exact(self) -> bool:
        """Whether only one value is left."""
        return self.low is not None and self.low == self.high


UNKNOWN = Interval(None, None)
"""The interval of a node in which the search never was."""


def backed_up(below: Sequence[Interval], *, maximising: bool) -> Interval:
    """The interval of a node by those of all nodes right `below`, of which there is at least one."""
    best = max if maximising else min
    lows, highs = [interval.low for interval in below], [interval.high for interval in below]
    nearer, farther = (lows, highs) if maximising else (highs, lows)
    known = [bound for bound in nearer if bound is not None]
    near = best(known) if known else None
    far = None if None in farther else best(farther)
    return Interval(near, far) if maximising else Interval(far, near)


@dataclass(frozen=True)
class Sample:
    """The playouts through a node."""

    visits: int
    total: int
    """The sum of their utilities, for the first player."""
    proved: int | None = None
    """The utility that is proved; None without a proof."""

    @property
    def mean(self) -> float:
        """The utility that is proved, or the mean of the playouts."""
        return self.total / self.visits if self.proved is None else self.proved


Finding: TypeAlias = Interval | Sample | bool | None
"""What a search found in a node; for AND-OR search whether there is a plan, None where it never was."""


@dataclass(frozen=True)
class TracedNode:
    """A node of the tree of a search."""

    state: Any
    """The state; that of an AND node is the one after the action, before any reply."""
    action: Any
    """The action that leads here; None at a root and after replies."""
    parent: int | None
    """The number of the node above; None at a root."""
    depth: int
    """The number of nodes above."""
    visit: Visit
    finding: Finding
    window: tuple[Any, Any] | None
    """Alpha and beta when the search came here; None in a search without them."""
    children: tuple[int, ...]
    """The numbers of the nodes below, in the order in which the search tried them."""
    choice: int | None
    """The one of the children that was chosen; None if there is none."""
    hidden: int
    """The number of nodes right below that are deeper than the trace."""

    @property
    def goes_on(self) -> bool:
        """Whether play goes on below, deeper than the trace or than the search."""
        return self.hidden > 0 or self.visit is Visit.HORIZON


@dataclass(frozen=True)
class SearchTrace(Pictured):
    """The tree of a search; its nodes are numbered in the order in which the search came to them."""

    game: AnyGame
    algorithm: str
    depth: int | None
    """The depth down to which nodes were recorded; None for all."""
    nodes: tuple[TracedNode, ...]
    """The nodes; those without a node above are roots."""
    sizes: tuple[int, ...]
    """The number of nodes at each depth, also below the trace."""
    visits: int
    """The nodes that the search visited, also below the trace."""
    goals: tuple[str, ...]
    """The goal sought from each of the roots; "" in a search for values."""
    playouts: tuple[tuple[int, int], ...]
    """The playouts in order: the deepest node of the trace on the path, and the utility."""
    exploration: float | None = None
    """The constant C by which UCB1 chose; None in a search without it."""
    owner: int | None = None
    """The player whose plan is sought, or drawn; None in a search for values."""

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """The numbers of the nodes with which the search began; an AND-OR search may begin several times."""
        return tuple(number for number, node in enumerate(self.nodes) if node.parent is None)

    @property
    def root(self) -> TracedNode:
        """The last of the roots, which has the result."""
        return self.nodes[self.roots[-1]]

    @property
    def action(self) -> Any:
        """The chosen action; None if there is none."""
        return None if self.root.choice is None else self.nodes[self.root.choice].action

    @property
    def counted(self) -> str:
        """The nodes that are drawn: "13 nodes", "37 of 1,061 nodes", "9 nodes, 4 not visited"."""
        visited = sum(node.visit.counts for node in self.nodes)
        part = "" if visited == self.visits else f"{visited:,} of "
        left = sum(not node.visit.counts and node.visit is not Visit.REPLIES for node in self.nodes)
        rest = f", {left:,} not visited" if left else ""
        return f"{part}{number_of(self.visits, 'node')}{rest}"

    def _repr_svg_(self) -> str | None:
        return shown_in_notebook("search", self)
