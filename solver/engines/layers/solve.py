"""Solves a game by layers into a packed database, resuming from a checkpoint beside it if there is one."""

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
from solver.engines.storage.blocks import read_blocks
from solver.engines.context import SolveContext
from solver.engines.layers.forward import find_layers
from solver.engines.storage.work_folder import Work
from solver.engines.options import SolveOptions
from solver.errors import BrokenRules, DiskFull, TooLarge, UnfitRules
from solver.game import ENDLESS
from solver.packed import PackedGame
from solver.rules.asking import symmetries_of
from solver.rules.failures import rules_asked
from solver.rules.loading import game_name, game_parameters
from solver.rules.source.fingerprint import fingerprint
from solver.system import resources
from solver.system.progress import reported
from solver.system.resources import cores


@dataclass(frozen=True)
class Solution:
    """The result of a solve, whose blocks are in the work folder."""

    context: SolveContext
    form: LabelCode
    layers: int
    states: int
    terminal: int
    moves: int
    values: tuple[int, int]
    """The least and the greatest minimax value, for the first player."""
    counts: tuple[CountRow, ...]

    def blocks(self) -> Iterator[Block]:
        """Yield the rows of the table of blocks, in order."""
        for ply in range(self.layers):
            yield from read_blocks(self.context.work.file(ply, "blocks"))


def solution(context: SolveContext, layers: Sequence[dict[str, Any]]) -> Solution:
    """Label all layers that were found, in the work folder, and sum up the counts.

    Raises `UnfitRules` if no label can hold the utilities, `BrokenRules` if the rules fail, and `DiskFull`.
    """
    form = smallest_label_code(len(layers) - 1, max(layer["margin"] for layer in layers), context.level)
    label_layers(context, form, layers)
    facts = [context.work.facts(f"{ply:04}.solved") or {} for ply in range(len(layers))]
    counts = [_count(form, ply, *kind) for ply, each in enumerate(facts) for kind in each["counts"]]
    values = [count.value for count in counts]
    return Solution(
        context=context,
        form=form,
        layers=len(layers),
        states=sum(layer["going"] + layer["ended"] for layer in layers),
        terminal=sum(layer["ended"] for layer in layers),
        moves=sum(each["moves"] for each in facts),
        values=(min(values), max(values)),
        counts=tuple(counts),
    )


def _count(form: LabelCode, ply: int, is_terminal: int, mover: int, label: int, states: int) -> CountRow:
    """The row of counts for a kind of states; the label of a terminal kind is its utility."""
    if is_terminal:
        return CountRow(ply, 1, mover, label, 0, states)
    labels = np.array([label])
    plies = int(form.remoteness(labels, ply)[0])
    return CountRow(ply, 0, mover, int(form.values(labels)[0]), None if plies < 0 else plies, states)


MEMORY_RESERVE = 1 << 29
"""Bytes of the available memory that are left to other programs."""

HOW_TO_RESUME = "the same command goes on from the last finished layer"

LEAST_MEMORY = 1 << 27
"""Bytes below which a solve is refused."""


def write_layered(
    game: PackedGame,
    starts: tuple[int, ...],
    options: SolveOptions,
    part: Path,
    work: Work,
) -> None:
    """Solve `game` from `starts` and write its packed database to a new file at `part`.

    Finished layers survive an interruption in `work`. Raises `UnfitRules` if a state is reached at two plies
    or no label can hold the utilities, `BrokenRules` if the rules fail, `TooLarge`, `OtherWork` and
    `DiskFull`.
    """
    rules = _rules(game)
    with rules_asked(game, "ply", starts[0]):
        first_ply = game.ply(starts[0])
    context = SolveContext(
        rules=rules,
        work=work,
        first_ply=first_ply,
        level=ENDLESS[options.endless],
        fold=options.fold,
        symmetries=len(symmetries_of(game)),
        memory=_budget(options.memory),
        threads=cores(),
        progress=options.progress,
    )
    _open_many_files()
    work.begin(_identity(game, starts, options), force=options.force)
    representatives = _starts(starts, rules, fold=options.fold)
    with _refusals(work):
        layers = find_layers(context, representatives)
        found = solution(context, layers)
    blocks = reported(
        options.progress, "writing the file", found.blocks(), found.states, lambda block: block.states
    )
    write_packed(part, blocks, found.counts, _about(game, starts[0], len(representatives), options, found))


def _open_many_files() -> None:
    """Raise the limit of open files as far as allowed: each sorted run of a large layer is one."""
    with suppress(ImportError, ValueError, OSError):  # no such limit, or it cannot be raised
        from resource import RLIMIT_NOFILE, getrlimit, setrlimit

        _, most = getrlimit(RLIMIT_NOFILE)
        setrlimit(RLIMIT_NOFILE, (most, most))


@contextmanager
def _refusals(work: Work) -> Iterator[None]:
    """Turn errors of the system into ours; delete the work folder if the rules are at fault."""
    try:
        yield
    except (UnfitRules, BrokenRules):
        work.remove()
        raise
    except MemoryError as error:
        raise TooLarge(f"there is not enough memory to go on; {HOW_TO_RESUME}") from error
    except OSError as error:
        if error.errno not in (ENOSPC, EDQUOT):
            raise
        raise DiskFull(f"the disk of {work.path} is full: make room; {HOW_TO_RESUME}") from error


def _rules(game: PackedGame) -> Rules:
    """The rules, compiled if possible."""
    try:
        return compiled_rules(game)
    except (ImportError, Untraceable):
        return ArrayRules(game)


def _identity(game: PackedGame, starts: tuple[int, ...], options: SolveOptions) -> dict[str, Any]:
    """The contents of `job.json`: a solve resumes only from a folder with the same."""
    name = game_name(game)
    return {
        "program": version("perfectplay"),
        "game": name,
        "rules": fingerprint(name),
        "parameters": json.dumps(game_parameters(game)),
        "starts": [len(starts), *map(str, starts[:10])],
        "endless": options.endless,
        "folded": options.fold,
    }


def _budget(limit: int | None) -> int:
    """Bytes that the solve may allocate; raises `TooLarge` if they are too few."""
    room = resources.available() - MEMORY_RESERVE if limit is None else limit - resources.used()
    if room < LEAST_MEMORY:
        raise TooLarge(
            f"the layers engine needs {(resources.used() + LEAST_MEMORY) / 1e6:,.0f} MB of memory: "
            "give it more, or choose --engine graph for a small game"
        )
    return room


def _starts(starts: tuple[int, ...], rules: Rules, *, fold: bool) -> list[int]:
    """The starts, or in a folded solve their canonical forms, in ascending order without duplicates."""
    states = np.array(starts, np.int64)
    return [int(state) for state in np.unique(rules.canonical(states) if fold else states)]


def _about(
    game: PackedGame, start: int, starts: int, options: SolveOptions, found: Solution
) -> dict[str, object]:
    rows = Metadata(
        game=game,
        layout=PACKED_FORMAT,
        start=start,
        starts=starts,
        endless=options.endless,
        folded=options.fold,
        values=found.values,
        states=found.states,
        terminal=found.terminal,
        moves=found.moves,
    ).rows()
    return {**rows, "label_bytes": found.form.dtype.itemsize, "label_span": found.form.base}
