"""Random playouts of packed games in batches: one NumPy operation makes the same move in many playouts."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import BrokenRules
from solver.packed import PackedGame
from solver.rules.arrays import array_type

States = NDArray[np.int64]

PLAYOUTS_AT_ONCE = 2**15
"""Playouts per batch, so that their states fit into the processor's cache."""


def packed_sampler(
    game: PackedGame, states: Sequence[Any], seed: int, longest: int, endless_value: int = 0
) -> Callable[[Sequence[int]], list[list[int]]]:
    """The `Sampler` of random playouts from `states`; `seed` and the counts so far determine its results."""
    generator, starts = np.random.default_rng(seed), np.array(states, np.int64)

    def sample(counts: Sequence[int]) -> list[list[int]]:
        begins = np.repeat(starts, counts)
        parts = np.split(begins, range(PLAYOUTS_AT_ONCE, len(begins), PLAYOUTS_AT_ONCE))
        played = [_played(game, part, generator, longest, endless_value) for part in parts]
        return [part.tolist() for part in np.split(np.concatenate(played), np.cumsum(counts)[:-1])]

    return sample


def _played(
    game: PackedGame, states: States, generator: np.random.Generator, longest: int, endless_value: int
) -> States:
    """The utility, int64, of one random playout from each state; `endless_value` after `longest` plies."""
    utilities = np.full(len(states), endless_value, np.int64)
    numbers, states = np.arange(len(states)), states.view(array_type(game))
    for _ in range(longest):
        is_over = np.broadcast_to(np.asarray(game.is_terminal(states), bool), len(states))
        utilities[numbers[is_over]] = game.utility(states[is_over])
        numbers, states = numbers[~is_over], states[~is_over]
        if not len(states):
            break
        states = random_moves(game, states, generator)
    return utilities


def random_moves(game: PackedGame, states: States, generator: np.random.Generator) -> States:
    """The states after a random move, uniform over the legal ones, in each non-terminal state."""
    legal, view = np.empty((game.action_count, len(states)), np.bool_), states.view(array_type(game))
    for action in range(game.action_count):
        legal[action] = game.legal(view, action)
    counts = legal.sum(axis=0)
    if not counts.all():
        raise BrokenRules(f"{type(game).__name__} has no legal action in a state that is not terminal")
    skip = (generator.random(len(states)) * counts).astype(np.int32)
    moved = np.empty_like(states)
    for action in range(game.action_count):
        chosen = np.flatnonzero(legal[action] & (skip == 0))
        moved[chosen] = game.result(view[chosen], action)
        skip -= legal[action]
    return moved
