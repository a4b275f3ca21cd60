"""Proves from the rules alone that a plan is total and keeps its promise, or finds what breaks it.

A plan promises a gain. It keeps the promise when no line of play that follows it ends with less, and none
goes on for ever where endless play is worth less. Nor may a line go on for ever where endless play is not
worth the goal: then the positions that the plan can meet must not form a circle. So the goal `win` must be
reached, unless endless play is the owner's; and `draw` may go round, unless endless play is the other's.
"""

from collections import deque
from dataclasses import dataclass
from typing import Any

from solver.errors import BrokenPlan
from solver.plan import Plan

THRESHOLDS = {"win": 1, "draw": 0}
"""The least gain of the owner that reaches each goal in words; a number is itself the least gain."""


@dataclass(frozen=True)
class Guarantee:
    """What a proved plan is good for."""

    gain: int
    """The least utility that the owner gets, from the owner's side."""
    plies: int | None
    """The plies of the longest line of play; None when play may go on for ever."""
    positions: int
    """How many positions can arise."""
    unused: int
    """How many choices the plan has for positions that cannot arise."""


@dataclass
class _Node:
    """A position that arises, how it first did, and where play can go on."""

    state: Any
    parent: str | None
    move: str | int | None
    children: tuple[str, ...] = ()


def verify_plan(plan: Plan) -> Guarantee:
    """What `plan` guarantees; raises `BrokenPlan`, with a line of play, where it breaks its promise."""
    met, ends = _follow(plan)
    order = _backwards(met)
    endless = len(order) < len(met)
    worth = plan.endless_gain
    if endless and worth < _least(plan):
        raise BrokenPlan(f"the plan for {_goal(plan)} can go round for ever: {_circle(met, order)}")
    gain = min([*ends.values(), *([worth] if endless else [])])
    if gain < plan.gain(plan.value):
        worst = min(ends, key=lambda position: ends[position], default=None)
        if worst is None or ends[worst] > gain:
            raise BrokenPlan(
                f"the plan promises the value {plan.value}, but play can go round for ever, "
                f"which is {_worth(plan)}: {_circle(met, order)}"
            )
        raise BrokenPlan(
            f"the plan promises the value {plan.value}, but {_line(met, worst)} the game ends with "
            f"{plan.gain(gain)} in {worst!r}"
        )
    longest: dict[str, int] = {}
    for position in order:
        longest[position] = max((longest[child] + 1 for child in met[position].children), default=0)
    return Guarantee(
        gain=gain,
        plies=None if endless else longest[plan.root],
        positions=len(met),
        unused=sum(position not in met for position in plan.moves),
    )


def _follow(plan: Plan) -> tuple[dict[str, _Node], dict[str, int]]:
    """Every position that can arise, breadth first, and the owner's gain in those that are ends."""
    game, ends = plan.game, {}
    met = {plan.root: _Node(game.parse(plan.root), None, None)}
    queue = deque([plan.root])
    while queue:
        position = queue.popleft()
        node = met[position]
        names = {game.action_name(action): action for action in game.actions(node.state)}
        if not names:
            ends[position] = plan.gain(game.utility(node.state))
            _check_end(plan, met, position, ends[position])
            continue
        if game.to_move(node.state) == plan.owner:
            names = {name: names[name] for name in (_choice(plan, met, position, names),)}
        children = []
        for name, action in names.items():
            state = game.result(node.state, action)
            child = game.position(state)
            children.append(child)
            if child not in met:
                met[child] = _Node(state, position, name)
                queue.append(child)
        node.children = tuple(children)
    return met, ends


def _check_end(plan: Plan, met: dict[str, _Node], position: str, gain: int) -> None:
    if gain < _least(plan):
        outcome = "won by no more than " + str(gain) if gain > 0 else "lost" if gain < 0 else "a draw"
        raise BrokenPlan(
            f"the plan for {plan.owner_name} promises {_goal(plan)}, but {_line(met, position)} "
            f"the game is {outcome} in {position!r}"
        )


def _choice(plan: Plan, met: dict[str, _Node], position: str, legal: dict[Any, Any]) -> str | int:
    """The plan's move in a position of its owner, which must be there and be legal."""
    if position not in plan.moves:
        raise BrokenPlan(
            f"the plan has no move for {plan.owner_name} in {position!r}, {_line(met, position)}"
        )
    move = plan.moves[position]
    if move not in legal:
        raise BrokenPlan(
            f"the plan's move {move!r} is not legal in {position!r}, {_line(met, position)}: "
            f"legal are {', '.join(map(str, legal))}"
        )
    return move


def _least(plan: Plan) -> int:
    """The least gain that reaches the plan's goal."""
    return plan.goal if isinstance(plan.goal, int) else THRESHOLDS[plan.goal]


def _goal(plan: Plan) -> str:
    """The plan's goal, in words."""
    return f"{plan.goal:+d} or better" if isinstance(plan.goal, int) else f"a {plan.goal}"


def _worth(plan: Plan) -> str:
    """What endless play is, in words."""
    return "a draw" if plan.endless == "draw" else f"won by {plan.game.players[plan.endless == 'second']}"


def _circle(met: dict[str, _Node], order: dict[str, None]) -> str:
    """A position that can recur, in words, where `order` lacks the positions that can lead to one."""
    position, seen = next(position for position in met if position not in order), set[str]()
    while position not in seen:
        seen.add(position)
        position = next(child for child in met[position].children if child not in order)
    return f"{_line(met, position)}, {position!r} can recur"


def _line(met: dict[str, _Node], position: str) -> str:
    """The moves that lead from the root to a position, in words."""
    moves: list[str] = []
    node = met[position]
    while node.parent is not None:
        moves.append(str(node.move))
        node = met[node.parent]
    return f"after the moves {' '.join(reversed(moves))}" if moves else "at once"


def _backwards(met: dict[str, _Node]) -> dict[str, None]:
    """The positions from which every line ends, each after all that can follow it (Kahn's algorithm)."""
    open_children = {position: len(set(node.children)) for position, node in met.items()}
    parents: dict[str, list[str]] = {position: [] for position in met}
    for position, node in met.items():
        for child in dict.fromkeys(node.children):
            parents[child].append(position)
    order = dict.fromkeys(position for position, count in open_children.items() if not count)
    queue = deque(order)
    while queue:
        for parent in parents[queue.popleft()]:
            open_children[parent] -= 1
            if not open_children[parent]:
                order[parent] = None
                queue.append(parent)
    return order
