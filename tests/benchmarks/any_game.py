"""What games take by arrays, beside their rules alone: `python -m tests.benchmarks.any_game ["GAME ..."]`.

Each game is solved from the command line to the closed readable file, in a process of its own. In another one
its rules alone are asked for every state and move, with a set and a stack, and for every position. What comes
out is a Markdown table. `--engine` measures another engine.

Then it is solved on one processor, by one process: memory beyond the states is the peak of that, less that of
a solve of 5,478 states and the size of the state objects.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from solver.commands.arguments import Assignment, as_parameters
from solver.rules.loading import load_game
from tests.benchmarks.measured import PROGRAM, Failed, bytes_in_words, setting, table, taken

GAMES = [
    "mnk rows=4 columns=3 k=3",
    "lgame",
    "chess-ending pieces=KRK",
    "othello rows=4 columns=4",
    f"{Path(__file__).with_name('race.py')}:Race",
]

ONE_PROCESSOR = ("taskset", "--cpu-list", "0")
"""A command that lets another one have one processor."""

COLUMNS = (
    "game ",
    "states",
    "moves",
    "seconds",
    "CPU seconds",
    "states/s",
    "rules alone, CPU seconds",
    "CPU / rules",
    "peak memory",
    "one processor, seconds",
    "peak memory",
    "beyond states, bytes a state",
    "150 and 10 a move",
    "file, bytes a state",
)


def rules_alone(words: list[str]) -> dict[str, float]:
    """Ask the rules for every state, move and position. Returns seconds of processor, and bytes of states."""
    name, *given = words
    game = load_game(name, as_parameters(tuple(Assignment().convert(each, None, None) for each in given)))
    began = time.process_time()
    seen = set(game.initial_states())
    stack = list(seen)
    while stack:
        state = stack.pop()
        game.to_move(state)
        actions = game.actions(state)
        if not actions:
            game.utility(state)
        for action in actions:
            child = game.result(state, action)
            if child not in seen:
                seen.add(child)
                stack.append(child)
    for state in seen:
        game.position(state)
    return {"seconds": time.process_time() - began, "bytes": sum(map(size_of, seen))}


def size_of(state: Any) -> int:
    """The bytes of a state and its parts; Python keeps small integers once."""
    if isinstance(state, int) and -5 <= state <= 256:
        return 0
    return sys.getsizeof(state) + (sum(map(size_of, state)) if isinstance(state, tuple) else 0)


def row(game: str, engine: str, folder: Path, least: int) -> list[str]:
    """Solve a game and ask its rules alone, and say what that took."""
    path, words = folder / "game.db", game.split()
    options = ["-o", str(path), "--force", "--layout", "readable", "--engine", engine]
    command = [PROGRAM, "solve", *words, *options]
    solved, one = taken(command), taken([*ONE_PROCESSOR, *command])
    found = json.loads(taken([PROGRAM, "stats", str(path), "--json"]).output)
    alone = json.loads(taken([sys.executable, "-m", "tests.benchmarks.any_game", "--rules", game]).output)
    states, moves = found["states"], found["moves"]
    return [
        words[0].rpartition("/")[2] + "".join(f" {word}" for word in words[1:]),
        f"{states:,}",
        f"{moves:,}",
        f"{solved.seconds:.1f}",
        f"{solved.cpu:.1f}",
        f"{states / solved.seconds:,.0f}",
        f"{alone['seconds']:.1f}",
        f"{solved.cpu / alone['seconds']:.1f}",
        bytes_in_words(solved.peak),
        f"{one.seconds:.1f}",
        bytes_in_words(one.peak),
        f"{(one.peak - least - alone['bytes']) / states:,.0f}",
        f"{150 + 10 * moves / states:,.0f}",
        f"{path.stat().st_size / states:,.0f}",
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar='"GAME PARAM=VALUE ..."')
    parser.add_argument("--engine", default="arrays")
    parser.add_argument("--rules", metavar="GAME", help="only ask the rules of this game")
    arguments = parser.parse_args()
    if arguments.rules:
        print(json.dumps(rules_alone(arguments.rules.split())))
        return
    rows = []
    with TemporaryDirectory() as scratch:
        small = ["solve", "tictactoe", "--engine", arguments.engine, "-o", f"{scratch}/small.db"]
        least = taken([*ONE_PROCESSOR, PROGRAM, *small]).peak
        for game in arguments.games or GAMES:
            try:
                rows.append(row(game, arguments.engine, Path(scratch), least))
            except Failed as failure:
                rows.append([game, str(failure)])
    print(setting(), table(COLUMNS, rows), sep="\n\n")


if __name__ == "__main__":
    main()
