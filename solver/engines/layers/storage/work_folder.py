"""The work folder of a solve: what is finished lies there, so that a solve that was killed goes on from it.

    game.db.work/
        job.json                    which game, how solved, by which version; other work is not gone on with
        0007.going   0007.ended     the states at ply 7: play goes on, or is over
        0007.standing               folded: those of them that stand for others, if that was found out
        0007.found                  ply 7 is complete: how many states, the largest utility
        found                       there are no more layers
        0007.labels                 the labels of 0007.going, until those of ply 6 are known
        0007.blocks                 ply 7 as it will be in the database
        0007.solved                 ply 7 is labelled, its moves and labels counted
        *.run, *.part               unfinished, of no worth

The folder is removed when the database is in place, job.json first; if that did not come about, by the next
solve of the same target. A step is finished when its `found` or `solved` is there, which is moved into place
when all else is on disk.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.engines.layers.storage.key_file import KeyFile
from solver.errors import OtherWork
from solver.system.files import flush, sync

FACTS = {
    ".found": {"going": int, "ended": int, "margin": int, "told": bool},
    ".solved": {"moves": int, "counts": list},
}
"""What is known of a finished step, and of which kind."""


@dataclass(frozen=True)
class Work:
    """A work folder."""

    path: Path

    def begin(self, job: dict[str, Any], *, force: bool) -> None:
        """Make the folder, or go on with what is in it; with `force` throw other work away.

        Raises `OtherWork` where the folder has another job.
        """
        if self.path.exists() and self.facts("job.json") != job:
            if not force and self.facts("job.json") is not None:
                raise OtherWork(
                    f"{self.path} has the unfinished work of another solve: "
                    "finish that first, use --force to throw it away, or choose another file"
                )
            self.remove()
        self.path.mkdir(exist_ok=True)
        if self.facts("job.json") is None:
            self.finish("job.json", job)

    def remove(self) -> None:
        """Remove the folder and all work in it; what is left if that is cut short is no work any more."""
        if self.path.exists():
            (self.path / "job.json").unlink(missing_ok=True)
            sync(self.path)
        shutil.rmtree(self.path, ignore_errors=True)

    @property
    def bytes(self) -> int:
        """How much of the disk it has."""
        return sum(file.stat().st_size for file in self.path.glob("*"))

    def file(self, ply: int, kind: str) -> Path:
        """The file of this kind for a ply."""
        return self.path / f"{ply:04}.{kind}"

    def going(self, ply: int) -> KeyFile:
        """The states at a ply in which play goes on."""
        return KeyFile(self.file(ply, "going"))

    def ended(self, ply: int) -> KeyFile:
        """The states at a ply in which play is over."""
        return KeyFile(self.file(ply, "ended"))

    def standing(self, ply: int) -> KeyFile | None:
        """The states at a ply that stand for other children; None where it is not known which these are."""
        path = self.file(ply, "standing")
        return KeyFile(path) if path.exists() else None

    def facts(self, name: str) -> dict[str, Any] | None:
        """What was written of a finished step; None where it is not finished."""
        try:
            facts = json.loads((self.path / name).read_text("utf-8"))
        except (FileNotFoundError, ValueError, RecursionError):
            return None
        kinds = FACTS.get(Path(name).suffix, {})
        if not isinstance(facts, dict) or any(type(facts.get(key)) is not kinds[key] for key in kinds):
            return None
        return facts

    def finish(self, name: str, facts: dict[str, Any]) -> None:
        """Note that a step is finished, whose files are on disk."""
        part = self.path / f"{name}.part"
        with part.open("w", encoding="utf-8") as file:
            json.dump(facts, file)
            file.flush()
            flush(file.fileno())
        part.replace(self.path / name)
        sync(self.path)

    def drop(self, ply: int, *kinds: str) -> None:
        """Remove files of a ply that are not needed any more."""
        for kind in kinds:
            self.file(ply, kind).unlink(missing_ok=True)
