"""Games that are plain graphs, their values by definition, and random ones for hypothesis."""

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from solver.errors import UnreadablePosition
from solver.game import Game, Symmetry


@dataclass(frozen=True)
class ExplicitGame(Game[int, int]):
    """The states are 0, 1, ...; action n leads to the n-th child."""

    children: tuple[tuple[int, ...], ...]
    movers: tuple[int, ...]
    utilities: tuple[int, ...]
    starts: tuple[int, ...] = (0,)

    @property
    def initial(self) -> int:
        return self.starts[0]

    def initial_states(self) -> Sequence[int]:
        return self.starts

    def to_move(self, state: int) -> int:
        return self.movers[state]

    def actions(self, state: int) -> Sequence[int]:
        return range(len(self.children[state]))

    def result(self, state: int, action: int) -> int:
        return self.children[state][action]

    def utility(self, state: int) -> int:
        return self.utilities[state]

    def parse(self, text: str) -> int:
        if not (text.isdecimal() and text.isascii() and int(text) < len(self.children)):
            raise UnreadablePosition(f"{text!r} should be a number below {len(self.children)}")
        return int(text)


LOOPS = ExplicitGame(
    children=((1, 2), (0, 3), (4, 5), (1, 3), (), (6, 2), ()),
    movers=(0, 1, 1, 0, 0, 0, 1),
    utilities=(0, 0, 0, 0, 1, 0, 2),
)
"""The first player should leave the cycles 0-1, 1-3, 3-3 and 2-5."""


@st.composite
def explicit_games(
    draw: st.DrawFn, most: int = 9, utilities: Sequence[int] = range(-3, 4), *, starts: int = 1
) -> ExplicitGame:
    """Any game of up to `most` states, with loops, parallel moves, and states from which no end is reachable.

    Play begins in state 0, or in up to `starts` states if that is more than one.
    """
    size = draw(st.integers(1, most))
    states = st.integers(0, size - 1)
    return ExplicitGame(
        children=tuple(tuple(draw(st.lists(states, max_size=4))) for _ in range(size)),
        movers=tuple(draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))),
        utilities=tuple(draw(st.lists(st.sampled_from(list(utilities)), min_size=size, max_size=size))),
        starts=(0,) if starts == 1 else tuple(draw(st.lists(states, min_size=1, max_size=starts))),
    )


@dataclass(frozen=True)
class Mirrored(ExplicitGame):
    """An explicit game with a claimed symmetry, true or false, that permutes states and preserves actions."""

    images: tuple[int, ...] = ()

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        return [Symmetry(lambda state: self.images[state], lambda action: action)]


@st.composite
def mirrored(draw: st.DrawFn) -> Mirrored:
    """Two copies of a random graph, 0..n-1 and n..2n-1, with moves between them; play begins in both.

    Some examples are altered, so that the symmetry that exchanges the copies may be false.
    """
    size = draw(st.integers(1, 5))
    half = [draw(st.lists(st.integers(0, 2 * size - 1), max_size=3)) for _ in range(size)]
    children = half + [[(child + size) % (2 * size) for child in moves] for moves in half]
    movers = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)) * 2
    utilities = draw(st.lists(st.integers(-2, 2), min_size=size, max_size=size)) * 2
    state = draw(st.integers(0, 2 * size - 1))
    match draw(st.sampled_from(["nothing", "nothing", "movers", "utilities", "children"])):
        case "movers":
            movers[state] = 1 - movers[state]
        case "utilities":
            utilities[state] += 1
        case "children":
            children[state] = draw(st.lists(st.integers(0, 2 * size - 1), max_size=3))
    images = tuple((state + size) % (2 * size) for state in range(2 * size))
    return Mirrored(tuple(map(tuple, children)), tuple(movers), tuple(utilities), (0, size), images)


def reachable(game: ExplicitGame) -> set[int]:
    """The states reachable from the initial states."""
    actual, todo = set(game.starts), list(game.starts)
    while todo:
        for child in game.children[todo.pop()]:
            if child not in actual:
                actual.add(child)
                todo.append(child)
    return actual


def is_symmetric(game: Mirrored) -> bool:
    """Whether exchanging the copies preserves movers, utilities and moves in each reachable state."""
    classes = [min(state, image) for state, image in enumerate(game.images)]
    return all(
        game.movers[state] == game.movers[image]
        and bool(game.children[state]) == bool(game.children[image])
        and (bool(game.children[state]) or game.utilities[state] == game.utilities[image])
        and {classes[child] for child in game.children[state]}
        == {classes[child] for child in game.children[image]}
        for state in reachable(game)
        for image in [game.images[state]]
    )


def value_by_definition(game: ExplicitGame, level: int = 0) -> list[int]:
    """The value of each state, by thresholds t: whether the first player can force at least t.

    Endless play is worth `level`. The set of states from which the first player can force t is a fixed point:
    the least one if t > `level`, as play must end, else the greatest.
    """
    size = len(game.children)
    values = [-99] * size
    for threshold in sorted({*game.utilities, level}):
        holds = [threshold <= level] * size
        before: list[bool] = []
        while before != holds:
            before, holds = holds, [_holds(game, state, threshold, holds) for state in range(size)]
        values = [threshold if holds[state] else values[state] for state in range(size)]
    return values


def _holds(game: ExplicitGame, state: int, threshold: int, holds: list[bool]) -> bool:
    children = [holds[child] for child in game.children[state]]
    if not children:
        return game.utilities[state] >= threshold
    return any(children) if game.movers[state] == 0 else all(children)


def remoteness_by_definition(game: ExplicitGame, values: list[int], level: int = 0) -> list[int | None]:
    """The least number of plies in which the player who hurries can force the end, if both keep the value.

    The player who hurries gets less from endless play, worth `level`; if it is worth as much, it is the
    player who wins endless play. None if the end cannot be forced, and for draws if endless play is a draw.
    """
    size = len(game.children)
    same = [[c for c in game.children[s] if values[c] == values[s]] for s in range(size)]
    hurrier = [int((value, level) < (level, 0)) for value in values]
    ended = [not game.children[state] for state in range(size)]
    remoteness: list[int | None] = [0 if ended[state] else None for state in range(size)]
    within = ended
    for plies in range(1, size + 1):
        within = [
            ended[s] or (any if game.movers[s] == hurrier[s] else all)(within[c] for c in same[s])
            for s in range(size)
        ]
        for state in range(size):
            if (values[state] or level) and within[state] and remoteness[state] is None:
                remoteness[state] = plies
    return remoteness
