"""Games given by plain functions, for tests: a retrograde analysis without the solver, and random play."""

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable
from random import Random
from typing import TypeVar

from solver.game import AnyGame

Node = TypeVar("Node", bound=Hashable)

Plain = tuple[str, str]
"""A state as text: the rows of the board, separated by `/`, and the side to move."""

Winner = Callable[[Plain], int | None]
"""Says who has won in a state, if play is over."""

Children = Callable[[Plain], Iterable[Plain]]
"""Gives the states after the moves of a state."""

Label = tuple[int, int | None]
"""The value for the first player, and the remoteness: None if play need not end."""


def retrograde(
    start: Node,
    mover: Callable[[Node], int],
    winner: Callable[[Node], int | None],
    children: Callable[[Node], Iterable[Node]],
) -> dict[Node, Label]:
    """The label of each state reachable from `start`; a state with a `winner` is terminal.

    Terminal states are queued first, so states leave the queue in order of remoteness. The first lost child
    labels a state as won; the last won child labels it as lost.
    """
    parents, open_children, queue = defaultdict(list), {}, deque[Node]()
    labels: dict[Node, Label] = {}
    actual, todo = {start}, [start]
    while todo:
        node = todo.pop()
        won_by = winner(node)
        if won_by is not None:
            labels[node] = (1 - 2 * won_by, 0)
            queue.append(node)
            continue
        after = set(children(node))
        open_children[node] = len(after)
        for child in after:
            parents[child].append(node)
        todo += after - actual
        actual |= after
    while queue:
        node = queue.popleft()
        value, plies = labels[node]
        assert plies is not None
        for parent in parents[node]:
            open_children[parent] -= 1
            gains = value == 1 - 2 * mover(parent)
            if parent not in labels and (gains or open_children[parent] == 0):
                labels[parent] = (value, plies + 1)
                queue.append(parent)
    return {node: labels.get(node, (0, None)) for node in actual}


def hold_play(game: AnyGame, winner: Winner, children: Children, *, games: int, plies: int) -> None:
    """Play random games, and compare the ends and moves of each state with those of the plain functions."""
    random = Random(5)
    for _ in range(games):
        state = game.initial
        for _ in range(plies):
            board, side = game.position(state).split()
            won_by = winner((board, side))
            assert game.is_terminal(state) == (won_by is not None)
            if won_by is not None:
                assert game.utility(state) == (1, -1)[won_by]
                break
            after = [game.result(state, action) for action in game.actions(state)]
            assert {*map(game.position, after)} == {" ".join(child) for child in children((board, side))}
            assert all(game.parse(game.position(child)) == child for child in after)
            state = random.choice(after)
