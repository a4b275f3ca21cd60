"""Trials of OpenSpiel games in a process of their own, before they are made and played in this one.

OpenSpiel's games check few of their parameters: a board without rows, or one too large, aborts the process in
the middle of a game. Errors that do not abort it occur again in this process, and are reported there.
"""

import os
import subprocess
import sys
from contextlib import suppress
from functools import cache
from random import Random
from time import monotonic

from solver.errors import BadParameter, shown

MOST_ACTIONS = 1_000_000
"""Actions of the largest board that is tried: larger ones fill the memory."""

MOST_PLIES, MOST_SECONDS = 2_000, 1.0
"""The length of random play, game after game: in plies, and on larger boards in seconds."""

MEMORY = 2_000_000_000
"""Bytes of memory that the process may take; OpenSpiel's largest games take a tenth."""

SECONDS = 10
"""Seconds after which a slow trial is given up."""

OUT_OF_MEMORY = 3
"""The exit status of a process that ran out of memory."""


@cache
def refuse_deadly(name: str) -> None:
    """Raise `BadParameter` for a game of OpenSpiel that ends the process which makes it or plays it."""
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    try:
        ended = subprocess.run(
            [sys.executable, "-P", "-m", __name__],
            input=name.encode(errors="surrogatepass"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
            timeout=SECONDS,
            check=False,
        ).returncode
    except subprocess.TimeoutExpired:
        raise BadParameter(f"OpenSpiel does not make {shown(name)} within {SECONDS} seconds") from None
    if ended == OUT_OF_MEMORY:
        raise BadParameter(f"OpenSpiel does not make {shown(name)} with {MEMORY:,} bytes of memory")
    if ended:
        raise BadParameter(
            f"OpenSpiel cannot make or play {shown(name)}: it ended the process (status {ended})"
        )


def _try(name: str) -> None:
    """Make a game and play it at random; exceptions of OpenSpiel are ignored."""
    import pyspiel

    with suppress(pyspiel.SpielError):
        game, random = pyspiel.load_game(name), Random(0)
        if game.num_distinct_actions() > MOST_ACTIONS:
            return
        state, end = game.new_initial_state(), monotonic() + MOST_SECONDS
        for _ in range(MOST_PLIES):
            str(state), state.returns(), state.full_history()
            if state.is_terminal():
                state = game.new_initial_state()
                continue
            action = random.choice(state.legal_actions())
            state.action_to_string(state.current_player(), action)
            state = state.child(action)
            if monotonic() > end:
                break


def _limit_memory() -> None:
    with suppress(ImportError, ValueError, OSError):  # not on every system
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    _limit_memory()
    try:
        _try(sys.stdin.buffer.read().decode(errors="surrogatepass"))
    except MemoryError:
        sys.exit(OUT_OF_MEMORY)
    except Exception:
        sys.exit(0)
