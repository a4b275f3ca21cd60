"""All plans of a tiny game, by the rules alone, to compare the smallest plans with."""

from collections import deque
from collections.abc import Iterator
from itertools import product

from solver.plans.plan import GOALS, Plan
from tests.support.games.explicit_graph import ExplicitGame


def every_size(
    game: ExplicitGame, owner: int, least: int, endless: int, *, fold: bool = False
) -> Iterator[tuple[int, int | None]]:
    """For each strategy that gets the owner `least`: how many positions arise, and how many are in its tree.

    Endless play is worth `endless` to the owner. A strategy with a cycle has no tree. With `fold`, classes of
    symmetric states are counted instead of positions.
    """
    stand = game.canonical if fold else int
    mine = [state for state, mover in enumerate(game.movers) if mover == owner and stand(state) == state]
    for numbers in product(*(range(max(1, len(game.children[state]))) for state in mine)):
        choice = dict(zip(mine, numbers, strict=True))
        following: dict[int, list[int]] = {}
        queue = deque([stand(0)])
        while queue:
            state = queue.popleft()
            if state not in following:
                children = game.children[state]
                chosen = children[choice[state] :][:1] if state in choice else children
                following[state] = list(dict.fromkeys(map(stand, chosen)))
                queue.extend(following[state])
        tree = tree_size(following, stand(0))
        gains = [] if tree is not None else [endless]
        gains += [(-1) ** owner * game.utilities[state] for state in following if not following[state]]
        if min(gains) >= least:
            yield len(following), tree


def tree_size(following: dict[int, list[int]], root: int) -> int | None:
    """The number of nodes of the tree of a graph; None if it is infinite."""
    sizes: dict[int, int] = {}
    for _ in following:
        for state, children in following.items():
            if all(child in sizes for child in children):
                sizes[state] = 1 + sum(sizes[child] for child in children)
    return sizes.get(root)


def classes_arising(plan: Plan) -> set[str]:
    """The classes that arise when the owner follows a folded plan, each by its canonical position.

    The walk follows the rules from class to class. Every end must reach the plan's goal.
    """
    game = plan.game
    root = game.canonical(game.parse(plan.root))
    met, queue = {root}, deque([root])
    least = plan.goal if isinstance(plan.goal, int) else GOALS[plan.goal]
    while queue:
        state = queue.popleft()
        actions = list(game.actions(state))
        if not actions:
            assert plan.gain(game.utility(state)) >= least
        elif game.to_move(state) == plan.owner:
            move = plan.moves[game.position(state)]
            actions = [action for action in actions if game.action_name(action) == move]
            assert len(actions) == 1
        for action in actions:
            child = game.canonical(game.result(state, action))
            if child not in met:
                met.add(child)
                queue.append(child)
    return {game.position(state) for state in met}
