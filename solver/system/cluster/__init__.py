"""Tasks done by the workers of a dask scheduler."""

from typing import TYPE_CHECKING

from solver.errors import MissingExtra
from solver.system.executors import processes_here
from solver.system.imports import how_to_install

if TYPE_CHECKING:  # it needs dask, which is an extra
    from solver.system.cluster.pool import DaskPool


def cluster_at(address: str, module: str, opening: object) -> "DaskPool":
    """The workers of a dask scheduler, who open a job by the function `tasks` of a module.

    Raises `MissingExtra`, `UsageError` if the address is none, `ClusterLost`, and `OtherWork` if a worker
    cannot take part.
    """
    processes_here(address)
    try:
        from solver.system.cluster.pool import DaskPool
    except ImportError as error:
        raise MissingExtra(f"a cluster needs dask: {how_to_install('cluster')}") from error
    return DaskPool(address, module, opening)
