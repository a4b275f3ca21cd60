"""`perfectplay trust`."""

from pathlib import Path

import click

from solver.errors import MissingFile
from solver.rules.source.modules import file_fingerprint, is_there
from solver.rules.source.trust import remember, remembered


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE.py]...")
def trust(files: tuple[str, ...]) -> None:
    """Let rules files run when a database, plan or match names them.

    Such a file is code, which can do whatever you can: read it before. It is known by what is in it, wherever
    it lies; once that changes, it is another one. Rules that you name yourself, as in `solve FILE.py:CLASS`,
    are trusted without this. Nothing is executed now. Without a FILE it lists what is trusted.
    """
    for digest, path in () if files else remembered().items():
        click.echo(f"{digest[:12]}  {path}")
    if missing := next((file for file in files if not is_there(file)), None):
        raise MissingFile(f"{missing} does not exist: give rules files, such as nim.py")
    for file in files:
        path = str(Path(file).resolve())
        remember(file_fingerprint(path), path)
        click.echo(f"{file}: trusted, as {file_fingerprint(path)[:12]}...")
