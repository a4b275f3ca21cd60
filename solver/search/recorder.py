"""Records a search while it runs, as a `SearchTrace`."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from solver.game import FIRST, AnyGame
from solver.rules.asking import mover_of
from solver.search.and_or.problem import Problem
from solver.search.trace import UNKNOWN, Interval, Sample, SearchTrace, TracedNode, Visit, backed_up

MAX_RECORDED = 5000
"""The most nodes of a trace; further ones are only counted, as no picture shows so many."""

MAX_PLAYOUTS = 5000
"""The most playouts that a trace lists."""


@dataclass(eq=False)
class _OpenNode(TracedNode):
    """A node that the search has entered and not left."""

    number: int | None = None
    above: int = 0
    last: "_OpenNode | None" = None
    values: list[Interval] = field(default_factory=list)

    @property
    def entered(self) -> int:
        """The number of its children so far."""
        return len(self.children) + self.hidden


class SearchRecorder:
    """The record of one search: the nodes it enters, its findings there, and the nodes it prunes."""

    exploration: float | None = None
    """The constant C by which UCB1 chooses; None in a search without it."""

    def __init__(self, game: AnyGame, algorithm: str, depth: int | None = None) -> None:
        """Record the nodes of the search called `algorithm` down to `depth`; all nodes if it is None."""
        self._game, self._algorithm, self._depth = game, algorithm, depth
        self._nodes: list[_OpenNode] = []
        self._path: list[_OpenNode] = []
        self._sizes: list[int] = []
        self._goal, self._goals, self._visits = "", list[str](), 0
        self._owner: int | None = None
        self._playouts: list[tuple[int, int]] = []

    def begin(self, goal: str, owner: int) -> None:
        """Record the goal sought from the next root on, as "a win", and the player who seeks it."""
        self._goal, self._owner = goal, owner

    def enter(
        self,
        state: Hashable,
        action: Any = None,
        window: tuple[Any, Any] | None = None,
        visit: Visit = Visit.SEARCHED,
    ) -> int:
        """Go down to a node with this alpha-beta window; returns its number or its nearest ancestor's."""
        if not self._path:
            self._goals.append(self._goal)
        self._path.append(self._add(state, action, visit, window))
        return self._path[-1].above

    def act(self, problem: Problem, state: Hashable, action: Any) -> None:
        """Go down to an AND node, after an action is chosen and before its result is known."""
        self.enter(problem.after(state, action), action, visit=Visit.REPLIES)

    def known(self, low: Any = None, high: Any = None) -> None:
        """Record that the open node's value is known already: from `low` to `high`, None if unbounded."""
        self._path[-1].visit, self._path[-1].finding = Visit.KNOWN, Interval(low, high)

    def treated(self, visit: Visit) -> None:
        """Record how the search treats the open node, if it does not try moves."""
        self._path[-1].visit = visit

    def cut(self, moves: Iterable[tuple[Any, Any]]) -> None:
        """Record that those of `moves`, pairs of action and state, that are not tried yet are pruned."""
        above = self._path[-1]
        rest = list(moves)[above.entered :]
        if rest:
            above.values.append(UNKNOWN)
        for action, state in rest:
            self._add(state, action, Visit.CUT)

    def leave(self, value: Any, action: Any = None) -> None:
        """Go up from a node with its value, or a bound on it, and the action chosen there."""
        node = self._path[-1]
        if node.finding is None:
            node.finding = (
                backed_up(node.values, maximising=mover_of(self._game, node.state) == FIRST)
                if node.values
                else Interval(value, value)
            )
        if self._path[:-1] and isinstance(node.finding, Interval):
            self._path[-2].values.append(node.finding)
        self._close(action)

    def judge(self, finding: bool | Sample, action: Any = None, visit: Visit | None = None) -> None:
        """Go up from a node with its `finding` and the action chosen there."""
        node = self._path[-1]
        node.finding, node.visit = finding, visit or node.visit
        self._close(action)
        if node.visit is Visit.REPLIES and node.last is not None and node.entered == 1:
            self._merge(node, node.last)

    def played(self, number: int, utility: int) -> None:
        """Record a playout through the node with this number."""
        if len(self._playouts) < MAX_PLAYOUTS:
            self._playouts.append((number, utility))

    def terminal(self, state: Hashable, utility: int) -> None:
        """Record that the game is over in the state in which the search begins."""
        self.enter(state)
        self.leave(utility)

    def arms(
        self,
        state: Hashable,
        moves: Sequence[tuple[Any, Any]],
        playouts: Iterable[tuple[int, int]],
        action: Any,
    ) -> None:
        """Record the playouts after each of the `moves` in `state`, and the action chosen.

        A playout is a pair of the index of its move and its utility. Moves without playouts come last.
        """
        playouts, tallies = list(playouts), [Sample(0, 0) for _ in moves]
        for nth, utility in playouts:
            tallies[nth] = Sample(tallies[nth].visits + 1, tallies[nth].total + utility)
        self.enter(state, visit=Visit.SAMPLED)
        numbers = []
        for (played, child), tally in zip(moves, tallies, strict=True):
            if tally.visits:
                numbers.append(self.enter(child, played, visit=Visit.SAMPLED))
                self.judge(tally)
        self.cut(moves)
        self.judge(Sample(len(playouts), sum(tally.total for tally in tallies)), action)
        for nth, utility in playouts:
            self.played(numbers[nth], utility)

    def trace(self) -> SearchTrace:
        """All that was recorded."""
        return SearchTrace(
            self._game,
            self._algorithm,
            self._depth,
            tuple(self._nodes),
            tuple(size for size in self._sizes if size),
            self._visits,
            tuple(self._goals),
            tuple(self._playouts),
            self.exploration,
            self._owner,
        )

    def _add(
        self, state: Hashable, action: Any, visit: Visit, window: tuple[Any, Any] | None = None
    ) -> _OpenNode:
        """Count a node below the open one, and record it unless it is too deep or comes too late."""
        above, depth = self._path[-1] if self._path else None, len(self._path)
        node = _OpenNode(state, action, above.number if above else None, depth, visit, window=window)
        if depth == len(self._sizes):
            self._sizes.append(0)
        self._sizes[depth] += 1
        if above:
            above.last, node.above = node, above.above
        shallow = self._depth is None or depth <= self._depth
        if shallow and len(self._nodes) < MAX_RECORDED and (above is None or above.number is not None):
            node.number = node.above = len(self._nodes)
            self._nodes.append(node)
            if above:
                above.children += (node.number,)
        elif above:
            above.hidden += 1
        return node

    def _merge(self, node: _OpenNode, only: _OpenNode) -> None:
        """Merge an AND node with its `only` child if that is the same state, in which the game is over."""
        if only.entered or only.state != node.state:
            return
        node.visit, node.children, node.hidden = only.visit, (), 0
        self._sizes[only.depth] -= 1
        if only.number is not None:
            self._nodes.pop()  # it has no children

    def _close(self, action: Any) -> None:
        node = self._path.pop()
        if not node.entered and node.visit is Visit.SEARCHED:
            node.visit = Visit.TERMINAL
        self._visits += node.visit.counts
        if action is not None:
            chosen = (number for number in node.children if self._nodes[number].action == action)
            node.choice = next(chosen, None)


class _Unrecorded(SearchRecorder):
    """Records nothing."""

    def __init__(self) -> None:
        for name in dir(SearchRecorder):
            if not name.startswith("_"):
                setattr(self, name, lambda *_, **__: 0)


UNRECORDED: SearchRecorder = _Unrecorded()
"""The recorder of a search that is not drawn."""
