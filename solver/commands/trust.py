"""`perfectplay trust`."""

import json
from pathlib import Path

import click

from solver.commands.arguments import FILE
from solver.commands.options import command, prints_json
from solver.commands.output import print_json
from solver.errors import UsageError
from solver.rules.source.modules import file_fingerprint, is_there
from solver.rules.source.trust import remember, remembered
from solver.system.words import no_file


@command("perfectplay trust")
@click.argument("files", type=FILE, nargs=-1, metavar="[FILE.py]...")
@prints_json
def trust(files: tuple[str, ...], as_json: bool) -> None:
    """Trust rules files named by databases, plans and saved games.

    A rules file is code that can do whatever you can: read it first. A file is trusted by its contents,
    wherever it is, until it changes. Rules that you name yourself, as in `solve FILE.py:CLASS`, need no
    trust. This command executes nothing. Without a FILE, it lists the trusted files.
    """
    if missing := next((file for file in files if not is_there(file)), None):
        raise no_file(missing, "give rules files, such as nim.py")
    if other := next((file for file in files if Path(file).suffix != ".py"), None):
        raise UsageError(f"{other} is no rules file: give the Python file, such as nim.py, that it names")
    for file in files:
        remember(file_fingerprint(path := str(Path(file).resolve())), path)
    trusted = [(file, file_fingerprint(str(Path(file).resolve()))) for file in files]
    trusted = trusted or [(path, digest) for digest, path in remembered().items()]
    if as_json:
        print_json({"trusted": [{"file": file, "sha256": digest} for file, digest in trusted]})
        return
    if not trusted:
        click.echo("No rules file is trusted yet.")
    for file, digest in trusted:
        named = f"{file}: trusted, as {digest[:12]}..."
        click.echo(named if files else f"{digest[:12]}  {json.dumps(file)}")
