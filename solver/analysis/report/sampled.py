"""The figures of a report from a sample of the positions of a packed file.

Threads evaluate parts of the sample. The parts, their random numbers, and the order in which they are added
up do not depend on the number of threads, so neither do the figures.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias, TypeVar

import numpy as np

from solver.analysis.packed_moves import LabelledMoves, PackedMoves
from solver.analysis.report.draws import Draws, best_after, draws_from
from solver.analysis.report.ends import Ends, ends_of, joined, one_of
from solver.analysis.report.measures import Choices, Tally, tally
from solver.database.packed.arrays import states_at
from solver.database.packed.reader import PackedDatabase
from solver.rules.arrays import Flags, Keys, distinct
from solver.rules.failures import rules_asked
from solver.rules.notation import write_position
from solver.search.packed_playouts import random_moves
from solver.system.executors import map_ordered
from solver.system.progress import Progress
from solver.system.resources import cores

MIN_OF_PLY = 1000
"""The least number of positions sampled of each ply, if it has so many."""

MAX_RANDOM_PLIES = 1000
"""The plies after which a random game is given up, as it may go on for ever."""

MAX_PERFECT_PLIES = 200
"""The plies after which a game by best moves is given up, as all its labels must be looked up."""

MOVES_AT_ONCE = 1 << 18
"""The number of moves looked up in a batch, for positions with the mean number of moves."""

GAMES_AT_ONCE = 1 << 14

DRAWS_ASKED = 400
"""The number of positions without a remoteness for which the report decides whether best play ends."""

DRAWN_AT_ONCE = 1 << 12
"""The number of sampled positions that are searched for such positions in a batch."""

Part = TypeVar("Part")
Result = TypeVar("Result")

Step: TypeAlias = Callable[[Keys, np.random.Generator], Keys]
"""From non-terminal states to a next state for each."""


class SampledAnswers:
    """The figures of a large packed file."""

    def __init__(self, db: PackedDatabase, sample: int, seed: int, progress: Progress) -> None:
        """Draw `sample` of the non-terminal positions, and further positions of each ply."""
        self._db, self._progress = db, progress
        self._generator = np.random.default_rng(abs(seed))  # like `Random`, which ignores the sign
        self._moves = PackedMoves(db)
        sizes = [db.sizes[stage, 0] for stage in db.stage_numbers]
        least = 0 if db.has_loops else MIN_OF_PLY
        self._ranks, self._drawn = drawn_ranks(sizes, sample, least, self._generator)

    def tally(self) -> Tally:
        """The sums over the sample."""
        whole, going_on = Tally(), max(1, len(self._db) - self._db.number("terminal"))
        at_once = max(1, MOVES_AT_ONCE * going_on // max(1, self._db.moves))
        parts = [slice(begin, begin + at_once) for begin in range(0, len(self._ranks), at_once)]

        def sums_of(part: slice) -> Tally:
            choices = choices_at(self._moves, self._ranks[part], self._drawn[part])
            return tally(choices, lambda key: write_position(self._db.rules, key))

        for part, sums in zip(parts, self._by_threads(sums_of, parts), strict=True):
            whole.add(sums)
            self._progress("asking positions", min(part.stop, len(self._ranks)), len(self._ranks))
        return whole

    def random(self, state: Any, games: int) -> Ends:
        """The ends of random games from a state."""
        return self._played(state, games, self._any_move, MAX_RANDOM_PLIES)

    def perfect(self, games: int) -> Ends:
        """The ends of games from the start by best moves."""
        start = self._db.asked_state(self._db.start)
        return self._played(start, games, self._best_move, MAX_PERFECT_PLIES)

    def draws(self) -> Draws | None:
        """Whether best play ends from sampled positions without a remoteness; None if there is none."""
        shuffled, undecided = self._generator.permutation(self._ranks[self._drawn]), self._ranks[:0]
        for begin in range(0, len(shuffled), DRAWN_AT_ONCE):
            ranks = np.sort(shuffled[begin : begin + DRAWN_AT_ONCE])
            batches = states_at(self._db, ranks)
            open_ = [batch.keys[self._db.remoteness(batch) < 0] for batch in batches]
            undecided = np.concatenate([undecided, self._generator.permutation(np.concatenate(open_))])
            if len(undecided) >= DRAWS_ASKED:
                break
        return draws_from(self._moves, undecided[:DRAWS_ASKED]) if len(undecided) else None

    def states(self, number: int) -> Sequence[Any]:
        """A uniform random sample of at most `number` states."""
        ranks, _ = drawn_ranks([len(self._db)], number, 0, self._generator)
        going_on = len(self._db) - self._db.number("terminal")
        cut = int(ranks.searchsorted(going_on))
        series = (0, ranks[:cut]), (1, ranks[cut:] - going_on)
        parts = [part for over, ranks in series for part in states_at(self._db, ranks, over)]
        return [key for part in parts for key in part.keys.tolist()]

    def _played(self, state: int, games: int, step: Step, longest: int) -> Ends:
        rules = self._moves.rules
        sizes = [min(GAMES_AT_ONCE, games - begin) for begin in range(0, games, GAMES_AT_ONCE)]

        def play(part: tuple[int, np.random.Generator]) -> Ends:
            states, generator = np.full(part[0], state, np.int64), part[1]
            return ends_of(
                states, rules.terminal, rules.utilities, lambda open_: step(open_, generator), longest
            )

        parts = zip(sizes, self._generator.spawn(len(sizes)), strict=True)
        return joined([(1, ends) for ends in self._by_threads(play, parts)])

    def _any_move(self, states: Keys, generator: np.random.Generator) -> Keys:
        with rules_asked(self._db.rules):
            return random_moves(self._db.rules, states, generator)

    def _best_move(self, states: Keys, generator: np.random.Generator) -> Keys:
        unique, places = np.unique(states, return_inverse=True)
        parents, children, _ = best_after(self._moves, unique)
        numbers = np.bincount(parents, minlength=len(unique))
        begins = np.cumsum(numbers) - numbers
        return children[one_of(begins[places], numbers[places], generator)]

    def _by_threads(self, work: Callable[[Part], Result], parts: Iterable[Part]) -> Iterator[Result]:
        with ThreadPoolExecutor(cores()) as threads:
            yield from map_ordered(threads, work, parts, cores())


def drawn_ranks(
    sizes: Sequence[int], sample: int, least: int, generator: np.random.Generator
) -> tuple[Keys, Flags]:
    """Ascending ranks of sampled positions, and which of them were sampled from all positions.

    Positions are ranked ply by ply, and `sizes` has the number of each ply. First, `sample` positions (or
    all) are drawn from all, then further ones of each ply, up to `least` (or all of it).
    """
    whole, before = sum(sizes), 0
    drawn, parts = _distinct(np.zeros(0, np.int64), whole, min(sample, whole), generator), []
    for size in sizes:
        begin, end = drawn.searchsorted((before, before + size)).tolist()
        parts.append(before + _distinct(drawn[begin:end] - before, size, min(least, size), generator))
        before += size
    ranks = np.concatenate([drawn[:0], *parts])
    return ranks, np.isin(ranks, drawn, assume_unique=True)


def _distinct(numbers: Keys, below: int, number: int, generator: np.random.Generator) -> Keys:
    """Distinct numbers below a bound, ascending: the given `numbers` and random ones, `number` in total.

    As in drawing without replacement, all sets of random ones are equally likely.
    """
    if number == below:
        return np.arange(below)
    while (missing := number - len(numbers)) > 0:
        numbers = distinct(np.concatenate([numbers, generator.integers(below, size=missing)]))
    return numbers


def choices_at(moves: PackedMoves, ranks: Keys, drawn: Flags) -> Choices:
    """The choices in the states with the given ascending ranks among the non-terminal ones."""
    db, batches = moves.db, list(states_at(moves.db, ranks))
    keys = np.concatenate([batch.keys for batch in batches])
    rows = [db.remoteness(batch) if db.has_loops else db.plies(batch) for batch in batches]
    values = np.concatenate([db.label_code.values(batch.labels) for batch in batches])
    labelled = moves.moves(keys)
    ends = np.where(labelled.over, labelled.values, 0)
    replies = _replies(moves, labelled)
    movers = moves.rules.movers(keys).astype(np.int64)
    return Choices(
        keys, np.concatenate(rows), drawn, movers, values, labelled.parents, labelled.values, ends, replies
    )


def _replies(moves: PackedMoves, labelled: LabelledMoves) -> Keys:
    rules = moves.rules
    inner, places = np.unique(labelled.children[~labelled.over], return_inverse=True)
    signs = 1 - 2 * rules.movers(inner).astype(np.int64)
    best = np.full(len(inner), np.iinfo(np.int64).min)
    for action in range(rules.action_count):
        children, codes = rules.children(inner, action)
        over = rules.terminal(children)
        gained = np.zeros(len(children), np.int64)
        gained[over] = rules.utilities(children[over])
        parents = codes >> 1
        best[parents] = np.maximum(best[parents], gained * signs[parents])
    replies = labelled.values.copy()
    replies[~labelled.over] = (best * signs)[places]
    return replies
