"""The work folder, or checkpoint, of a solve: every finished layer, or stage, from which the solve resumes.

    game.db.work/
        job.json                    game, options and version; no other job resumes from here
        0007.open.0 0007.terminal.0 the first shard of the states at ply 7: open ones and terminal ones
        0007.representatives.0      folded: the canonical forms of non-canonical children, if windows are used
        0007.folded                 marks these as complete
        0007.found                  marks ply 7 as complete: numbers of states, greatest absolute utility
        found                       marks the last layer as found
        0007.labels.0               the labels of 0007.open, until ply 6 is labelled
        0007.blocks.0               the blocks of ply 7 for the database
        0007.solved                 marks ply 7 as labelled: numbers of moves, of states by kind
        dictionary                  the dictionary of the database, made when all layers are found
        database                    the database; blocks are deleted when they are in it
        *.ledger                    the finished tasks of a step, each with its answer

        0007.open.* 0007.terminal.* games with loops: the states of stage 7
        starts  0000.starts9.0      marks the starts as written; the starts of tier 9
        0007.exits9.*               the states of tier 9 that moves from stage 7 lead to
        0007.reached                marks stage 7 as found
        0007.labels.* 0007.labelled the labels of 0007.open; marks stage 7 as labelled
        0007.round3  0007.rounds*   marks a round of the search as done; the states of some rounds
        0007.linked  0007.*.run.*   marks the parents of its states as found; moves, parents, settled states
        0007.settled9               marks the states with this label as settled, if that took long
        0007.blocks.0               the blocks of stage 7 for the database
        0007.*-all  0007.unfolded   all states, if one of each class was solved; marks stage 7 as unfolded

        *.run.*, *.part             files that only an unfinished step, or stage, needs; incomplete files

All files but the database and the ledgers end with their checksum (summed_file.py). A solve that resumes
deletes those that have changed; if their step is finished and cannot be done again, it is refused.
In games with loops, files of kinds with `.run` are held in memory if they fit, without marks.
When the database is in place the folder is deleted, `job.json` first. If the deletion is interrupted, the
next solve of the same target finds no `job.json` and deletes the rest. A step is finished when its mark
exists, which is moved into place after all its other files have been flushed to disk.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatch
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

from solver.engines.storage.summed_file import is_whole, new_file, read_content
from solver.errors import DamagedWork, OtherWork
from solver.system.files import sync


class HeldFiles:
    """The contents of files by path, as bytes or as arrays; thread-safe."""

    def __init__(self) -> None:
        """Hold nothing until `open` is called."""
        self._files, self._left, self._lock = dict[Path, tuple[Any, int]](), 0, Lock()
        self.is_open = False
        """Whether files are held."""
        self.was_full = False
        """Whether there was no room for some file."""

    def open(self, room: int) -> None:
        """Begin to hold files, up to `room` bytes in total."""
        self._left, self.is_open, self.was_full = room, True, False

    def keep(self, path: Path, content: Any, size: int) -> bool:
        """Hold a file of `size` bytes; return whether files are held and there was room for it."""
        with self._lock:
            if not self.is_open or size > self._left:
                self.was_full |= self.is_open
                return False
            self._left -= size - self._files.get(path, (None, 0))[1]
            self._files[path] = content, size
            return True

    def content(self, path: Path) -> Any:
        """The content of a file; None if it is not held."""
        return self._files.get(path, (None, 0))[0]

    def drop(self, pattern: str) -> None:
        """Release the files whose names match a pattern."""
        with self._lock:
            for path in [path for path in self._files if fnmatch(path.name, pattern)]:
                self._left += self._files.pop(path)[1]

    def close(self) -> list[tuple[Path, Any]]:
        """Stop holding files; return those that were held."""
        with self._lock:
            files = [(path, content) for path, (content, _) in self._files.items()]
            self._files, self.is_open, self.was_full = {}, False, False
            return files


STEPS = {
    "found": "layers found",
    "solved": "layers labelled",
    "reached": "stages found",
    "labelled": "stages labelled",
    "unfolded": "stages unfolded",
}
"""The steps that are counted for the user, by the suffix of their marks."""


SUMMED = re.compile(r"job\.json|found|starts|dictionary|\d{4,}\..*(?<!\.ledger)(?<!\.part)")
"""The names of files that end with their checksum."""

NAMES = re.compile(rf"{SUMMED.pattern}|database.*|.*\.(ledger|part)")
"""The names of files in work folders; a folder without `job.json` that has others was not made by a solve."""

RUN = ".run"
"""The suffix of the kinds of files that only the steps of their own layer, or stage, need."""


@dataclass(frozen=True)
class WorkFolder:
    """A work folder."""

    path: Path
    held: HeldFiles = field(default_factory=HeldFiles, compare=False)
    """The files of kinds that end in `RUN`, which are held in memory while this is open."""

    def __str__(self) -> str:
        """The path and the finished steps: `game.db.work (layers found: 9, ...)`."""
        counts = {words: len([*self.path.glob(f"*.{suffix}")]) for suffix, words in STEPS.items()}
        steps = ", ".join(f"{words}: {count}" for words, count in counts.items() if count)
        return f"{self.path} ({steps or 'no step is finished'})"

    def begin(self, job: dict[str, Any], *, force: bool) -> None:
        """Create the folder, or keep that of the same job.

        Raises `OtherWork` for another, unless `force`, and `DamagedWork` for a damaged record of the job.
        """
        begun, record = self.facts("job.json"), self.path / "job.json"
        if self.path.exists() and begun != job:
            if not force and begun is not None and begun.get("format") != job["format"]:
                raise OtherWork(
                    f"{self.path} has the unfinished work of another release of perfectplay: finish it with "
                    "that one, or use --force to throw it away"
                )
            if not force and record.exists() and not is_whole(record):
                raise DamagedWork(f"{record} is damaged: remove the folder {self.path}")
            if not force and begun is not None:
                raise OtherWork(
                    f"{self.path} has the unfinished work of another solve: "
                    "finish that first, use --force to throw it away, or choose another file"
                )
            if begun is None and not all(map(NAMES.fullmatch, os.listdir(self.path))):
                raise OtherWork(f"{self.path} is no work folder of a solve: move it, or use --work")
            self.remove()
        self.path.mkdir(exist_ok=True)
        for unfinished in self.path.glob("*.part"):
            unfinished.unlink(missing_ok=True)
        if begun != job or not is_whole(record):
            self.finish(record.name, job)

    def remove(self) -> None:
        """Delete the folder, `job.json` first, so that an interruption leaves no checkpoint."""
        if self.path.exists():
            (self.path / "job.json").unlink(missing_ok=True)
            sync(self.path)
        shutil.rmtree(self.path, ignore_errors=True)

    @property
    def is_new(self) -> bool:
        """Whether the folder has nothing but the record of the job."""
        return all(file.name == "job.json" for file in self.path.glob("*"))

    def summed(self) -> list[Path]:
        """The files that end with their checksum."""
        return [self.path / name for name in sorted(os.listdir(self.path)) if SUMMED.fullmatch(name)]

    @property
    def database(self) -> Path:
        """The path of the database; blocks in it are deleted from the folder."""
        return self.path / "database"

    @property
    def dictionary(self) -> Path:
        """The path of the dictionary of the database."""
        return self.path / "dictionary"

    def read_dictionary(self) -> bytes:
        """The dictionary of the database."""
        return read_content(self.dictionary)

    def shard(self, ply: int, kind: str, nth: int) -> Path:
        """The path of one shard of a kind, of a ply or stage."""
        return self.path / f"{ply:04}.{kind}.{nth}"

    def shards(self, ply: int, kind: str, count: int) -> list[Path]:
        """The paths of all shards of a kind, of a ply or stage."""
        return [self.shard(ply, kind, nth) for nth in range(count)]

    @contextmanager
    def new_shard(self, ply: int, kind: str, nth: int) -> Iterator[BinaryIO]:
        """Yield the file of a shard, which several processes may write; it appears complete or not at all."""
        path = self.shard(ply, kind, nth)
        if not self.held.is_open or not kind.endswith(RUN):
            with new_file(path) as file:
                yield file
            return
        held = BytesIO()
        yield held
        content = held.getvalue()
        if not self.held.keep(path, content, len(content)):
            with new_file(path) as file:
                file.write(content)

    def write_held(self) -> None:
        """Write the held files to disk, and stop holding files."""
        for path, content in self.held.close():
            with new_file(path) as file:
                file.write(content)

    def facts(self, name: str) -> dict[str, Any] | None:
        """The JSON object in a file; None if there is no such file, or it has something else."""
        try:
            text = (self.path / name).read_text("utf-8", "replace")  # other releases append no checksum
            facts, _ = json.JSONDecoder().raw_decode(text)
        except (FileNotFoundError, ValueError, RecursionError):
            return None
        return facts if isinstance(facts, dict) else None

    def finish(self, name: str, facts: dict[str, Any]) -> None:
        """Mark a step as finished, whose files must be on disk."""
        self.keep(name, json.dumps(facts).encode())

    def keep(self, name: str, data: bytes) -> None:
        """Write a file, which appears complete or not at all."""
        with new_file(self.path / name) as file:
            file.write(data)
        sync(self.path)

    def drop(self, ply: int, *kinds: str) -> None:
        """Delete files of a ply or stage that are no longer needed."""
        stage = f"{ply:04}."
        names = [name for name in os.listdir(self.path) if name.startswith(stage)]
        for kind in kinds:
            self.held.drop(f"{stage}{kind}.*")
            for name in names:
                if fnmatch(f"{name}.", f"{stage}{kind}.*"):
                    (self.path / name).unlink(missing_ok=True)
