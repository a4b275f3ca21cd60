"""Random games of a few hundred states with symmetries, an exchange of the players, loops and moves in a row.

A group of relabellings, each its own inverse, acts on states and actions. In each orbit of pairs of a state
and an action, one pair gets a random child and the other pairs get its images, which guarantees the
symmetries. A relabelling is a number whose bits say which generators it applies. The points of an orbit are
the cosets of the subgroup that fixes them, each represented by its least member.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count, product
from random import Random
from typing import NamedTuple

from solver.game import Symmetry
from solver.packed import Packed
from tests.support.games.packed import Table, at_places

FORMS = ("layers", "no loops", "loops", "tiers")
"""Forms of play: layer by layer, with lines of different lengths, with cycles, with cycles within tiers."""


@dataclass(frozen=True)
class Relabelled(Table):
    """A table whose rules have symmetries, and perhaps an exchange of the players."""

    images: tuple[int, ...] = ()
    """The images of the states under each symmetry, one symmetry after the other."""
    renamed: tuple[int, ...] = ()
    """The same for actions."""
    others: tuple[int, ...] = ()
    """For each state, the state with the players exchanged; empty if there is no exchange."""

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        size, most = len(self.movers), self.most
        return [
            Symmetry(
                partial(at_places, self.images[nth * size : (nth + 1) * size]),
                partial(at_places, self.renamed[nth * most : (nth + 1) * most]),
            )
            for nth in range(len(self.renamed) // most)
        ]

    def exchanged(self, state: Packed) -> Packed:
        return at_places(self.others, state) if self.others else None


class Point(NamedTuple):
    """A state or an action: a point of an orbit."""

    orbit: int
    subgroup: tuple[int, ...]
    """The relabellings that fix each point of the orbit."""
    coset: int

    def under(self, relabelling: int) -> "Point":
        """The image of the point."""
        return self._replace(coset=min(self.coset ^ relabelling ^ item for item in self.subgroup))


class Drawing:
    """A random game in the making."""

    def __init__(self, seed: int, form: str, mirrors: int, *, exchange: bool, orbits: int) -> None:
        """Begin a game with so many orbits of states; if `exchange`, the last generator exchanges players."""
        self.random, self.form, self.exchange = Random(f"{seed} {form}"), form, exchange
        self.mirrors, self.group = 1 << mirrors, range(1 << mirrors + exchange)
        states = [self._orbit(nth, range(self.mirrors)) for nth in range(orbits)]
        self.levels = sorted(self.random.randrange(max(2, orbits // 4)) for _ in states)
        self.actions = list(self._actions())
        self.states = [point for orbit in states for point in orbit]
        margin = self.random.choice([1, 1, 3])
        self.utilities = [self.random.randint(-margin, margin) for _ in states]
        self.turns = exchange or self.random.random() < 0.5
        in_turns = self.turns and form == "layers"
        self.movers = [level & 1 if in_turns else self.random.randrange(2) for level in self.levels]
        self.ends = [form != "layers" and self.random.random() < 0.15 for _ in states]
        self.moves = dict(self._moves())

    def _orbit(self, number: int, group: Sequence[int]) -> list[Point]:
        subgroup = {0}
        for item in self.random.sample(group, self.random.randrange(len(group).bit_length())):
            subgroup |= {item ^ other for other in subgroup}
        point = Point(number, tuple(sorted(subgroup)), 0)
        return sorted({point.under(item) for item in self.group})

    def _actions(self) -> Iterator[Point]:
        wanted = self.random.randint(2, 4)
        for number in count():
            for point in self._orbit(number, self.group):
                wanted -= 1
                yield point
            if wanted <= 0:
                return

    def mover(self, state: Point) -> int:
        return self.movers[state.orbit] ^ (state.coset >= self.mirrors)

    def _moves(self) -> Iterator[tuple[tuple[Point, Point], Point]]:
        """The child of each pair of a state and an action; children of images are images of the child."""
        done = set[tuple[Point, Point]]()
        for state, action in product(self.states, self.actions):
            if (state, action) in done:
                continue
            images = [(state.under(item), action.under(item)) for item in self.group]
            done.update(images)
            stays = [item for item in self.group if images[item] == (state, action)]
            children = [
                child
                for child in self.states
                if self._follows(state, child) and all(child.under(item) == child for item in stays)
            ]
            if children and not self.ends[state.orbit] and self.random.random() < 0.85:
                child = self.random.choice(children)
                yield from ((pair, child.under(item)) for item, pair in enumerate(images))

    def _follows(self, state: Point, child: Point) -> bool:
        step = self.levels[child.orbit] - self.levels[state.orbit]
        if self.turns and self.mover(child) == self.mover(state):
            return False
        return {"layers": step == 1, "no loops": step in (1, 2), "loops": True, "tiers": step >= 0}[self.form]

    def starts(self, *, closed: bool) -> list[Point]:
        """Up to three states from which many states are reachable; if `closed`, with all their images."""
        beginning = [state for state, _ in self.moves] or self.states
        level = min(self.levels[state.orbit] for state in beginning)
        lowest = [state for state in dict.fromkeys(beginning) if self.levels[state.orbit] == level]
        chosen = self.random.sample(lowest, min(len(lowest), self.random.choice([1, 2, 3])))
        return [point.under(item) for point in chosen for item in (self.group if closed else [0])]

    def numbers(self) -> tuple[dict[Point, int], int]:
        """The number of each state, and the width of a layer. In layers, numbers ascend with the layers."""
        shuffled = self.random.sample(self.states, len(self.states))
        if self.form != "layers":
            return {point: number for number, point in enumerate(shuffled)}, len(shuffled)
        layers = [[p for p in shuffled if self.levels[p.orbit] == level] for level in sorted({*self.levels})]
        width = max(map(len, layers))
        return {p: at * width + nth for at, layer in enumerate(layers) for nth, p in enumerate(layer)}, width


def random_table(
    seed: int, form: str, *, mirrors: int = 1, exchange: bool = False, closed: bool = True, orbits: int = 30
) -> Relabelled:
    """A game of one of the `FORMS`; the same arguments give the same game.

    It has 2**mirrors - 1 symmetries. With `exchange`, it has an exchange of the players, who then alternate.
    It begins in up to three states, and if `closed` also in their images.
    """
    game = Drawing(seed, form, mirrors, exchange=exchange, orbits=orbits)
    numbers, width = game.numbers()
    size, most = -(-(1 + max(numbers.values())) // width) * width, len(game.actions)
    places = {action: at for at, action in enumerate(game.random.sample(game.actions, most))}
    children, movers, utilities, tiers = [-1] * (size * most), [0] * size, [0] * size, [0] * size
    for (state, action), child in game.moves.items():
        children[numbers[state] * most + places[action]] = numbers[child]
    for point, number in numbers.items():
        movers[number], tiers[number] = game.mover(point), 3 * game.levels[point.orbit] - 5
        utilities[number] = game.utilities[point.orbit] * (-1 if point.coset >= game.mirrors else 1)

    def images(relabelling: int) -> list[int]:
        table = list(range(size))
        for point, number in numbers.items():
            table[number] = numbers[point.under(relabelling)]
        return table

    symmetries = range(1, game.mirrors)
    return Relabelled(
        width,
        most,
        tuple(children),
        tuple(movers),
        tuple(utilities),
        tuple(dict.fromkeys(numbers[point] for point in game.starts(closed=closed))),
        tells=form == "layers" and seed % 2 == 0,
        tiers=tuple(tiers) if form == "tiers" else (),
        images=tuple(image for symmetry in symmetries for image in images(symmetry)),
        renamed=tuple(places[action.under(symmetry)] for symmetry in symmetries for action in places),
        others=tuple(images(game.mirrors)) if exchange else (),
    )
