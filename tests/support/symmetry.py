"""Checks the symmetry that an explicit game claims, by brute force."""

from solver.engines.graph_states import explore
from tests.support.games.explicit_graph import Mirrored


def is_symmetric(game: Mirrored) -> bool:
    """Return whether exchanging the copies preserves movers, utilities and moves in each reachable state."""
    graph = explore(game)
    classes = [min(state, image) for state, image in enumerate(game.images)]
    return all(
        game.movers[state] == game.movers[image]
        and bool(game.children[state]) == bool(game.children[image])
        and (bool(game.children[state]) or game.utilities[state] == game.utilities[image])
        and {classes[child] for child in game.children[state]}
        == {classes[child] for child in game.children[image]}
        for state in graph
        for image in [game.images[state]]
    )
