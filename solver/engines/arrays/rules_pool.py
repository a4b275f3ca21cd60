"""Decides who asks the rules: this process, or worker processes as soon as measurements show that they pay.

Workers are started when the rules have taken `SECONDS_ALONE`, if computing answers takes several times as
long as sending them, and if a worker gives the same answer for the last chunk as this process. Rules that
cannot be sent, or answer differently elsewhere, are asked in this process. A cluster, if there is one, is
asked from the beginning; this process determines the size of chunks.
"""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from solver.engines.arrays.asking import asker
from solver.engines.arrays.worker import RulesOpening
from solver.errors import OtherWork, SolverError, UnfitRules, summary_of
from solver.game import AnyGame
from solver.rules.loading import game_parameters, game_place
from solver.rules.named import fingerprint
from solver.rules.source import trust
from solver.system.executors import WorkerPool, cluster_at, ignore
from solver.system.plugins import release
from solver.system.resources import cores

if TYPE_CHECKING:  # it needs dask, which is an extra
    from solver.system.cluster_pool import DaskPool

WORKER = "solver.engines.arrays.worker"
"""The module that worker processes run."""

SECONDS_ALONE = 1.0
"""Seconds of asking after which workers are started; starting them takes half as long."""

TIMES_SENDING = 4
"""The least ratio of the time of computing answers to the time of sending them."""

SECONDS_PER_CHUNK = 0.2
"""The seconds that a chunk should take, after which memory is checked; a chunk lists each child once."""

MAX_CHUNK = 1 << 14
"""The most states of a chunk."""

CHUNKS_PER_WORKER = 4
"""The least number of chunks of a level per worker, so that all workers end at about the same time."""

Question = Literal["expansion", "positions", "representatives"]
"""A method of `Asker`."""


class RulesPool:
    """Asks the rules of a game about states, in this process or in others."""

    def __init__(self, game: AnyGame, *, fold: bool, cluster: str | None = None) -> None:
        """Open a cluster, if one is named; raises as `cluster_at` does."""
        self.game, self.fold, self._asker = game, fold, asker(game, fold=fold)
        self._pool: WorkerPool | DaskPool | None = None
        self.workers, self._alone = cores(), cores() == 1 or type(game).__module__ == "__main__"
        self._spent, self._size = 0.0, max(16, self._asker.least)
        if cluster is not None:
            self._pool = pool = cluster_at(cluster, WORKER, self._opening(fingerprint(game_place(game)).play))
            self.workers, self._alone = pool.usage().workers or 1, False
        self._is_tried = cluster is None

    def _opening(self, play: str | None = None) -> RulesOpening:
        place, parameters = game_place(self.game), game_parameters(self.game)
        return RulesOpening(place, parameters, self.fold, trust.allowed(), release(), play)

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            self._pool.close()

    def used(self) -> int:
        """The bytes of memory of the workers that were started here."""
        return self._pool.used() if isinstance(self._pool, WorkerPool) else 0

    def answers(self, question: Question, states: Sequence[Any], numbers: range) -> Iterator[Any]:
        """Yield the answers chunk by chunk, in order; raises errors of the rules, and `TooLarge`."""
        at = numbers.start
        while at < numbers.stop:
            chunk = states[at : min(at + self._size, numbers.stop)]
            began = perf_counter()
            answer = getattr(self._asker, question)(chunk)
            seconds = perf_counter() - began
            at += len(chunk)
            self._spent += seconds
            yield answer
            if seconds < SECONDS_PER_CHUNK / 2:
                self._size = min(2 * self._size, MAX_CHUNK)
            elif seconds > 2 * SECONDS_PER_CHUNK:
                self._size = max(self._asker.least, self._size // 2)
            if self._helped(question, chunk, answer, seconds, left=numbers.stop - at):
                yield from self._by_workers(question, states, range(at, numbers.stop))
                return

    def canonical(self, states: Sequence[Any]) -> Iterable[Any]:
        """The canonical form of each state if states are folded; otherwise the states themselves."""
        if not self.fold:
            return states
        return chain.from_iterable(self.answers("representatives", states, range(len(states))))

    def _helped(
        self, question: Question, chunk: Sequence[Any], answer: Any, seconds: float, left: int
    ) -> bool:
        """Whether workers ask about the remaining states; starts the workers once that pays."""
        if self._alone or seconds * left < SECONDS_PER_CHUNK * len(chunk):
            return False
        if self._pool is None and self._spent > SECONDS_ALONE:
            self._start(question, chunk, answer, seconds)
        if not self._is_tried:
            self._refuse_unlike(question, chunk, answer)
        return self._pool is not None

    def _refuse_unlike(self, question: Question, chunk: Sequence[Any], answer: Any) -> None:
        """Raise `UnfitRules` or `OtherWork` unless a cluster gives the same answer as this process."""
        self._is_tried = True
        try:
            task = question, pickle.dumps(chunk)
            pickle.loads(pickle.dumps(answer))
        except Exception as error:  # of states that cannot be pickled
            raise UnfitRules(f"the states cannot be sent to a cluster: {summary_of(error)}") from error
        assert self._pool is not None
        if next(self._pool.map([task], ignore)) != answer:
            raise OtherWork("the workers of the cluster give other answers than the rules give here")

    def _start(self, question: Question, chunk: Sequence[Any], answer: Any, seconds: float) -> None:
        """Start the workers if that pays now and they give the same answer as this process."""
        self._alone, self._spent = True, 0.0
        try:
            began = perf_counter()
            task = question, pickle.dumps(chunk)
            pickle.loads(pickle.dumps(answer))
            if seconds < TIMES_SENDING * (perf_counter() - began):
                self._alone = False  # the next answers may cost more
                return
            pool = WorkerPool(WORKER, self._opening(), self.workers)
        except Exception:  # of states that cannot be pickled
            return
        try:
            if next(pool.map([task])) == answer:
                self._pool, self._alone = pool, False
        except SolverError:
            pass
        finally:
            if self._pool is None:
                pool.close()

    def _by_workers(self, question: Question, states: Sequence[Any], numbers: range) -> Iterator[Any]:
        assert self._pool is not None
        size = max(self._asker.least, min(self._size, len(numbers) // (CHUNKS_PER_WORKER * self.workers)))
        chunks = (states[at : min(at + size, numbers.stop)] for at in numbers[::size])
        for answer in self._pool.map(((question, pickle.dumps(chunk)) for chunk in chunks), ignore):
            if isinstance(answer, SolverError):
                raise answer
            yield answer
