"""`perfectplay export`."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.commands.arguments import DATABASE, plies_asked
from solver.commands.options import chooses, command, reads_files, writes
from solver.commands.output import print_json, say, target_of
from solver.database import Database, open_database
from solver.errors import UsageError, in_one_line
from solver.system.files import atomic_target, write, writing
from solver.system.progress import Progress, reported, terminal_progress
from solver.system.words import number_of

if TYPE_CHECKING:
    from solver.database.columns import Batch, Selection


def _refuse_ending(output: str) -> None:
    from solver.database.table_files import writer

    if output != "-" and not click.get_current_context().params["form"] and not _is_graph(output):
        writer(Path(output))


def _is_graph(output: str) -> bool:
    return Path(output).suffix.lower() == ".graphml"


@command(
    "perfectplay export tictactoe.db -o tictactoe.csv --positions",
    "perfectplay export tictactoe.db -o tictactoe.graphml",
    sections={
        "What is written": ("output", "form", "force"),
        "Positions": ("plies", "outcome"),
        "Columns": ("positions", "best_moves"),
    },
)
@click.argument("file", type=DATABASE)
@writes(
    "OUT",
    "Output file, .parquet, .csv, .npz or .graphml; - for CSV on standard output.",
    required=True,
    check=_refuse_ending,
)
@chooses(
    "--as", ["datasette"], "Write titles and queries for Datasette, as JSON, instead.", "form", is_eager=True
)
@click.option("--ply", "plies", metavar="N|A-B", help="Only positions at these plies from a start.")
@chooses("--outcome", ["win", "draw", "loss"], "Only positions of this outcome for the player to move.")
@click.option("--positions", is_flag=True, help="Add a column of positions as text, if states are integers.")
@click.option("--best-moves", is_flag=True, help="Add a column of the first best move of each position.")
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
@reads_files
def export(
    file: str, output: str, form: str | None, plies: str | None, force: bool, as_json: bool, **columns: Any
) -> None:
    """Export a database as a table: Parquet, CSV or NumPy's .npz; or as a graph: GraphML.

    FILE is a database. The columns are state (the integer that encodes the position), or position (its text)
    in games without such integers, then ply, to_move, value (for the first player), outcome (for the player
    to move), remoteness (in plies) and is_terminal. Texts and best moves take longer. In .npz files players
    are 0 and 1, outcomes 1, 0 and -1, and missing values -1. Parquet needs pyarrow: pip install pyarrow. A
    graph has all positions, at most 20,000, as nodes and all moves as edges, with their labels, for networkx,
    Gephi and yEd.

    With --as datasette, `datasette FILE --metadata OUT` shows OUT beside the rows of a readable FILE.
    """
    from solver.database.columns import Selection
    from solver.database.readable.datasette import datasette_metadata
    from solver.database.table_files import write_graphml

    selection = Selection(plies_asked("--ply", plies), **columns)
    path, is_graph = target_of(output, "export", force=force), _is_graph(output)
    if (form or is_graph) and selection != Selection():
        raise UsageError("only a table can have some positions, or more columns: omit these options")
    with open_database(file) as db, terminal_progress("positions") as progress:
        if form:
            count, text = len(db), f"{json.dumps(datasette_metadata(db), indent=1)}\n"
            click.echo(text, nl=False) if path is None else write(path, text.encode(), force=force)
        elif is_graph and path is not None:
            count = len(db)
            with writing(path), atomic_target(path, force=force, progress=progress) as unfinished:
                write_graphml(db, unfinished, progress=progress)
        else:
            count = _write_table(db, selection, path, progress, force=force)
    if path is None:
        if as_json:
            print_json({"file": None, "positions": count}, err=True)
        return
    size = path.stat().st_size
    written = {"file": output, "positions": count, "bytes": size}
    words = in_one_line(f"{output}: {number_of(count, 'position')} in {size:,} bytes")
    say(written if as_json else words)


def _write_table(
    db: Database, selection: "Selection", path: Path | None, progress: Progress, *, force: bool
) -> int:
    from solver.database.columns import batches, fields, selected
    from solver.database.table_files import print_csv, writer

    by_rules = selection.positions and db.packed is not None
    read = _with_texts(db, selection) if by_rules else batches(db, selection)
    total = selected(db, selection)
    counted = reported(progress, "exporting", read, total, lambda batch: len(batch[0]))
    if path is None:
        sys.stdout.flush()
        data = TextIOWrapper(sys.stdout.buffer, "utf-8", newline="")
        try:
            print_csv(data, fields(db, selection), counted)
        finally:
            data.detach()  # after it is flushed
    else:
        write_to = writer(path)
        with writing(path), atomic_target(path, force=force, progress=progress) as unfinished:
            write_to(unfinished, fields(db, selection), counted)
    return total


def _with_texts(db: Database, selection: "Selection") -> "Iterator[Batch]":
    """The batches of a packed file with texts; worker processes write those of the next batch ahead."""
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    from solver.database.columns import batches
    from solver.engines.arrays.rules_pool import RulesPool
    from solver.system.executors import map_ordered

    def with_texts(batch: "Batch") -> "Batch":
        states, *columns = batch
        texts = chain.from_iterable(rules.answers("positions", states.tolist(), range(len(states))))
        return states, np.array([*texts]), *columns

    without = batches(db, replace(selection, positions=False))
    with closing(RulesPool(db.game, fold=False)) as rules, ThreadPoolExecutor(1) as ahead:
        yield from map_ordered(ahead, with_texts, without, 1)
