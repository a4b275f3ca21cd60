"""The game that a command plays, given by name or by the file of a database or plan."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from solver.commands.arguments import is_json
from solver.database import open_database
from solver.errors import BadParameter, MissingFile
from solver.plans.plan import Plan
from solver.plans.reader import read_plan
from solver.players.oracle import Truth
from solver.rules.loading import load_game
from solver.rules.notation import read_position, read_start, write_position
from solver.system.plugins import entries
from solver.system.resources import bounded


@contextmanager
def open_source(
    text: str, parameters: dict[str, str], start: str | None
) -> Iterator[tuple[Truth, str, Plan | None]]:
    """Open `text`, the name of a game with `parameters` or the file of a database or plan, from `start` on.

    Yields the labels of the game, from the database if one was given; the position to start from; and the
    plan, if one was given. Raises `BadParameter` for a file with parameters, and what loading and opening
    raise.
    """
    with bounded(), ExitStack() as stack:
        plan = None
        if not _is_file(text):
            game = load_game(text, parameters)
            begin, truth = write_position(game, read_start(game, start)), Truth(game, start=start)
        elif parameters:
            raise BadParameter(f"{text} says what game it is for: omit {next(iter(parameters))}=...")
        elif Path(text).is_file() and is_json(Path(text)):
            plan = read_plan(text)
            begin = plan.root
            if start is not None:
                begin = write_position(plan.game, read_position(plan.game, start))
            truth = Truth(plan.game, start=begin, endless=plan.endless, scored=plan.scored)
        else:
            db = stack.enter_context(open_database(text))
            begin, truth = db[db.start if start is None else start].position, Truth(db.game, db)
        with truth:
            yield truth, begin, plan


def _is_file(text: str) -> bool:
    """Whether `text` names a database or a plan; raises `MissingFile` for the name of one that is missing."""
    if text in entries("games") or text.endswith(".py"):
        return False
    if Path(text).suffix in (".db", ".json") and not Path(text).exists():
        raise MissingFile(f"{text} does not exist: `perfectplay solve GAME -o FILE.db` makes a database")
    return Path(text).exists()
