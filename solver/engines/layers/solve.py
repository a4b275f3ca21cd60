"""Solves a game by layers into a packed database: begun, or resumed from a work folder beside it."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EDQUOT, ENOSPC
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from solver.database.metadata import Metadata
from solver.database.packed.block import Block
from solver.database.packed.counts import CountRow
from solver.database.packed.label_code import LabelCode, smallest_label_code
from solver.database.packed.writer import write_packed
from solver.database.schema import PACKED_FORMAT
from solver.engines.array_rules.compiled_rules import compiled_rules
from solver.engines.array_rules.rules import ArrayRules, Rules
from solver.engines.array_rules.tracing import Untraceable
from solver.engines.layers.backward import label_layers
from solver.engines.layers.context import SolveContext
from solver.engines.layers.forward import find_layers
from solver.engines.layers.storage.block_file import read_blocks
from solver.engines.layers.storage.work_folder import Work
from solver.errors import BrokenRules, DiskFull, TooLarge, UnfitRules
from solver.game import ENDLESS
from solver.packed import PackedGame
from solver.rules.asking import symmetries_of
from solver.rules.failures import rules_asked
from solver.rules.loading import game_name, game_parameters
from solver.rules.source.fingerprint import fingerprint
from solver.system import resources
from solver.system.progress import Progress, reported
from solver.system.resources import cores


@dataclass(frozen=True)
class Solution:
    """What a solve left in its work folder."""

    engine: SolveContext
    form: LabelCode
    layers: int
    states: int
    terminal: int
    moves: int
    values: tuple[int, int]
    """The least and the largest minimax value, for the first player."""
    counts: tuple[CountRow, ...]

    def blocks(self) -> Iterator[Block]:
        """The rows of the table of blocks, in order."""
        for ply in range(self.layers):
            yield from read_blocks(self.engine.work.file(ply, "blocks"))


def solution(engine: SolveContext, layers: Sequence[dict[str, Any]]) -> Solution:
    """Every state of the layers that were found, with its label, in the work folder of the engine.

    Raises `UnfitRules` where no label can hold the utilities, `BrokenRules` where the rules fail, and
    `DiskFull`.
    """
    form = smallest_label_code(len(layers) - 1, max(layer["margin"] for layer in layers), engine.level)
    label_layers(engine, form, layers)
    facts = [engine.work.facts(f"{ply:04}.solved") or {} for ply in range(len(layers))]
    counts = [_count(form, ply, *kind) for ply, each in enumerate(facts) for kind in each["counts"]]
    values = [count.value for count in counts]
    return Solution(
        engine=engine,
        form=form,
        layers=len(layers),
        states=sum(layer["going"] + layer["ended"] for layer in layers),
        terminal=sum(layer["ended"] for layer in layers),
        moves=sum(each["moves"] for each in facts),
        values=(min(values), max(values)),
        counts=tuple(counts),
    )


def _count(form: LabelCode, ply: int, is_terminal: int, mover: int, label: int, states: int) -> CountRow:
    """The row of a kind of states, whose label is the utility where play is over."""
    if is_terminal:
        return CountRow(ply, 1, mover, label, 0, states)
    labels = np.array([label])
    plies = int(form.remoteness(labels, ply)[0])
    return CountRow(ply, 0, mover, int(form.values(labels)[0]), None if plies < 0 else plies, states)


MARGIN = 1 << 29
"""So many bytes of the memory that is there are left to others."""

AGAIN = "the same command goes on from the last finished layer"

LEAST = 1 << 27
"""With fewer bytes there is no room to work."""


@dataclass(frozen=True)
class LayeredSolve:
    """What is to be solved, and with what."""

    game: PackedGame
    starts: tuple[int, ...]
    endless: str
    fold: bool
    memory: int | None
    """How many bytes this process may hold; None for what there is, less a margin."""
    force: bool
    """Whether unfinished work of another solve is thrown away."""
    progress: Progress


def write_layered(task: LayeredSolve, part: Path, work: Work, *, more_than: int = 0) -> bool:
    """Write the packed database of a game to `part`; what is finished on the way survives in `work`.

    Where there are no `more_than` so many states nothing is written, and the answer is False. Raises
    `UnfitRules` where play is not in layers, `BrokenRules` where the rules fail, `OtherWork` and `DiskFull`.
    """
    rules = _rules(task.game)
    with rules_asked(task.game, "ply", task.starts[0]):
        first_ply = task.game.ply(task.starts[0])
    engine = SolveContext(
        rules=rules,
        work=work,
        first_ply=first_ply,
        level=ENDLESS[task.endless],
        fold=task.fold,
        symmetries=len(symmetries_of(task.game)),
        memory=_budget(task.memory),
        threads=cores(),
        progress=task.progress,
    )
    _open_many_files()
    work.begin(_identity(task), force=task.force)
    starts = _starts(task, rules)
    with _refusals(work):
        layers = find_layers(engine, starts)
        if sum(layer["going"] + layer["ended"] for layer in layers) <= more_than:
            return False
        found = solution(engine, layers)
    blocks = reported(
        task.progress, "writing the file", found.blocks(), found.states, lambda block: block.states
    )
    write_packed(part, blocks, found.counts, _about(task, found, len(starts)))
    return True


def _open_many_files() -> None:
    """Let this process have as many files open as it may: each sorted run of a large layer is one."""
    with suppress(ImportError, ValueError, OSError):  # some systems know no such limit, or no other one
        from resource import RLIMIT_NOFILE, getrlimit, setrlimit

        _, most = getrlimit(RLIMIT_NOFILE)
        setrlimit(RLIMIT_NOFILE, (most, most))


@contextmanager
def _refusals(work: Work) -> Iterator[None]:
    """Say in our words what stops a solve, and keep its work unless there is nothing to go on with."""
    try:
        yield
    except (UnfitRules, BrokenRules):
        work.remove()
        raise
    except MemoryError as error:
        raise TooLarge(f"there is not enough memory to go on; {AGAIN}") from error
    except OSError as error:
        if error.errno not in (ENOSPC, EDQUOT):
            raise
        raise DiskFull(f"the disk of {work.path} is full: make room; {AGAIN}") from error


def _rules(game: PackedGame) -> Rules:
    """The rules, compiled where that is possible."""
    try:
        return compiled_rules(game)
    except (ImportError, Untraceable):
        return ArrayRules(game)


def _identity(task: LayeredSolve) -> dict[str, Any]:
    """What must be the same for work to be gone on with."""
    name = game_name(task.game)
    return {
        "program": version("perfectplay"),
        "game": name,
        "rules": fingerprint(name),
        "parameters": json.dumps(game_parameters(task.game)),
        "starts": [len(task.starts), *map(str, task.starts[:10])],
        "endless": task.endless,
        "folded": task.fold,
    }


def _budget(limit: int | None) -> int:
    """How many bytes there are for work."""
    room = resources.available() - MARGIN if limit is None else limit - resources.used()
    if room < LEAST:
        raise TooLarge(
            f"the layers engine needs {(resources.used() + LEAST) / 1e6:,.0f} MB of memory: give it more, "
            "or choose --engine graph for a small game"
        )
    return room


def _starts(task: LayeredSolve, rules: Rules) -> list[int]:
    """The states in which play begins, or those that stand for them, in ascending order."""
    states = np.array(task.starts, np.int64)
    return [int(state) for state in np.unique(rules.canonical(states) if task.fold else states)]


def _about(task: LayeredSolve, found: Solution, starts: int) -> dict[str, object]:
    rows = Metadata(
        game=task.game,
        layout=PACKED_FORMAT,
        start=task.starts[0],
        starts=starts,
        endless=task.endless,
        folded=task.fold,
        values=found.values,
        states=found.states,
        terminal=found.terminal,
        moves=found.moves,
    ).rows()
    return {**rows, "label_bytes": found.form.dtype.itemsize, "label_span": found.form.base}
