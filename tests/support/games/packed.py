"""Packed games of a few lines, each with a property that the built-in games in layers lack."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from hypothesis import strategies as st

from solver.game import Symmetry
from solver.games.connect import Connect
from solver.packed import Packed, PackedGame, bit_count
from solver.rules.arrays import MAX_STATE


class Alternating(PackedGame):
    """Rules whose states have the player to move in their last bit."""

    def to_move(self, state: Packed) -> Packed:
        return state & 1


@dataclass(frozen=True)
class Ladder(Alternating):
    """Climb one rung per move. Whoever reaches the top wins by `prize`. A state is a rung."""

    rungs: int = 300
    prize: int = 1

    action_count = 1
    initial = 0

    def is_terminal(self, state: Packed) -> Packed:
        return state == self.rungs

    def legal(self, state: Packed, action: int) -> Packed:
        return True

    def result(self, state: Packed, action: int) -> Packed:
        return state + 1

    def utility(self, state: Packed) -> Packed:
        return self.prize if self.rungs & 1 else -self.prize


@dataclass(frozen=True)
class Rails(Ladder):
    """Two ladders: the even states and the odd states are their rungs, and each player has one's prize."""

    def initial_states(self) -> Iterable[int]:
        return (0, 1)

    def to_move(self, state: Packed) -> Packed:
        return state >> 1 & 1

    def is_terminal(self, state: Packed) -> Packed:
        return state >> 1 == self.rungs

    def result(self, state: Packed, action: int) -> Packed:
        return state + 2

    def utility(self, state: Packed) -> Packed:
        return self.prize * (1 - 2 * (state & 1))


@dataclass(frozen=True)
class Rising(Ladder):
    """A ladder whose rules define every rung: a move is legal there, and whoever reaches it wins."""

    rungs: int = 10

    def legal(self, state: Packed, action: int) -> Packed:
        return state >= 0

    def utility(self, state: Packed) -> Packed:
        return 2 * (state & 1) - 1


class Climbers(Ladder):
    """A ladder on which each player has an action of their own, and both are called up."""

    action_count = 2

    def legal(self, state: Packed, action: int) -> Packed:
        return state & 1 == action

    def action_name(self, action: int) -> str:
        return "up"


class Stuck(Rising):
    """A ladder whose top has no legal moves but is not terminal."""

    def is_terminal(self, state: Packed) -> Packed:
        return state > self.rungs

    def legal(self, state: Packed, action: int) -> Packed:
        return state < self.rungs


class Below(Rising):
    """A ladder whose third rung leads to a negative state."""

    def result(self, state: Packed, action: int) -> Packed:
        return state + 1 - 100 * (state == 2)


class Third(Rising):
    """A ladder with a third player."""

    def to_move(self, state: Packed) -> Packed:
        return (state == 3) * 2


class Upper(Rising):
    """A ladder on which rung 2n + 1 represents the rungs 2n and 2n + 1."""

    def canonical(self, state: int) -> int:
        return state | 1


class Raise(Rising):
    """A ladder whose rules raise an exception."""

    def is_terminal(self, state: Packed) -> Packed:
        raise ValueError("no")


class Remote(Rising):
    """A ladder whose move is named by an integer that a JavaScript number cannot hold."""

    def action_name(self, action: int) -> int:
        return -(1 << 53)


@dataclass(frozen=True)
class Pairs(PackedGame):
    """Moves lead from states 0 to 3 to terminal states 4 to 7; mirror images differ in the last bit."""

    starts: tuple[int, ...]

    action_count = 1

    @property
    def initial(self) -> int:
        return self.starts[0]

    def initial_states(self) -> Iterable[int]:
        return self.starts

    def to_move(self, state: Packed) -> Packed:
        return state >> 2

    def is_terminal(self, state: Packed) -> Packed:
        return state > 3

    def legal(self, state: Packed, action: int) -> Packed:
        return state < 4

    def result(self, state: Packed, action: int) -> Packed:
        return state + 4

    def utility(self, state: Packed) -> Packed:
        return 1 - (state & 2)

    def ply(self, state: Packed) -> Packed:
        return state >> 2

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        return [Symmetry(lambda state: state ^ 1, lambda action: action)]


class Astray(Pairs):
    """Pairs whose mirror images of 2 and 3 are 1 and 0, which do not have them as mirror images."""

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        return [Symmetry(lambda state: (state & 5 | state & state >> 1 & 2) ^ 1, lambda action: action)]


class Beside(Pairs):
    """The same, with the mirror images computed by a difference of truth values and a reused name."""

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        return [Symmetry(_beside, lambda action: action)]


def _beside(state: Packed) -> Packed:
    state += (state & 1 == 0) - (state & 1 == 1)
    return state


@dataclass(frozen=True)
class Reusing(Rising):
    """A ladder whose rules assign to a name twice."""

    def result(self, state: Packed, action: int) -> Packed:
        state += 1
        return state


@dataclass(frozen=True)
class Bits(PackedGame):
    """Take any two bits, then play is over. Each bit is worth 1, computed by a sum of comparisons."""

    action_count = 4
    initial = 4

    def to_move(self, state: Packed) -> Packed:
        return state & 0

    def is_terminal(self, state: Packed) -> Packed:
        return state < 4

    def legal(self, state: Packed, action: int) -> Packed:
        return state == 4

    def result(self, state: Packed, action: int) -> Packed:
        return state - 4 + action

    def utility(self, state: Packed) -> Packed:
        return (state & 1 == 1) + (state & 2 == 2)


class Overflowing(Bits):
    """The same with intermediate numbers of more than 64 bits, of which arrays keep the lowest bits."""

    def utility(self, state: Packed) -> Packed:
        return state << 62 << 2 > 0


class Switch(Bits):
    """A move turns 0 into 1, by a comparison, and play is over."""

    initial = 0

    def is_terminal(self, state: Packed) -> Packed:
        return state == 1

    def legal(self, state: Packed, action: int) -> Packed:
        return action == 0

    def result(self, state: Packed, action: int) -> Packed:
        return state == 0


@dataclass(frozen=True)
class Climb(Alternating):
    """Many ways up, and one from the rung `loop` back to the bottom; play never ends."""

    loop: int = 7

    action_count = 2
    initial = 0

    def is_terminal(self, state: Packed) -> Packed:
        return state < 0

    def legal(self, state: Packed, action: int) -> Packed:
        return (action == 0) | (state == self.loop)

    def result(self, state: Packed, action: int) -> Packed:
        return (state + 1) * (1 - action)

    def utility(self, state: Packed) -> Packed:
        return 0


@dataclass(frozen=True)
class Weights(PackedGame):
    """Take weights in turn until all are taken; the utility is the first player's total less the second's.

    Bits 0 to n-1 are the first player's weights, bits n to 2n-1 the second's. Weight i weighs i*i. The first
    player has a head start of 1, and a lead of more than 15 wins at once.
    """

    n: int = 5

    @property
    def action_count(self) -> int:
        return self.n

    initial = 0

    def _taken(self, state: Packed) -> Packed:
        return sum((state >> at) & 1 for at in range(2 * self.n))

    def _lead(self, state: Packed) -> Packed:
        return sum(((state >> at & 1) - (state >> (at + self.n) & 1)) * at * at for at in range(self.n))

    def to_move(self, state: Packed) -> Packed:
        return self._taken(state) & 1

    def is_terminal(self, state: Packed) -> Packed:
        lead = self._lead(state)
        return (self._taken(state) == self.n) | (lead > 15) | (lead < -15)

    def legal(self, state: Packed, action: int) -> Packed:
        return (state >> action | state >> (action + self.n)) & 1 == 0

    def result(self, state: Packed, action: int) -> Packed:
        return state + (1 << (action + self.n * self.to_move(state)))

    def utility(self, state: Packed) -> Packed:
        return self._lead(state)


@dataclass(frozen=True)
class Sums(Alternating):
    """Add 1, 2 or 4 in turn, four times from any start; the last bits of the sum are the first player's.

    Bit 0 of a state is the side to move; above it are three bits that count moves, then the sum. The rules
    tell the ply, but add `lie` if the sum is odd.
    """

    lie: int = 0

    action_count = 3
    initial = 64

    def initial_states(self) -> Iterable[int]:
        return (64, 0, 192)

    def is_terminal(self, state: Packed) -> Packed:
        return state >> 1 & 7 == 4

    def legal(self, state: Packed, action: int) -> Packed:
        return (state >> 4) % (action + 1) != 1

    def result(self, state: Packed, action: int) -> Packed:
        return (state ^ 1) + 2 + (1 << (4 + action))

    def utility(self, state: Packed) -> Packed:
        return (state >> 4 & 7) - 3

    def ply(self, state: Packed) -> Packed:
        return (state >> 1 & 7) + self.lie * (state >> 4 & 1)


@dataclass(frozen=True)
class Coins(Alternating):
    """Walk around a ring of four cells in turn, or take the coin in the cell, until all four are taken.

    Bit 0 of a state is the side to move; above it are two bits for the cell in which both players stand, then
    the coins of the first player and those of the second. Tiers are the coins taken, with gaps in between.
    """

    action_count = 3
    initial = 0

    def _coins(self, state: Packed) -> Packed:
        return state >> 3 & 15, state >> 7

    def is_terminal(self, state: Packed) -> Packed:
        first, second = self._coins(state)
        return first | second == 15

    def legal(self, state: Packed, action: int) -> Packed:
        first, second = self._coins(state)
        return (action < 2) | ((first | second) >> (state >> 1 & 3) & 1 == 0)

    def result(self, state: Packed, action: int) -> Packed:
        cell, others = state >> 1 & 3, (state ^ 1) & ~6
        if action == 2:
            return (state ^ 1) | 1 << (cell + 3 + 4 * (state & 1))
        return others | (cell + 1 + 2 * action & 3) << 1

    def utility(self, state: Packed) -> Packed:
        first, second = self._coins(state)
        return 2 * (bit_count(first) - bit_count(second)) + (first & 1) - (second & 1)

    def tier(self, state: Packed) -> Packed:
        taken = bit_count(state >> 3)
        return 5 * taken * taken - 7

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        return [Symmetry(_turned_over, lambda action: action ^ 1 if action < 2 else action)]


def _turned_over(state: Packed) -> Packed:
    """The mirrored ring: cells 1 and 3 change places."""
    differ = (state >> 4 ^ state >> 6) & 0b10001
    return (state ^ (state & 2) << 1) ^ (differ << 4 | differ << 6)


@dataclass(frozen=True)
class Table(PackedGame):
    """Any game of a few states, given by tables; if `tells`, in layers: state n is in layer `n // width`.

    Action a leads from state n to `children[n * most + a]`, which is -1 if the action is illegal.
    """

    width: int
    most: int
    children: tuple[int, ...]
    movers: tuple[int, ...]
    utilities: tuple[int, ...]
    starts: tuple[int, ...] = (0,)
    tells: bool = True
    tiers: tuple[int, ...] = ()

    @property
    def action_count(self) -> int:
        return self.most

    @property
    def initial(self) -> int:
        return next(iter(self.initial_states()))

    def initial_states(self) -> Iterable[int]:
        return self.starts

    def to_move(self, state: Packed) -> Packed:
        return at_places(self.movers, state)

    def is_terminal(self, state: Packed) -> Packed:
        legal = [self.legal(state, action) for action in range(self.action_count)]
        return sum(legal) == 0

    def legal(self, state: Packed, action: int) -> Packed:
        return self.result(state, action) >= 0

    def result(self, state: Packed, action: int) -> Packed:
        return at_places(self.children, state * self.most + action)

    def utility(self, state: Packed) -> Packed:
        return at_places(self.utilities, state)

    def ply(self, state: Packed) -> Packed:
        return state // self.width if self.tells else None

    def tier(self, state: Packed) -> Packed:
        return at_places(self.tiers, state) if self.tiers else None


def at_places(table: tuple[int, ...], places: Packed) -> Packed:
    """The entry at one place of a table, or those at an array of places."""
    return np.array(table, np.int64)[places] if isinstance(places, np.ndarray) else table[places]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Games of up to four layers: with several starts, moves in a row, margins, and moves that meet."""
    width, layers, actions = draw(st.integers(1, 4)), draw(st.integers(1, 4)), draw(st.integers(1, 3))
    size = width * layers
    children: list[int] = []
    for state in range(size):
        below = range((state // width + 1) * width, min(size, (state // width + 2) * width))
        children += draw(st.lists(st.sampled_from([-1, *below]), min_size=actions, max_size=actions))
    return Table(
        width,
        actions,
        tuple(children),
        tuple(draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))),
        tuple(draw(st.lists(st.integers(-3, 3), min_size=size, max_size=size))),
        tuple(draw(st.lists(st.integers(0, width - 1), min_size=1, max_size=3))),
        draw(st.booleans()),
    )


@dataclass(frozen=True)
class Askew(Connect):
    """Connect-k whose rules claim symmetries that it does not have; `fault` says which part is wrong."""

    fault: str = "none"

    def legal(self, state: Packed, action: int) -> Packed:
        legal = super().legal(state, action)
        if self.fault == "moves" and action == 0:  # no third stone on the left
            return legal & (state >> 3 & 1 == 0)
        return legal

    def is_terminal(self, state: Packed) -> Packed:
        over = super().is_terminal(state)
        return over | (state >> 3 & 1 == 1) if self.fault == "ends" else over

    def utility(self, state: Packed) -> Packed:
        value = super().utility(state)
        return value * (1 + (state >> 1 & 1)) if self.fault == "values" else value

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        (mirror,) = super().symmetries()
        if self.fault == "actions":
            return [Symmetry(mirror.state, lambda action: 0)]
        if self.fault == "classes":  # some states get a third image, as if their last column were empty
            return [mirror, Symmetry(lambda state: state ^ (state >> 2 & 1) << 1, lambda action: action)]
        return [mirror]


@dataclass(frozen=True)
class Untold(Connect):
    """Connect-k that does not tell plies."""

    def ply(self, state: Packed) -> Packed:
        return None


@dataclass(frozen=True)
class HighStakes(Connect):
    """Connect-k with very large utilities."""

    def utility(self, state: Packed) -> Packed:
        return super().utility(state) * (1 << 40)


@dataclass(frozen=True)
class MirroredTable(Table):
    """A table whose symmetry exchanges the two halves of each layer."""

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        half = self.width // 2
        return [Symmetry(lambda state: state + half - 2 * half * (state % self.width >= half), _unchanged)]


@dataclass(frozen=True)
class TurnedTable(Table):
    """A table with a symmetry for each mask, which flips the bits of the mask in states."""

    masks: tuple[int, ...] = (0,)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        tables = [tuple(place ^ mask for place in range(len(self.movers))) for mask in self.masks]
        return [Symmetry(partial(at_places, table), _unchanged) for table in tables]


@dataclass(frozen=True)
class InvertedTable(MirroredTable):
    """A mirrored table with the bits of states inverted: state 0 becomes the greatest state, 2**63 - 1."""

    def initial_states(self) -> Iterable[int]:
        return [start ^ MAX_STATE for start in self.starts]

    def to_move(self, state: Packed) -> Packed:
        return super().to_move(state ^ MAX_STATE)

    def result(self, state: Packed, action: int) -> Packed:
        return super().result(state ^ MAX_STATE, action) ^ MAX_STATE

    def utility(self, state: Packed) -> Packed:
        return super().utility(state ^ MAX_STATE)

    def ply(self, state: Packed) -> Packed:
        return super().ply(state ^ MAX_STATE)

    def tier(self, state: Packed) -> Packed:
        return super().tier(state ^ MAX_STATE)

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        (mirror,) = super().symmetries()
        return [Symmetry(lambda state: mirror.state(state ^ MAX_STATE) ^ MAX_STATE, _unchanged)]


def inverted(table: Table) -> InvertedTable:
    return InvertedTable(**vars(table))


def _unchanged(action: int) -> int:
    return action


@st.composite
def mirrored_tables(draw: st.DrawFn, halves: st.SearchStrategy[Table] | None = None) -> MirroredTable:
    """Two copies of a random table side by side, with moves between them."""
    half = draw(tables() if halves is None else halves)
    width = 2 * half.width
    crosses = draw(st.lists(st.booleans(), min_size=len(half.children), max_size=len(half.children)))

    def children(layer: int, copy: int) -> list[int]:
        cells = range(layer * half.width * half.most, (layer + 1) * half.width * half.most)
        actual = [(half.children[at], copy ^ crosses[at]) for at in cells]
        return [
            -1 if child < 0 else child // half.width * width + child % half.width + side * half.width
            for child, side in actual
        ]

    def twice(numbers: tuple[int, ...]) -> tuple[int, ...]:
        layers = [numbers[at : at + half.width] for at in range(0, len(numbers), half.width)]
        return tuple(number for layer in layers for number in layer * 2)

    layers = range(len(half.movers) // half.width)
    return MirroredTable(
        width,
        half.most,
        tuple(child for layer in layers for copy in (0, 1) for child in children(layer, copy)),
        twice(half.movers),
        twice(half.utilities),
        half.starts,
        half.tells,
        twice(half.tiers),
    )


@st.composite
def loops(draw: st.DrawFn, margin: int = 3, starts: int = 1) -> Table:
    """Games of up to eight states in which positions can repeat; play begins in up to `starts` of them."""
    size, actions = draw(st.integers(1, 8)), draw(st.integers(1, 3))
    places, numbers = size * actions, st.integers(-margin, margin)
    return Table(
        size,
        actions,
        tuple(draw(st.lists(st.integers(-1, size - 1), min_size=places, max_size=places))),
        tuple(draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))),
        tuple(draw(st.lists(numbers, min_size=size, max_size=size))),
        (0,) if starts == 1 else tuple(draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=starts))),
        tells=False,
    )


@st.composite
def tiered(draw: st.DrawFn) -> Table:
    """Games in which positions can repeat within a tier, and play never returns to an earlier tier."""
    table = draw(loops(starts=3))
    size = len(table.movers)
    tiers = draw(st.lists(st.sampled_from([-(2**63), -5, 0, 1, 7, 2**62]), min_size=size, max_size=size))
    children = [
        child if child >= 0 and tiers[child] >= tiers[place // table.most] else -1
        for place, child in enumerate(table.children)
    ]
    return replace(table, children=tuple(children), tiers=tuple(tiers))


@st.composite
def mirrored_loops(draw: st.DrawFn) -> MirroredTable:
    """Two copies side by side of a game in which positions can repeat, with or without tiers.

    Play begins in one of the copies, or in the same states of both.
    """
    game = draw(mirrored_tables(st.one_of(loops(starts=3), tiered())))
    others = [start + game.width // 2 for start in game.starts] if draw(st.booleans()) else []
    return replace(game, starts=(*game.starts, *others))


@dataclass(frozen=True)
class ExchangedTable(MirroredTable):
    """A table in which the second half of the states has the players exchanged."""

    def exchanged(self, state: Packed) -> Packed:
        half = len(self.movers) // 2
        return state + half - 2 * half * (state >= half)


@dataclass(frozen=True)
class WiderTable(ExchangedTable):
    """The same with one more action, which is legal nowhere and which no symmetry maps."""

    @property
    def action_count(self) -> int:
        return self.most + 1

    def legal(self, state: Packed, action: int) -> Packed:
        return super().legal(state, action) if action < self.most else state < 0

    def result(self, state: Packed, action: int) -> Packed:
        return super().result(state, action) if action < self.most else state

    def symmetries(self) -> Sequence[Symmetry[int, int]]:
        return [Symmetry(symmetry.state, range(self.most).__getitem__) for symmetry in super().symmetries()]


@st.composite
def exchanged_loops(draw: st.DrawFn) -> ExchangedTable:
    """Games with alternating players, an exchange of these, positions that can repeat, and symmetric halves.

    In a state with the players exchanged, a move has the same action or another one.
    """
    half = draw(mirrored_loops())
    size, most = len(half.movers), half.most
    rows = [half.children[at : at + most] for at in range(0, size * most, most)]
    step = draw(st.sampled_from((1, -1)))
    rows += [row[::step] for row in rows]
    movers = half.movers + tuple(1 - mover for mover in half.movers)
    return ExchangedTable(
        half.width,
        most,
        tuple(
            -1 if child < 0 else child + size * (mover == half.movers[child])
            for mover, row in zip(movers, rows, strict=True)
            for child in row
        ),
        movers,
        tuple(value * (1 - 2 * mover) for value, mover in zip(2 * half.utilities, movers, strict=True)),
        half.starts,
        tells=False,
        tiers=2 * half.tiers,
    )


@dataclass(frozen=True)
class Alike(Ladder):
    """A ladder with the same board on all rungs."""

    rungs: int = 1500

    def board(self, state: int) -> Sequence[Sequence[str]]:
        return [["o"]]


@dataclass(frozen=True)
class Seldom(Alike):
    """A ladder with a different board on a single rung, which only both words of its text together tell."""

    def position(self, state: int) -> str:
        return f"{state >> 6} {state & 63}"

    def parse(self, text: str) -> int:
        above, below = map(int, text.split())
        return above << 6 | below

    def board(self, state: int) -> Sequence[Sequence[str]]:
        return [["?" if state == 777 else "o"]]
