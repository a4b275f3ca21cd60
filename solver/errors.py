"""The errors of perfectplay, with their exit statuses on the command line.

Every message is one line that says what is wrong and what would be right. An error also inherits from the
builtin exception that it resembles, so that `except KeyError` works as Python users expect. `error_as_dict`
returns the form for other programs. `shown` and `summary_of` format values and exceptions for messages.
"""

import re
from reprlib import Repr
from typing import Any, ClassVar

MAX_LENGTH = 200
"""The most characters of a value that a message shows."""

MAX_MESSAGE = 4000
"""The most characters of an error message; a longer one is cut."""


class SolverError(Exception):
    """The base class of all errors of perfectplay, with a message for people."""

    exit_status: ClassVar[int] = 1

    def __str__(self) -> str:
        """The message itself, where a KeyError would show its repr."""
        return str(self.args[0]) if self.args else type(self).__name__


class NoSuchPlan(SolverError):
    """No plan reaches the goal: the other player can prevent it."""


class BadPlan(SolverError, ValueError):
    """A plan cannot be followed: a move is missing or illegal, or its JSON is incomplete."""


class BrokenPlan(BadPlan):
    """A plan does not keep its promise; the message has a line of play that shows it."""


class UsageError(SolverError, ValueError):
    """The request itself is wrong; another one would work."""

    exit_status = 2


class UnknownGame(UsageError, KeyError):
    """No game, or no class in a rules file, goes by that name."""


class UnknownPlayer(UsageError, KeyError):
    """Neither a side of the game nor a kind of player has that name."""


class UnknownSearch(UsageError, KeyError):
    """No search goes by that name."""


class UnknownFormat(UsageError, KeyError):
    """No exporter or picture goes by that name."""


class BadParameter(UsageError):
    """A parameter of a game is unknown, of the wrong type or out of range."""


class UnreadablePosition(UsageError):
    """A text is not a position of this game."""


class BrokenRules(UsageError):
    """A game's rules raised an exception or returned something that makes no sense."""


class TooLarge(UsageError, MemoryError):
    """The game does not fit into the memory of this machine with this engine."""


class RepeatedState(UsageError):
    """Play can return to an earlier state, but the chosen search does not end on games with loops."""


class WrongDatabase(UsageError):
    """The database is of another game, or of the game with other parameters."""


class NothingInCommon(UsageError):
    """Two databases are of games that have no position in common, or write positions differently."""


class Unsolved(UsageError):
    """A game whose labels are needed has no database and is too large to solve in memory."""


class NoMove(SolverError):
    """A player has no move for a state: its plan does not go there, or the person left."""


class UnfitRules(UsageError):
    """The layers engine cannot solve a game with such rules; the arrays engine can."""


class MissingExtra(UsageError, ImportError):
    """A library that is needed is not installed; the message says how to install it."""


class NotLegible(UsageError):
    """A picture would be too large to be legible."""


class PlanTooLarge(UsageError):
    """A plan has more positions than are read from one file, or more play than its proof follows."""


class PageTooLarge(UsageError):
    """A page would be too large for one HTML file."""


class TargetExists(UsageError, FileExistsError):
    """The target file exists already."""


class TargetBusy(UsageError, BlockingIOError):
    """Another process is building the same file."""


class UnknownPosition(SolverError, KeyError):
    """A well-formed position is not in the database."""

    exit_status = 3


class UnusableFile(SolverError, OSError):
    """A file cannot be used, and no more specific error applies."""

    exit_status = 4


class MissingFile(UnusableFile, FileNotFoundError):
    """There is no such file."""


class ForeignFile(UnusableFile):
    """The file is empty or of another kind."""


class DamagedFile(UnusableFile):
    """The file is of the right kind, but part of it is missing or was changed."""


class BusyFile(UnusableFile):
    """The file cannot be read now: the system denies it, or another program is writing the file."""


class ClosedDatabase(SolverError):
    """A database was used after it had been closed."""


class ChangedRules(UnusableFile):
    """The rules are not those that made the database."""


class UntrustedRules(UnusableFile):
    """A file names rules whose code this user has not run before."""


class UnfinishedFile(UnusableFile):
    """The build of this database was interrupted."""


class UnwritableFile(UnusableFile):
    """The target file cannot be written."""


class DiskFull(UnwritableFile):
    """There is not enough room on the disk."""


class DamagedWork(UnusableFile):
    """The work folder of a solve is damaged."""


class OtherWork(UsageError, FileExistsError):
    """The work folder has a checkpoint of another solve, or a worker has another program or folder."""


class ClusterLost(UnusableFile):
    """The scheduler of a cluster cannot be reached, or has ended."""


class Interrupted(SolverError):
    """The user pressed Ctrl-C, or the system ended the program by SIGTERM."""

    exit_status = 130  # as in shells


def message_of(error: Exception) -> str:
    """The message in one line of at most `MAX_MESSAGE` characters."""
    return cut(" ".join(str(error).split()), MAX_MESSAGE)


def error_as_dict(error: SolverError) -> dict[str, dict[str, str]]:
    """The error as JSON for other programs: `{"error": {"code": "unknown-position", "message": "..."}}`."""
    code = re.sub(r"(?<!^)(?=[A-Z])", "-", type(error).__name__).lower()
    return {"error": {"code": code, "message": message_of(error)}}


class _Bounded(Repr):
    """Reprs of values, cut where they are long or deeply nested."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 8
        for kind in ("tuple", "list", "dict", "set", "frozenset", "deque", "array"):
            setattr(self, f"max{kind}", 50)
        self.maxstring = self.maxother = MAX_LENGTH

    def repr_instance(self, x: Any, level: int) -> str:
        """The uncut repr of an instance of any other class."""
        return repr(x)

    repr_int = repr_instance  # `Repr.repr_int` of Python 3.14 shows addresses in place of very long integers


def shown(value: object) -> str:
    """The repr of a value in one line of at most `MAX_LENGTH` characters, even if its `__repr__` fails."""
    try:
        return cut(in_one_line(_Bounded().repr(value)))
    except (Exception, SystemExit):
        return f"{cut(type(value).__name__)}(...)"


def summary_of(error: BaseException) -> str:
    """The class and the message of an exception in one line, even if its `__str__` fails."""
    try:
        says = cut(in_one_line(str(error)))
    except (Exception, SystemExit):
        says = "..."
    kind = cut(type(error).__name__)
    return f"{kind}: {says}" if says else kind


def cut(text: str, most: int = MAX_LENGTH) -> str:
    """The text, cut to at most `most` characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def in_one_line(text: str) -> str:
    """The lines of the text, without the space around them, as one."""
    return " ".join(line.strip() for line in text.splitlines()) if "\n" in text else text
