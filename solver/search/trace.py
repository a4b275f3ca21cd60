"""The trace of a search: its tree down to a depth, and its finding in each node, in the order of visits."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, TypeAlias

from solver.game import AnyGame
from solver.system.plugins import Pictured, shown_in_notebook
from solver.system.words import number_of


class Visit(Enum):
    """How a search treated a node."""

    SEARCHED = "searched"
    """It tried moves."""
    TERMINAL = "terminal"
    """It took the utility: the game is over."""
    EVALUATED = "evaluated"
    """It took the heuristic evaluation, at the depth limit."""
    HORIZON = "horizon"
    """It stopped at the depth limit, without an evaluation."""
    KNOWN = "known"
    """It took the stored finding of the state, without a visit."""
    REPEATED = "repeated"
    """It turned back, as the state is on the path already, or open elsewhere."""
    CUT = "cut"
    """It pruned the node, which could not have changed the choice."""
    REPLIES = "replies"
    """It went through the results of an action: an AND node."""
    SAMPLED = "sampled"
    """It made playouts through the node."""

    @property
    def counts(self) -> bool:
        """Whether this counts as a visit to the node."""
        return self not in (Visit.KNOWN, Visit.REPEATED, Visit.CUT, Visit.REPLIES)


@dataclass(frozen=True)
class Interval:
    """The bounds that a search has on the value of a node; None for no bound."""

    low: Any
    high: Any

    @property
    def exact(self) -> bool:
        """Whether the bounds determine the value."""
        return self.low is not None and self.low == self.high


UNKNOWN = Interval(None, None)
"""The interval of a node that the search did not visit."""


def backed_up(below: Sequence[Interval], *, maximising: bool) -> Interval:
    """The interval of a node, given the intervals `below`, those of its children; there is at least one."""
    best = max if maximising else min
    lows, highs = [interval.low for interval in below], [interval.high for interval in below]
    nearer, farther = (lows, highs) if maximising else (highs, lows)
    near = best((bound for bound in nearer if bound is not None), default=None)
    far = None if None in farther else best(farther)
    return Interval(near, far) if maximising else Interval(far, near)


@dataclass(frozen=True)
class Sample:
    """The playouts through a node."""

    visits: int
    total: int
    """The sum of their utilities, for the first player."""
    proved: int | None = None
    """The proved utility; None without a proof."""

    @property
    def mean(self) -> float:
        """The proved utility, or the mean utility of the playouts."""
        return self.total / self.visits if self.proved is None else self.proved


Finding: TypeAlias = Interval | Sample | bool | None
"""The finding in a node: for AND-OR search, whether there is a plan. None if the node was not visited."""


@dataclass(eq=False)
class TracedNode:
    """A node of a search tree."""

    state: Any
    """The state; in an AND node, the state after the action and before any reply."""
    action: Any
    """The action that leads to the node; None at a root and after replies."""
    parent: int | None
    """The number of the parent; None at a root."""
    depth: int
    """The number of ancestors."""
    visit: Visit
    finding: Finding = None
    window: tuple[Any, Any] | None = None
    """Alpha and beta on entering the node; None in a search without them."""
    children: tuple[int, ...] = ()
    """The numbers of the recorded children, in the order in which the search tried them."""
    choice: int | None = None
    """The number of the chosen child; None if there is none."""
    hidden: int = 0
    """The number of children that are not recorded."""

    @property
    def goes_on(self) -> bool:
        """Whether play goes on below, beyond the trace or beyond the depth limit."""
        return self.hidden > 0 or self.visit is Visit.HORIZON


@dataclass(frozen=True)
class SearchTrace(Pictured):
    """The tree of a search; its nodes are numbered in the order of their first visits."""

    game: AnyGame
    algorithm: str
    depth: int | None
    """The depth down to which nodes were recorded; None for all."""
    nodes: tuple[TracedNode, ...]
    """The recorded nodes; those without a parent are roots."""
    sizes: tuple[int, ...]
    """The number of nodes at each depth, including those that are not recorded."""
    visits: int
    """The number of visited nodes, including those that are not recorded."""
    goals: tuple[str, ...]
    """The goal sought from each root, as "a win"; "" in a search for values."""
    playouts: tuple[tuple[int, int], ...]
    """The playouts in order: the number of the deepest recorded node on the path, and the utility."""
    exploration: float | None = None
    """The constant C by which UCB1 chose; None in a search without it."""
    owner: int | None = None
    """The player whose plan is sought or drawn; None in a search for values."""

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """The numbers of the roots; an AND-OR search has one for each goal that it sought."""
        return tuple(number for number, node in enumerate(self.nodes) if node.parent is None)

    @property
    def root(self) -> TracedNode:
        """The last root, which has the result."""
        return self.nodes[self.roots[-1]]

    @property
    def action(self) -> Any:
        """The chosen action; None if there is none."""
        return None if self.root.choice is None else self.nodes[self.root.choice].action

    @property
    def counted(self) -> str:
        """The number of nodes drawn: "13 nodes", "37 of 1,061 nodes" or "9 nodes, 4 not visited"."""
        visited = sum(node.visit.counts for node in self.nodes)
        part = "" if visited == self.visits else f"{visited:,} of "
        left = sum(not node.visit.counts and node.visit is not Visit.REPLIES for node in self.nodes)
        rest = f", {left:,} not visited" if left else ""
        return f"{part}{number_of(self.visits, 'node')}{rest}"

    def _repr_svg_(self) -> str | None:
        return shown_in_notebook("search", self)
