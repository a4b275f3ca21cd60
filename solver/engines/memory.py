"""Keeps a solve within its memory: refuses in time what will not fit, by measured costs."""

from collections.abc import Iterator
from contextlib import contextmanager

from solver.errors import SolverError, TooLarge, shown
from solver.game import AnyGame
from solver.rules.asking import bound_of, symmetries_of
from solver.system import resources
from solver.system.words import in_digits

MIN_MEMORY = 1 << 24
"""The fewest bytes for states with which a solve begins."""

MIN_MEMORY_FOR_FILES = 1 << 27
"""The fewest bytes with which a solve in files begins."""

RESERVE = 1 << 29
"""Bytes of the available memory that a solve in files leaves to other programs."""

PERCENT_FOR_STATES = 75
"""The percentage of a solve's peak memory in use when all states are found; see tests/benchmarks."""

LOOSEST_BOUND = 10
"""The greatest ratio of a bound to the number of states that is expected; for Connect Four it is 6."""


@contextmanager
def memory_budget(limit: int | None = None) -> Iterator[int]:
    """Yield the bytes that the block may take, if the process may hold `limit` bytes.

    None is for all available memory. Raises `TooLarge` at once if the limit is too low for any game, and when
    the block needs more than the limit.
    """
    held = resources.used()
    limit = held + resources.available() if limit is None else limit
    if limit < held + MIN_MEMORY:
        raise TooLarge(
            f"{size(limit)} of memory is too little: Python and its libraries hold {size(held)} before "
            f"the first state; give it {size(held + 2 * MIN_MEMORY)} or more"
        )
    try:
        with resources.bounded(limit):
            yield limit - held
    except MemoryError as error:
        if isinstance(error, SolverError):
            raise
        raise TooLarge(
            f"to find, label and write all states takes more than {size(limit)} of memory: "
            "give it more, choose smaller parameters or --start from a later position"
        ) from error


def memory_for_files(limit: int | None) -> int:
    """The bytes that a solve in files may take if the process may hold `limit`; raises `TooLarge`."""
    room = resources.available() - RESERVE if limit is None else limit - resources.used()
    if room < MIN_MEMORY_FOR_FILES:
        needed = size(resources.used() + MIN_MEMORY_FOR_FILES)
        raise TooLarge(f"a solve in files needs {needed} of memory: give it more")
    return room


def refuse_by_bound(
    game: AnyGame, budget: int, bytes_per_state: int, engine: str, *, fold: bool, looseness: int = 1
) -> None:
    """Raise `TooLarge` before any work if, by the rules' bound, the states cannot fit into the budget.

    The bound may be up to `looseness` times too high.
    """
    bound = bound_of(game)
    bound = bound // (1 + len(symmetries_of(game))) if bound is not None and fold else bound
    if bound is not None and bound * bytes_per_state > looseness * budget:
        raise TooLarge(
            f"this game has up to {in_digits(bound)} states and the {engine} engine, which needs about "
            f"{bytes_per_state:,} bytes for each, has {size(budget)}: "
            "choose smaller parameters or --start from a later position"
        )


class MemoryWatch:
    """Refuses a game as soon as its states do not fit into a budget."""

    def __init__(self, engine: str, budget: int) -> None:
        """Allow `budget` bytes beyond those that the process holds now; `engine` is the engine's name."""
        self._engine, self._limit = engine, resources.used() + budget

    def check(self, states: int, last: object, *, ahead: int = 0) -> None:
        """Raise `TooLarge` if the process will need too much: what it holds now, and `ahead` bytes more.

        The message names the number of states and the `last` one, which may show what grows without end.
        """
        used = resources.used()
        if used + ahead > self._limit:
            raise TooLarge(
                f"this game has more than {states:,} states, the last of them {shown(last)}; "
                f"the {self._engine} engine holds {size(used)} of memory, which leaves too little to label "
                "and write them: "
                "choose smaller parameters, --start from a later position or give it more memory"
            )


def size(count: float) -> str:
    """A number of bytes for people."""
    if count > 10**18:  # a bound may have thousands of digits, more than a float
        return "1,000,000 TB or more"
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 999.5:
            return f"{count:,.0f} {unit}" if count >= 10 or unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:,.1f} TB"
