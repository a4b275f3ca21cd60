"""`perfectplay trust`."""

from pathlib import Path

import click

from solver.commands import completion
from solver.errors import MissingFile
from solver.rules.source.modules import file_fingerprint, is_there
from solver.rules.source.trust import remember, remembered


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE.py]...", shell_complete=completion.files)
def trust(files: tuple[str, ...]) -> None:
    """Trust rules files that databases, plans and matches name.

    A rules file is code that can do whatever you can: read it first. A file is trusted by its contents,
    wherever it lies, until it changes. Rules that you name yourself, as in `solve FILE.py:CLASS`, need no
    trust. Nothing is executed now. Without a FILE, lists the trusted files.
    """
    for digest, path in () if files else remembered().items():
        click.echo(f"{digest[:12]}  {path}")
    if missing := next((file for file in files if not is_there(file)), None):
        raise MissingFile(f"{missing} does not exist: give rules files, such as nim.py")
    for file in files:
        path = str(Path(file).resolve())
        remember(file_fingerprint(path), path)
        click.echo(f"{file}: trusted, as {file_fingerprint(path)[:12]}...")
