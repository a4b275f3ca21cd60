"""Tasks whose behaviour in each run is scripted, for tests of executors."""

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.errors import BrokenRules
from solver.system.executors import OnProgress


@dataclass(frozen=True)
class Opening:
    """The opening of the job in a worker."""

    folder: Path
    refused: bool = False


@dataclass(frozen=True)
class Scripted:
    """A task with a fate for each of its first runs; in later runs it only squares its number."""

    number: int
    fates: tuple[str, ...] = ()

    def run(self, folder: Path, on_progress: OnProgress) -> int:
        """Return the square of the number, unless its fate prevents it."""
        times = len([*folder.glob(f"{self.number}.*")])
        (folder / f"{self.number}.{times}.{os.getpid()}").touch()
        fate = self.fates[times] if times < len(self.fates) else ""
        if fate == "die":
            os._exit(3)
        if fate == "slow":
            time.sleep(0.3)
        if fate == "fail":
            raise BrokenRules(f"the task {self.number} fails")
        if fate == "odd":
            raise RuntimeError(f"the task {self.number} fails", lambda: None)  # a lambda cannot be pickled
        if fate == "full":
            raise OSError(errno.ENOSPC, "No space left on device")
        on_progress(self.number)
        return self.number**2


@contextmanager
def tasks(opening: Opening, on_progress: OnProgress) -> Iterator[Callable[[Any], object]]:
    """Yield a function that runs a scripted task."""
    if opening.refused:
        raise BrokenRules("it does not want to")
    yield lambda task: task.run(opening.folder, on_progress)
