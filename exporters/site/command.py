"""`perfectplay site`."""

from pathlib import Path

import click

from solver.commands import completion
from solver.commands.arguments import DATABASE
from solver.commands.options import command, reads_files, writes
from solver.commands.output import print_json, say_written
from solver.commands.verify import SITE
from solver.database import open_database
from solver.errors import TargetExists
from solver.system.files import new_folder, unfinished, write_folder
from solver.system.plugins import release
from solver.system.progress import terminal_progress

RESUMABLE_FROM = 100_000
"""The least number of states of a site whose finished files are kept after an interruption."""


@command("perfectplay site tictactoe.db -o site", "node site/query.mjs xo..x....")
@click.argument("file", type=DATABASE)
@writes("FOLDER", "Folder for the files.", prints=False, required=True, shell_complete=completion.folders)
@click.option("--force", is_flag=True, help="Replace an existing site.")
@click.option("--offline", is_flag=True, help="Let browsers store the files, for use without a network.")
@reads_files
def site(file: str, output: str, force: bool, offline: bool, as_json: bool) -> None:
    """Write a solved game as static files for any web host.

    FILE is a database. For a packed game, the files have the rules and all labels; for other games, they have
    every position. In the folder, `node query.mjs` answers like `perfectplay query --json`.
    """
    from exporters.site.writer import site_files

    path = new_folder(Path(output), marker=SITE)
    if (path / SITE).exists() and not force:
        raise TargetExists(f"{path} exists already: use --force to replace it, or choose another folder")
    with open_database(file) as db, terminal_progress("states") as progress:
        contents = site_files(db, offline=offline, done=unfinished(path), progress=progress)
        resume_key = f"{db.about['sha256']} {offline} {release()}" if len(db) >= RESUMABLE_FROM else ""
        write_folder(path, contents, marker=SITE, resume_key=resume_key)
    written = [file.stat().st_size for file in path.rglob("*") if file.is_file()]
    facts = {"folder": output, "files": len(written), "bytes": sum(written)}
    if as_json:
        print_json(facts)
    else:
        say_written(output, f"{facts['files']:,} files, {facts['bytes']:,} bytes")
