"""A worker process of a proof: does the tasks that `solver.proof.packed.verify` hands out."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from solver.database import open_database
from solver.database.header import connect
from solver.database.packed.reader import PackedDatabase
from solver.errors import MissingFile, OtherWork
from solver.proof.packed.blocks import series_of, table_of
from solver.proof.packed.checker import Findings, Task
from solver.proof.packed.verify import checker_of
from solver.rules.loading import load_game
from solver.rules.source import trust
from solver.system.executors import OnProgress, serve

Opening: TypeAlias = tuple[Path, str, str, str | None, bool, frozenset[str]]
"""Path and digest of the file, path of the rules, `folder` and `by_class` of `checker_of`, trusted rules."""


@contextmanager
def tasks(opening: Opening, on_progress: OnProgress) -> Iterator[Callable[[Task], Findings]]:
    """Yield the function that does the tasks of a proof; raises `OtherWork` for another file at its path."""
    path, digest, place, folder, by_class, rules = opening
    trust.allow(rules)
    if _digest_stated(path) != digest:
        raise OtherWork(f"it does not see this file at {path}: put it into a folder that all workers share")
    with open_database(path, errors="replace") as db, closing(connect(path)) as connection:
        assert isinstance(db, PackedDatabase)
        series = series_of(table_of(connection, db.stage_column))
        db.game = load_game(place, db.parameters, trusted=False)
        with closing(checker_of(db, series, on_progress, folder, by_class=by_class)) as checker:
            yield checker.done


def _digest_stated(path: Path) -> str | None:
    """The digest that a file states; None if there is no such file, or it may not be read."""
    with suppress(MissingFile, PermissionError), open_database(path, errors="replace") as db:
        return str(db.about["sha256"])
    return None


if __name__ == "__main__":
    serve(tasks)
