"""Solves every family and prints the table of docs/games.md: `python tests/benchmarks/games_table.py`."""

import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

import solver

GAMES = [
    "tictactoe",
    "tictactoe misere=true",
    "mnk rows=4 columns=3 k=3",
    "connect",
    "hexapawn",
    "hexapawn rows=4 columns=4",
    "nim heaps=3,4,5",
    "nim heaps=1,3,5,7",
    "subtraction",
    "kayles",
    "chomp rows=3 columns=4",
    "domineering rows=4 columns=4",
    "morris",
    "morris variant=tsoro-yematatu",
    "ponghauki",
    "lgame",
    "dots-and-boxes rows=2 columns=2",
    "othello",
    "quixo rows=3 columns=3 k=3",
    "teeko rows=3 columns=4",
    "chess-ending pieces=KQK",
]
"""The games of the table, as `solve` takes them."""

HEADING = """\
| game | parameters | states | value | remoteness | seconds | published by |
| --- | --- | ---: | ---: | ---: | ---: | --- |"""


def main() -> None:
    """Print the table."""
    print(HEADING)
    tables = tomllib.loads((Path(__file__).parents[2] / "data" / "catalogue.toml").read_text("utf-8"))
    sources = {table["game"]: table["source"] for table in tables["solve"]}
    for typed in GAMES:
        name, _, parameters = typed.partition(" ")
        game = solver.load_game(name, dict(pair.split("=", 1) for pair in parameters.split()))
        with TemporaryDirectory() as folder:
            found = solver.solve(game, Path(folder) / "solved.db")
        value = f"{found.value:+d}" if found.value else "0"
        remoteness = "" if found.remoteness is None else found.remoteness
        print(
            f"| {name} | {parameters} | {found.states:,} | {value} | {remoteness} "
            f"| {found.seconds:.1f} | {sources.get(typed, '')} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
