"""What can go wrong, each by name, with the exit status that the command line gives it.

Every message is one line that says what was wrong and what would be right. An error also inherits from
the builtin that it resembles, so that `except KeyError` and friends work as a Python user expects. `shown`
and `told` put values and exceptions into messages.
"""

from reprlib import Repr
from typing import Any, ClassVar

LONGEST = 200
"""What is shown of a value is cut to so many characters."""


class SolverError(Exception):
    """Anything that perfectplay refuses, with a message for a person."""

    exit_status: ClassVar[int] = 1

    def __str__(self) -> str:
        """Return the message as it was written (a KeyError would show its repr)."""
        return str(self.args[0]) if self.args else type(self).__name__


class NoSuchPlan(SolverError):
    """No plan reaches the goal: the other side can prevent it."""


class BadPlan(SolverError, ValueError):
    """A plan that cannot be followed: a move is missing or illegal, or its JSON lacks something."""


class BrokenPlan(BadPlan):
    """A plan that does not keep its promise; the message has the line of play that breaks it."""


class UsageError(SolverError, ValueError):
    """The request itself is wrong; another one would work."""

    exit_status = 2


class UnknownGame(UsageError, KeyError):
    """No game, or no class in a rules file, goes by that name."""


class UnknownPlayer(UsageError, KeyError):
    """No side of the game, or nothing that chooses moves, goes by that name."""


class UnknownSearch(UsageError, KeyError):
    """There is no search of that name."""


class UnknownFormat(UsageError, KeyError):
    """There is no exporter for that format."""


class BadParameter(UsageError):
    """A parameter of a game is unknown, of the wrong type or out of range."""


class UnreadablePosition(UsageError):
    """A text is not a position of this game."""


class BrokenRules(UsageError):
    """A game's rules raised an exception or returned something that makes no sense."""


class TooLarge(UsageError, MemoryError):
    """The game does not fit into the memory of this machine with this engine."""


class RepeatedState(UsageError):
    """Play can return to an earlier state, and the chosen search never ends on games with loops."""


class WrongDatabase(UsageError):
    """The database is of another game, or of the game with other parameters."""


class NothingInCommon(UsageError):
    """Two databases are of games that share no position, or not even a way to write one."""


class Unsolved(UsageError):
    """What is asked needs the labels of a game that has no database and is too large to solve on the side."""


class NoMove(SolverError):
    """A player has no move for a state: its plan does not go there, or the person left."""


class UnfitRules(UsageError):
    """The layers engine cannot solve a game with such rules; the graph engine can."""


class MissingExtra(UsageError, ImportError):
    """What is asked takes a library that is not installed; the message says how to get it."""


class NotLegible(UsageError):
    """The picture would be too large to be read."""


class PlanTooLarge(UsageError):
    """The plan has more positions than are read from one file."""


class PageTooLarge(UsageError):
    """The positions do not fit into one HTML file."""


class TargetExists(UsageError, FileExistsError):
    """There is a file already where the database should go."""


class TargetBusy(UsageError, BlockingIOError):
    """Another process is building the same database."""


class UnknownPosition(SolverError, KeyError):
    """A well-formed position that is not in the database."""

    exit_status = 3


class UnusableFile(SolverError, OSError):
    """A file cannot be used; the subclasses say why."""

    exit_status = 4


class MissingFile(UnusableFile, FileNotFoundError):
    """There is no such file."""


class ForeignFile(UnusableFile):
    """The file is empty or of another kind."""


class DamagedFile(UnusableFile):
    """The file is of the right kind, but part of it is missing or was changed."""


class BusyFile(UnusableFile):
    """The file cannot be read now: the system does not let it be, or another program is writing it."""


class ClosedDatabase(SolverError):
    """A database was asked after it had been closed."""


class ChangedRules(UnusableFile):
    """The rules are not those that made the database."""


class UntrustedRules(UnusableFile):
    """A file names rules that are code which this user has not run before."""


class UnfinishedFile(UnusableFile):
    """The build of this database was interrupted."""


class UnwritableFile(UnusableFile):
    """A file cannot be written where it should go."""


class DiskFull(UnwritableFile):
    """There is not enough room on the disk to go on."""


class DamagedWork(UnusableFile):
    """The work folder of a solve is not as the solve left it."""


class OtherWork(UsageError, FileExistsError):
    """There is unfinished work of another solve where the work folder should go."""


class _Bounded(Repr):
    """Values as Python shows them, but not all of what is long or deep."""

    def __init__(self) -> None:
        """Show as much as one line can have."""
        super().__init__()
        self.maxlevel = 8
        for kind in ("tuple", "list", "dict", "set", "frozenset", "deque", "array"):
            setattr(self, f"max{kind}", 50)
        self.maxstring = self.maxlong = self.maxother = LONGEST

    def repr_instance(self, x: Any, level: int) -> str:
        """What the class itself makes of it."""
        return repr(x)


def shown(value: object) -> str:
    """A value as Python shows it, in one line of some 200 characters, whatever its `__repr__` does."""
    try:
        return cut(_in_one_line(_Bounded().repr(value)))
    except (Exception, SystemExit):
        return f"{cut(type(value).__name__)}(...)"


def told(error: BaseException) -> str:
    """The kind of an exception and its message, in one line, whatever its `__str__` does."""
    try:
        says = cut(_in_one_line(str(error)))
    except (Exception, SystemExit):
        says = "..."
    kind = cut(type(error).__name__)
    return f"{kind}: {says}" if says else kind


def cut(text: str, most: int = LONGEST) -> str:
    """The text, or no more than its beginning where it has more than so many characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _in_one_line(text: str) -> str:
    return " ".join(line.strip() for line in text.splitlines()) if "\n" in text else text
