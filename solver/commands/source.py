"""The game that a command plays, given by name or by the file of a database or plan."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from solver.commands.arguments import is_json
from solver.database import open_database
from solver.errors import BadParameter, MissingFile
from solver.game import AnyGame
from solver.plans.plan import Plan
from solver.plans.reader import read_plan
from solver.players.oracle import Truth
from solver.rules.loading import load_game
from solver.rules.notation import read_position, read_start, write_position
from solver.system.plugins import entries
from solver.system.resources import bounded


@dataclass(frozen=True)
class Source:
    """A game, the position to start from, and its labels."""

    game: AnyGame
    start: str
    truth: Truth
    """The labels, from the database if one was given."""
    plan: Plan | None = None


@contextmanager
def open_source(text: str, parameters: dict[str, str], start: str | None = None) -> Iterator[Source]:
    """Open `text`, the name of a game with `parameters` or the file of a database or plan, from `start` on.

    Raises `BadParameter` for a file with parameters, and what loading and opening raise.
    """
    with ExitStack() as stack:
        stack.enter_context(bounded())
        if not _is_file(text):
            game = load_game(text, parameters)
            begin = write_position(game, read_start(game, start))
            yield Source(game, begin, stack.enter_context(Truth(game, start=start)))
            return
        if parameters:
            raise BadParameter(f"{text} says what game it is for: omit {next(iter(parameters))}=...")
        if Path(text).is_file() and is_json(Path(text)):
            plan = read_plan(text)
            begin = plan.root
            if start is not None:
                begin = write_position(plan.game, read_position(plan.game, start))
            truth = Truth(plan.game, start=begin, endless=plan.endless, scored=plan.scored)
            yield Source(plan.game, begin, stack.enter_context(truth), plan)
            return
        db = stack.enter_context(open_database(text))
        begin = db[db.start if start is None else start].position
        yield Source(db.game, begin, stack.enter_context(Truth(db.game, db)))


def _is_file(text: str) -> bool:
    """Whether `text` names a database or a plan; raises `MissingFile` for the name of one that is missing."""
    if text in entries("games") or text.endswith(".py"):
        return False
    if Path(text).suffix in (".db", ".json") and not Path(text).exists():
        raise MissingFile(f"{text} does not exist: `perfectplay solve GAME -o FILE.db` makes a database")
    return Path(text).exists()
