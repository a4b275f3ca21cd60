"""How long it takes to find puzzles in a packed file: `python -m tests.benchmarks.puzzles [FILE]`.

Without a file connect 5x5 is solved for it, 69,763,700 states. Each command is a process of its own. Prints a
Markdown table.
"""

from tests.benchmarks.measured import bytes_in_words, file_to_measure, setting, table, taken

WANTED = (
    (),
    ("--plies", "3..9"),
    ("--plies", "3..5", "--for", "second"),
    ("--outcome", "draw", "-n", "1000"),
)
"""The options of each command."""


def main() -> None:
    """Print the table."""
    with file_to_measure(__doc__) as (path, program, _):
        rows = []
        for options in WANTED:
            found = taken([program, "puzzles", str(path), *options])
            name = " ".join(["`perfectplay puzzles FILE", *options]) + "`"
            rows.append([name, f"{found.seconds:.1f}", f"{found.cpu:.1f}", bytes_in_words(found.peak)])
    print(setting(), table(("puzzles ", "seconds", "CPU seconds", "peak memory"), rows), sep="\n\n")


if __name__ == "__main__":
    main()
