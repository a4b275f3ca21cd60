"""Explores all play that follows a plan, by the rules alone: each pair of position and memory once.

Topological orders of that play omit the nodes that come after a cycle.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any

from solver.errors import BrokenPlan, BrokenRules, PlanTooLarge
from solver.plans.plan import Plan, gain_at_cut, least_gain
from solver.plans.reader import MoveName
from solver.plans.wording import goal
from solver.proof.answers import actions_by_name
from solver.proof.plan.executors import Executor, Memory, Stuck
from solver.rules.asking import mover_of, utility_of
from solver.rules.notation import read_position, write_child

MIN_MOVES, MAX_MOVES = 20_000, 400_000
"""Bounds on the number of moves that are followed, for plans with few and with many choices."""

MOVES_PER_CHOICE = 100
"""Further moves that are followed for each choice of the plan."""

Key = tuple[str, Memory]
"""A position, and the executor's memory there."""


@dataclass(slots=True)
class PlanNode:
    """A reachable position, the first line that leads to it, and its successors."""

    state: Any
    parent: Key | None = None
    move: MoveName | None = None
    depth: int = 0
    """The length in plies of the shortest line to it."""
    owned: bool = False
    """Whether the owner is to move."""
    gain: int | None = None
    """The owner's utility; None unless the game is over or the plan is cut here."""
    following: list[tuple[MoveName, Key]] = field(default_factory=list)
    """Every move that can follow, with the key after it; empty if the game is over."""

    @property
    def children(self) -> list[Key]:
        """The keys that can follow."""
        return [child for _, child in self.following]


Reachable = Mapping[Key, PlanNode]
"""All reachable nodes, breadth first from the root."""


def explore_plan(plan: Plan, executor: Executor) -> Reachable:
    """All nodes that are reachable when the owner of `plan` moves as `executor` does.

    Raises `BrokenPlan`, with a line of play, if the executor is stuck, makes an illegal move or misses the
    goal, and `PlanTooLarge` if more moves can follow than are explored for this number of choices.
    """
    game, reachable, followed = plan.game, dict[Key, PlanNode](), 0
    limit = min(MAX_MOVES, MIN_MOVES + MOVES_PER_CHOICE * len(plan.moves))
    with _stuck_after(reachable, None):
        root = (plan.root, executor.begin())
    reachable[root] = PlanNode(read_position(game, plan.root))
    queue = deque([root])
    while queue:
        key = queue.popleft()
        node = reachable[key]
        moves = _moves(plan, executor, reachable, key)
        followed += len(moves)
        if followed > limit:
            raise PlanTooLarge(
                f"more than {limit:,} moves can follow the {len(plan.moves):,} choices of the plan, "
                "too many to check: plan from a later position"
            )
        for name, action in moves.items():
            state = game.result(node.state, action)
            with _stuck_after(reachable, key):
                child = (write_child(game, state), executor.after(key[1], name))
            node.following.append((name, child))
            if child in reachable and reachable[child].state != state:
                raise BrokenRules(f"the position {child[0]!r} stands for several states")
            if child not in reachable:
                reachable[child] = PlanNode(state, key, name, node.depth + 1)
                queue.append(child)
    return reachable


def line(reachable: Reachable, key: Key | None) -> str:
    """The line of play from the root to a node, in words."""
    moves: list[str] = []
    while key is not None:
        moves.append(_printable(reachable[key].move))
        key = reachable[key].parent
    return f"after the moves {' '.join(moves[-2::-1])}" if len(moves) > 1 else "at once"


def _moves(plan: Plan, executor: Executor, reachable: Reachable, key: Key) -> dict[MoveName, Any]:
    """The actions that can follow, by name: the planned one of the owner, or all of the other player."""
    game, node, (position, memory) = plan.game, reachable[key], key
    legal = actions_by_name(game, node.state)
    if not legal:
        utility = utility_of(game, node.state)
        node.gain = plan.gain(utility)
        with _stuck_after(reachable, key):
            executor.expect_end(memory, utility)
        _check_end(plan, node.gain, reachable, key)
        return {}
    node.owned = mover_of(game, node.state) == plan.owner
    node.gain = gain_at_cut(plan, node.state)
    if node.gain is not None:
        _check_end(plan, node.gain, reachable, key)
        return {}
    with _stuck_after(reachable, key):
        if not node.owned:
            executor.expect_opponent(memory)
            return legal
        move = executor.choice(node.state, memory, legal)
    if move not in legal:
        raise BrokenPlan(
            f"the plan's move {move!r} is not legal in {position!r}, {line(reachable, key)}: "
            f"legal are {', '.join(map(_printable, legal))}"
        )
    return {move: legal[move]}


def _check_end(plan: Plan, gain: int, reachable: Reachable, key: Key) -> None:
    if gain < least_gain(plan.goal):
        outcome = "won by no more than " + str(gain) if gain > 0 else "lost" if gain < 0 else "a draw"
        raise BrokenPlan(
            f"the plan for {plan.owner_name} promises {goal(plan)}, but {line(reachable, key)} the game is "
            f"{outcome} in {key[0]!r}"
        )


def _printable(move: MoveName | None) -> str:
    return str(move) if str(move).isprintable() else repr(move)


@contextmanager
def _stuck_after(reachable: Reachable, key: Key | None) -> Iterator[None]:
    """Turn `Stuck` into `BrokenPlan`, with the line of play to `key`."""
    try:
        yield
    except Stuck as stuck:
        raise BrokenPlan(f"{stuck}, {line(reachable, key)}") from stuck


TopologicalOrder = Mapping[Key, int]
"""Keys in topological order, each with the plies of the longest line between it and the first keys."""


def backwards(reachable: Reachable) -> TopologicalOrder:
    """The nodes from which all play is finite, ends first, with the longest line to an end."""
    return _ordered({key: node.children for key, node in reachable.items()})


def forwards(reachable: Reachable) -> TopologicalOrder:
    """The nodes that no cycle leads to, root first, with the longest line from the root."""
    return _ordered(_parents(reachable))


def least_gains(reachable: Reachable, finite: TopologicalOrder, endless: int) -> dict[Key, int]:
    """The owner's least gain in play from each node.

    Play from nodes that are not in `finite` may be endless, which is worth `endless` to the owner.
    """
    parents = _parents(reachable)
    sources = {key: node.gain for key, node in reachable.items() if node.gain is not None}
    sources |= dict.fromkeys((key for key in reachable if key not in finite), endless)
    gains: dict[Key, int] = {}
    for source in sorted(sources, key=lambda key: sources[key]):
        stack = [source]
        while stack:
            key = stack.pop()
            if key not in gains:
                gains[key] = sources[source]
                stack.extend(parents[key])
    return gains


def cycle(reachable: Reachable, finite: TopologicalOrder) -> str:
    """A position that can recur, in words; there must be nodes that are not in `finite`."""
    key, seen = next(key for key in reachable if key not in finite), set[Key]()
    while key not in seen:
        seen.add(key)
        key = next(child for child in reachable[key].children if child not in finite)
    return f"{line(reachable, key)}, {key[0]!r} can recur"


def _parents(reachable: Reachable) -> dict[Key, list[Key]]:
    parents: dict[Key, list[Key]] = {key: [] for key in reachable}
    for key, node in reachable.items():
        for child in dict.fromkeys(node.children):
            parents[child].append(key)
    return parents


def _ordered(before: Mapping[Key, Sequence[Key]]) -> TopologicalOrder:
    """The keys, each after all keys `before` it; keys in cycles, or after one, are left out."""
    sorter, order = TopologicalSorter(before), dict[Key, int]()
    with suppress(CycleError):  # the sorter still gives the other keys
        sorter.prepare()
    while ready := sorter.get_ready():
        for key in ready:
            order[key] = 1 + max((order[earlier] for earlier in before[key]), default=-1)
        sorter.done(*ready)
    return order
