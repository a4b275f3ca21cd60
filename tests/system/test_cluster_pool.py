"""Workers of a cluster that die, are slow or fail: all answers are right, or an error is raised."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from time import sleep

import dask
import pytest
from distributed import Client, Future, LocalCluster
from distributed.comm.core import CommClosedError

from solver.errors import BrokenRules, ClusterLost, OtherWork, SolverError, UsageError
from solver.system.cluster_pool import DaskPool
from solver.system.executors import cluster_at
from tests.support.scripted import Opening, Scripted

MODULE = "tests.support.scripted"

FATES: list[list[tuple[str, ...]]] = [
    [(), (), (), ()],
    [("die",), (), ("slow",), ()],
    [("slow", "slow"), ("die", "slow"), ("fail",), ("odd",), ("full",)],
    [("die", "die"), ("die", "fail"), (), ("fail", "die"), ()],
]
"""For each task of a step what happens to it the first, the second, the third time."""


@pytest.fixture(scope="module", autouse=True)
def impatience() -> Iterator[None]:
    """Whoever calls a worker that has died waits for seconds, not for half a minute."""
    with dask.config.set({"distributed.comm.timeouts.connect": "5s"}), pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.system.cluster_pool.SECONDS_BETWEEN_LOOKS", 0.1)
        yield


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a scheduler with three workers, which are started again when they die."""
    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        yield cluster.scheduler_address


@pytest.mark.parametrize("fates", FATES)
def test_all_tasks_are_done_in_the_end(tmp_path: Path, scheduler: str, fates: list[tuple[str, ...]]) -> None:
    done = list[int]()
    with closing(DaskPool(scheduler, MODULE, Opening(tmp_path))) as pool:
        tasks = [Scripted(number, fate) for number, fate in enumerate(fates)]
        assert list(pool.map(tasks, done.append)) == [number**2 for number in range(len(tasks))]
        while not pool.usage().workers:  # none for a moment, if all have died
            sleep(0.02)
        assert pool.usage().memory > 1 << 20
    assert sorted(done) == list(range(len(fates)))


@pytest.mark.parametrize(
    ("fate", "error", "reason"),
    [
        ("fail", BrokenRules, "the task 1 fails"),
        ("odd", SolverError, "the task 1 fails"),
        ("full", OSError, "No space left"),
    ],
)
def test_task_failing_on_two_workers_raises(
    tmp_path: Path, scheduler: str, fate: str, error: type[Exception], reason: str
) -> None:
    tasks = [Scripted(0), Scripted(1, (fate, fate, fate)), Scripted(2), Scripted(3)]
    with closing(DaskPool(scheduler, MODULE, Opening(tmp_path))) as pool:
        answers = pool.map(tasks, lambda states: None)
        assert next(answers) == 0
        with pytest.raises(error, match=reason):
            list(answers)
    assert 2 <= len([*tmp_path.glob("1.*")]) <= 3


def test_unfit_worker_is_named_in_the_error(tmp_path: Path, scheduler: str) -> None:
    with pytest.raises(OtherWork, match=r"the worker tcp://.* cannot take part: .*it does not want to"):
        DaskPool(scheduler, MODULE, Opening(tmp_path, refused=True))


@pytest.mark.parametrize("address", ["", "local", "local:0", "local:-1", "local:1000", "host:8786"])
def test_invalid_address_is_refused(address: str) -> None:
    words = "is not the address of a scheduler: use tcp://HOST:8786, or local:2"
    with pytest.raises(UsageError, match=words):
        cluster_at(address, MODULE, None)


def test_missing_scheduler_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.system.cluster_pool.SECONDS_TO_CONNECT", 1)
    words = r"there is no scheduler with workers at tcp://127\.0\.0\.1:9: start"
    with pytest.raises(ClusterLost, match=words):
        cluster_at("tcp://127.0.0.1:9", MODULE, None)


def test_lost_workers_are_ignored(scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = {"tcp://127.0.0.1:9": CommClosedError("Stream is closed")}
    monkeypatch.setattr(Client, "run", lambda client, *question, on_error: ended)
    with closing(DaskPool(scheduler, MODULE, Opening(tmp_path))) as pool:
        assert [*pool.map([Scripted(5)], lambda states: None)] == [25]


def test_task_with_lost_outcome_is_retried(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, result = [1], Future.result

    def of_dead_worker(future: "Future[object]", timeout: float | None = None) -> object:
        assert timeout is not None, "it would wait for ever"
        if lost:
            raise TimeoutError(lost.pop())
        return result(future, timeout)

    monkeypatch.setattr(Future, "result", of_dead_worker)
    with closing(DaskPool(scheduler, MODULE, Opening(tmp_path))) as pool:
        assert [*pool.map([Scripted(3), Scripted(4)], lambda states: None)] == [9, 16]
    assert not lost


@pytest.mark.parametrize("end", [LocalCluster.close, lambda cluster: cluster.scale(0)])
def test_loss_of_scheduler_or_all_workers_raises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: Callable[[LocalCluster], object]
) -> None:
    monkeypatch.setattr("solver.system.cluster_pool.SECONDS_TO_CONNECT", 2)
    monkeypatch.setattr("solver.system.cluster_pool.SECONDS_WITHOUT_WORKERS", 1)
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        closing(DaskPool(cluster.scheduler_address, MODULE, Opening(tmp_path))) as pool,
    ):
        answers = pool.map((Scripted(number, ("slow",)) for number in range(99)), lambda states: None)
        assert next(answers) == 0
        end(cluster)
        with pytest.raises(ClusterLost, match="has ended, or has no workers left: start them again; "):
            list(answers)
        assert pool.usage().workers == 0
