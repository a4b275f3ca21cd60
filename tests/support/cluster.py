"""Schedulers and workers in processes of their own, some of which are killed."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from threading import Event

from distributed import Client, LocalCluster
from distributed.chaos import KillWorker


@contextmanager
def restarted_workers(address: str, count: int) -> Iterator[None]:
    """Workers that are restarted here: dask's nannies give up if a worker dies as it starts."""
    worker = [sys.executable, "-m", "dask", "worker", address, "--no-nanny", "--nthreads", "1"]
    programs, ended = dict[int, subprocess.Popen[bytes]](), Event()

    def keep(number: int) -> None:
        while not ended.is_set():
            programs[number] = subprocess.Popen(worker, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            programs[number].wait()

    with ThreadPoolExecutor(count) as pool:
        futures = [pool.submit(keep, number) for number in range(count)]
        try:
            yield
        finally:
            ended.set()
            for program in programs.values():
                program.kill()
    for done in futures:
        done.result()


@contextmanager
def mortal_workers(lifetime: str) -> Iterator[str]:
    """The address of a scheduler with four workers, each with this mean lifetime."""
    with LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0") as cluster, Client(cluster) as client:
        client.register_plugin(KillWorker(delay=lifetime, mode="segfault"))
        with restarted_workers(cluster.scheduler_address, 4):
            client.wait_for_workers(1, timeout=60)
            yield cluster.scheduler_address


def free_port() -> int:
    with closing(socket.socket()) as actual:
        actual.bind(("127.0.0.1", 0))
        return int(actual.getsockname()[1])


@contextmanager
def started(port: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """A scheduler and two workers, each in a process of its own."""
    dask, address = [sys.executable, "-m", "dask"], f"tcp://127.0.0.1:{port}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    programs = [
        subprocess.Popen([*dask, "scheduler", "--port", str(port), "--dashboard-address", ":0"], **quiet),  # type: ignore[call-overload]
        subprocess.Popen([*dask, "worker", address, "--nworkers", "2", "--nthreads", "1"], **quiet),  # type: ignore[call-overload]
    ]
    try:
        yield programs
    finally:
        for program in programs:
            program.send_signal(signal.SIGTERM)
        for program in programs:
            program.wait(30)
