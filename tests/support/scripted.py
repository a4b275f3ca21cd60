"""Tasks that do what a table says, each time that they are done: for tests of executors."""

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
    """How workers open the job."""

    folder: Path
    refused: bool = False


@dataclass(frozen=True)
class Scripted:
    """A task with a fate for each time that it is done; afterwards it squares its number."""

    number: int
    fates: tuple[str, ...] = ()

    def run(self, folder: Path, on_progress: OnProgress) -> int:
        """Return the square of the number, unless something happens before."""
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
            raise RuntimeError(f"the task {self.number} fails", lambda: None)  # which cannot be pickled
        if fate == "full":
            raise OSError(errno.ENOSPC, "No space left on device")
        on_progress(self.number)
        return self.number**2


@contextmanager
def tasks(opening: Opening, on_progress: OnProgress) -> Iterator[Callable[[Any], object]]:
    """Yield what does a scripted task."""
    if opening.refused:
        raise BrokenRules("it does not want to")
    yield lambda task: task.run(opening.folder, on_progress)
