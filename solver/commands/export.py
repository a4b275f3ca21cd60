"""`perfectplay export`."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from solver.commands import completion
from solver.commands.arguments import OneOf, print_json, prints_json, trusts_rules
from solver.commands.sections import Sectioned
from solver.errors import BadParameter, UsageError

if TYPE_CHECKING:
    from solver.database import Database
    from solver.database.columns import Batch, Selection
    from solver.system.progress import Progress


@click.command(
    cls=Sectioned,
    sections={
        "What is written": ("output", "form", "force"),
        "Positions": ("plies", "outcome"),
        "Columns": ("positions", "best_moves"),
    },
)
@click.argument("file", shell_complete=completion.files)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    shell_complete=completion.files,
    required=True,
    help="Output file, .parquet, .csv, .npz or .graphml; - for CSV on standard output.",
)
@click.option(
    "--as", "form", type=OneOf(["datasette"]), help="Instead: titles and queries for Datasette, as JSON."
)
@click.option("--ply", "plies", metavar="N|A-B", help="Only positions at these plies from a start.")
@click.option(
    "--outcome",
    type=OneOf(["win", "draw", "loss"]),
    help="Only positions of this outcome for the player to move.",
)
@click.option(
    "--positions", is_flag=True, help="Add a column with positions as text, if states are integers."
)
@click.option("--best-moves", is_flag=True, help="Add a column with the first best move of each position.")
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
@prints_json
@trusts_rules
def export(
    file: str,
    output: str,
    form: str | None,
    plies: str | None,
    outcome: str | None,
    positions: bool,
    best_moves: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Export a database as a table: Parquet, CSV or NumPy's .npz; or as a graph: GraphML.

    FILE is a database. The columns are state (the integer that encodes the position; in games without such
    integers position, its text), ply, to_move, value (for the first player), outcome (for the player to
    move), remoteness (in plies) and is_terminal. Texts and best moves take longer. In .npz files players are
    0 and 1, outcomes 1, 0 and -1, and -1 marks missing values. Parquet needs pyarrow:
    pip install pyarrow. A graph has all positions, at most 20,000, as nodes and all moves as edges, with
    their labels; networkx, Gephi and yEd read it.

    With --as datasette OUT is what `datasette FILE --metadata OUT` shows beside the rows of a readable FILE.
    """
    from solver.database import open_database
    from solver.database.columns import Selection, fields
    from solver.database.table_files import print_csv, writer
    from solver.system.files import atomic_target
    from solver.system.progress import terminal_progress

    if form is not None:
        if plies or outcome or positions or best_moves:
            raise UsageError(f"--as {form} writes no positions: leave options that select them out")
        _metadata(file, output, force=force)
        return
    selection = Selection(_plies(plies), outcome, positions=positions, best_moves=best_moves)
    as_graph = Path(output).suffix.lower() == ".graphml"
    if as_graph and selection != Selection():
        raise UsageError("a graph has all positions and all labels: leave out all options but --force")
    write = None if output == "-" or as_graph else writer(Path(output))
    with open_database(file) as db, terminal_progress("positions") as progress:
        if as_graph:
            from solver.database.graph_file import write_graphml  # with networkx

            with atomic_target(Path(output), force=force, progress=progress) as part:
                write_graphml(db, part, progress=progress)
            click.echo(f"{output}: {len(db):,} positions and {db.moves:,} moves as a graph")
            return
        rows = CountedBatches(db, selection, progress)
        if write is None:
            with _data_stream() as data:
                print_csv(data, fields(db, selection), rows)
            if as_json:
                print_json({"file": None, "positions": rows.count}, err=True)
            return
        with atomic_target(Path(output), force=force, progress=progress) as part:
            write(part, fields(db, selection), rows)
    size = Path(output).stat().st_size
    if as_json:
        print_json({"file": output, "positions": rows.count, "bytes": size})
    else:
        click.echo(f"{output}: {rows.count:,} positions in {size:,} bytes")


def _metadata(file: str, output: str, *, force: bool) -> None:
    """Write the metadata for Datasette."""
    from solver.database import open_database
    from solver.database.datasette import datasette_metadata
    from solver.system.files import write

    with open_database(file) as db:
        text = json.dumps(datasette_metadata(db), indent=1) + "\n"
    if output == "-":
        click.echo(text, nl=False)
        return
    write(Path(output), text.encode(), force=force)
    click.echo(f"{output}: for `datasette {file} --metadata {output}`")


class CountedBatches:
    """The selected batches of positions, counted as they pass."""

    def __init__(self, db: "Database", selection: "Selection", progress: "Progress") -> None:
        """Report to `progress` after each batch; raises as `batches`, and `DamagedFile`."""
        from solver.database.columns import batches, selected

        self._batches, self._total = batches(db, selection), selected(db, selection)
        self._progress, self.count = progress, 0

    def __iter__(self) -> "Iterator[Batch]":
        """Yield each batch."""
        for batch in self._batches:
            yield batch
            self.count += len(batch[0])
            self._progress("exporting", self.count, self._total)


@contextmanager
def _data_stream() -> Iterator[IO[str]]:
    """Standard output for data: UTF-8, with newlines unchanged."""
    sys.stdout.flush()
    stream = TextIOWrapper(sys.stdout.buffer, "utf-8", newline="")
    try:
        yield stream
    finally:
        stream.flush()
        stream.detach()


def _plies(text: str | None) -> range | None:
    """The plies named by `N` or `A-B`, both ends included; raises `BadParameter` for other texts."""
    if text is None:
        return None
    form = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", text)
    if form is None:
        raise BadParameter(f"--ply takes a number of plies, or two with - between them, not {text!r}")
    return range(int(form[1]), int(form[2] or form[1]) + 1)
