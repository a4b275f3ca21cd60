"""What the rules answer about arrays of states, asked as solver/packed.py says, with NumPy alone."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.errors import SolverError
from solver.game import Game, Symmetry
from solver.packed import PackedGame
from solver.rules.arrays import Flags, Keys, broadcast
from solver.rules.notation import write_position

SHOWN = 10
"""So many of the states that share a problem are named."""


Places: TypeAlias = NDArray[np.intp]
"""Indices into an array."""


@dataclass(frozen=True)
class Play:
    """An action, played from some states."""

    action: int
    parents: Places
    """The indices of the states from which it is played."""
    results: Keys
    """What it leads to from each."""
    images: Sequence[Keys]
    """What each symmetry takes these to; none where the file is not folded."""
    stored: Keys
    """The states that stand for them in the file."""

    def parts(self) -> Iterator[tuple[Places, Keys]]:
        """Parents and what stands for their children: first those that stand for themselves, then others."""
        own = self.stored == self.results
        for part in (own, ~own):
            if len(part) and part.all():
                yield self.parents, self.stored
            elif part.any():
                yield self.parents[part], self.stored[part]


@dataclass(frozen=True)
class CheckedRules:
    """The rules of a game."""

    game: PackedGame
    start: int
    """A state in which play begins."""
    folded: bool
    """Whether a state in the file stands for all that are symmetric to it."""

    @property
    def symmetries(self) -> Sequence[Symmetry[Any, int]]:
        """The symmetries of the rules, for arrays of states."""
        return self.game.symmetries()

    def movers(self, keys: Keys) -> Keys:
        """The players to move, 0 or 1 each; raises ValueError where the rules say another."""
        movers = broadcast(self.game.to_move(keys), keys)
        if (wrong := (movers != 0) & (movers != 1)).any():
            raise ValueError(f"to_move should be 0 or 1, not {movers[wrong][0]}, for {keys[wrong][0]}")
        return movers

    def over(self, keys: Keys) -> Flags:
        """Where play is over."""
        return broadcast(self.game.is_terminal(keys), keys).astype(np.bool_)

    def utilities(self, keys: Keys) -> Keys:
        """What ends are worth to the first player."""
        return broadcast(self.game.utility(keys), keys)

    def legal(self, keys: Keys, action: int) -> Flags:
        """Where an action may be played."""
        return broadcast(self.game.legal(keys, action), keys).astype(np.bool_)

    def results(self, keys: Keys, action: int) -> Keys:
        """Where an action leads to from states in which it may be played."""
        return broadcast(self.game.result(keys, action), keys)

    def images(self, keys: Keys) -> Iterator[Keys]:
        """What each symmetry of the rules takes the states to."""
        for symmetry in self.symmetries:
            yield broadcast(symmetry.state(keys), keys)

    def canonical(self, keys: Keys, images: Iterable[Keys] | None = None) -> Keys:
        """The representatives of the classes of these states, whose `images` may be known already."""
        if type(self.game).canonical is not Game.canonical:  # another choice than the least
            return np.fromiter(map(self.game.canonical, keys.tolist()), np.int64, len(keys))
        return reduce(np.minimum, self.images(keys) if images is None else images, keys)

    def plays(self, keys: Keys) -> Iterator["Play"]:
        """Each action, played from those of the states in which it may be played."""
        for action in range(self.game.action_count):
            parents = np.flatnonzero(self.legal(keys, action))
            results = self.results(keys[parents], action)
            images = self.like(results)
            yield Play(action, parents, results, images, self.stored(results, images))

    def like(self, keys: Keys) -> list[Keys]:
        """What each symmetry takes the states to; nothing where the file is not folded."""
        return list(self.images(keys)) if self.folded else []

    def stored(self, keys: Keys, images: Iterable[Keys] | None = None) -> Keys:
        """The states that stand for these in the file; their `images` may be known already."""
        return self.canonical(keys, images) if self.folded else keys

    def are_at(self, ply: int, keys: Keys) -> bool:
        """Whether the rules tell of each of these states that it is so many plies from the start."""
        first = self.game.ply(self.start)
        return first is not None and bool((broadcast(self.game.ply(keys), keys) == first + ply).all())

    def named(self, key: int, ply: int) -> str:
        """A state in words."""
        try:
            return f"the position {write_position(self.game, key)!r} at ply {ply}"
        except SolverError:
            return f"the state {key} at ply {ply}, which cannot be written"

    def each_wrong(self, keys: Keys, ply: int, wrong: Flags, problem: str) -> Iterator[str]:
        """The problem that some of the states have, with the first of them."""
        for key in keys[wrong][:SHOWN].tolist():
            yield f"{self.named(key, ply)}: {problem}"
