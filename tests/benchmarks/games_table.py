"""Solves every family and prints the table of docs/games.md: `python tests/benchmarks/games_table.py`."""

from pathlib import Path
from tempfile import TemporaryDirectory

import solver

GAMES = [
    ("tictactoe", "", "OEIS A008907"),
    ("tictactoe", "misere=true", "counted by two independent programs"),
    ("mnk", "rows=4 columns=3 k=3", "counted by two independent programs"),
    ("connect", "rows=4 columns=4 k=4", "J. Tromp, tables of positions and of values"),
    ("hexapawn", "rows=3 columns=3", "M. Gardner, Scientific American, March 1962"),
    ("hexapawn", "rows=4 columns=4", "counted by two independent programs"),
    ("nim", "heaps=3,4,5", "C. L. Bouton, Annals of Mathematics 3, 1901"),
    ("nim", "heaps=1,3,5,7", "C. L. Bouton, Annals of Mathematics 3, 1901"),
    ("subtraction", "", ""),
    ("kayles", "", "OEIS A002186"),
    ("chomp", "rows=3 columns=4", "counted by two independent programs"),
    ("domineering", "rows=4 columns=4", "D. Bullock, as Wikipedia has it"),
    ("morris", "variant=tapatan", "Wikipedia, Three men's morris: its value and first move"),
    ("morris", "variant=tsoro-yematatu", "counted by two independent programs"),
    ("ponghauki", "", "counted by two independent programs"),
    ("lgame", "", "Wikipedia, L game: its value; 18,368 for either side to move"),
    ("dots-and-boxes", "rows=2 columns=2", "counted by two independent programs"),
    ("othello", "rows=4 columns=4", "counted by two independent programs"),
    ("quixo", "rows=3 columns=3 k=3", "counted by two independent programs"),
    ("teeko", "rows=3 columns=4", "counted by two independent programs"),
    ("chess-ending", "pieces=KQK", "Wikipedia, Pawnless chess endgame: at most ten moves"),
]
"""Game, parameters, and who published its value or its number of states."""

HEADING = """\
| game | parameters | states | value | remoteness | seconds | published by |
| --- | --- | ---: | ---: | ---: | ---: | --- |"""


def main() -> None:
    """Print the table."""
    print(HEADING)
    for name, parameters, source in GAMES:
        game = solver.load_game(name, dict(pair.split("=", 1) for pair in parameters.split()))
        with TemporaryDirectory() as folder:
            found = solver.solve(game, Path(folder) / "solved.db")
        value = f"{found.value:+d}" if found.value else "0"
        remoteness = "" if found.remoteness is None else found.remoteness
        print(
            f"| {name} | {parameters} | {found.states:,} | {value} | {remoteness} "
            f"| {found.seconds:.1f} | {source} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
