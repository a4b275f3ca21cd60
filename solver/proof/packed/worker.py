"""A worker process of a proof: does the tasks that `solver.proof.packed.verify` hands out."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeAlias

from solver.database.packed.reader import PackedDatabase
from solver.proof.packed.checker import AllSeries, Task
from solver.proof.packed.findings import Findings
from solver.proof.packed.verify import checker_of
from solver.rules.source import trust
from solver.system.worker_pool import Tell, serve

Opening: TypeAlias = tuple[Path, AllSeries, str | None, frozenset[str]]
"""The path of the file, its series, the folder of `checker_of`, and the rules files that may run."""


@contextmanager
def checker(opening: Opening, tell: Tell) -> Iterator[Callable[[Task], Findings]]:
    """Yield what does the tasks of a proof."""
    path, series, folder, rules = opening
    trust.allow(rules)
    with (
        PackedDatabase(path, errors="replace") as db,
        closing(checker_of(db, series, tell, folder)) as checker,
    ):
        yield checker.done


if __name__ == "__main__":
    serve(checker)
