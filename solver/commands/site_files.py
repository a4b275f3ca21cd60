"""The files of a site, as `perfectplay verify` proves them."""

import json
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from solver.commands.output import say
from solver.errors import DamagedFile, summary_of
from solver.proof import MAX_PROBLEMS
from solver.rules.named import game_of_file
from solver.system.plugins import drawing
from solver.system.progress import terminal_progress
from solver.system.strict_json import json_of, read_json

SITE = "site.json"
"""The file by which a folder is known as a site."""


def verify_site(folder: Path, *, as_json: bool) -> None:
    """Hold the files of a site against its sums, and against those of the game, solved anew and proved."""
    from solver.database import open_database
    from solver.engines.solve import solve
    from solver.proof.verify import verify_database

    try:
        about = json_of(json.dumps(read_json(folder / SITE)), dict)
        named = {key: str(about[key]) for key in ("game", "rules", "play", "endless")}
        start = str(about["start"]) if about["own_start"] else None
        game = game_of_file(folder, named, about["parameters"], folder=folder.resolve().parent)
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedFile(f"{folder / SITE} is not that of a site: {summary_of(error)}") from error
    problems = _wrong_sums(folder)
    with TemporaryDirectory() as work, terminal_progress() as progress:
        path, fold = Path(work, "anew.db"), about["folded"] is True
        solve(game, path, start=start, endless=named["endless"], fold=fold, progress=progress)
        with open_database(path, errors="replace") as db:
            problems += verify_database(db, progress=progress)
            files = 0
            for name, content in drawing("site")(db, offline=about.get("offline") is True, progress=progress):
                files += 1
                file = folder / name
                if len(problems) < MAX_PROBLEMS and not (file.is_file() and file.read_bytes() == content):
                    problems.append(f"{name} is not the file that follows from the rules")
            positions = len(db)
    facts = {"file": str(folder), "proved": not problems, "files": files, "positions": positions}
    words = f"{folder}: proved. Its {files:,} files follow from the rules of {about['game']}."
    wrong = "\n".join(f"{folder}: {problem}" for problem in problems)
    say(facts | {"problems": problems} if as_json else wrong or words)
    if problems:
        raise SystemExit(1)


def _wrong_sums(folder: Path) -> list[str]:
    """The files of a site that have another SHA-256 than `SHA256SUMS` lists, at most ten."""
    try:
        lines = [line.split("  ", 1) for line in (folder / "SHA256SUMS").read_text("utf-8").splitlines()]
        sums = {name: digest for digest, name in lines}
    except (OSError, ValueError) as error:
        raise DamagedFile(f"{folder} has no SHA256SUMS that can be read") from error
    wrong = (name for name, digest in sums.items() if _digest(folder / name) != digest)
    return [f"{name} has another SHA-256 than SHA256SUMS lists" for name in islice(wrong, MAX_PROBLEMS)]


def _digest(file: Path) -> str:
    try:
        return sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""
