"""The tables of docs/certificates.md, which `make certify` makes: the speed of each checker."""

import gzip
import json
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tests.benchmarks.measured import Bench, bytes_in_words, table, taken, time_in_words

CHECKERS = Path(__file__).parents[2] / "exporters" / "checkers"

GAMES = (
    "tictactoe",
    "mnk rows=4 columns=3 k=3",
    "connect rows=4 columns=4",
    "connect rows=4 columns=5",
    "connect rows=5 columns=5",
    "dots-and-boxes rows=2 columns=2",
    "hexapawn",
    "hexapawn rows=4 columns=4",
    "domineering rows=4 columns=4",
    "ponghauki",
    "morris variant=achi",
    "quixo rows=3 columns=3 k=3",
    "quixo rows=3 columns=4 k=3",
)

LARGE = (
    "chess-ending pieces=KRK",
    "quixo rows=4 columns=4 k=4 --fold",
    "chess-ending pieces=KQKR --fold",
    "dobutsu --fold --memory 8G",
)

STRONG = (
    "connect rows=4 columns=5",
    "connect rows=5 columns=5",
    "dots-and-boxes rows=2 columns=3",
    "quixo rows=3 columns=4 k=3",
    "morris variant=achi",
)


COLUMNS = (
    *("game ", "value", "states of the game", "in both certificates", "bytes"),
    *("checked in C", "in Python", "in JavaScript", "by the solver"),
)


@table("", hours=True, columns=COLUMNS)
def certificates(bench: Bench) -> Iterator[Sequence[str]]:
    """Certificates of values, and the CPU time in which each program checks both sides."""
    yield from _certified(bench, GAMES if not bench.small else GAMES[:1])


@table("", hours=True, columns=COLUMNS)
def large_certificates(bench: Bench) -> Iterator[Sequence[str]]:
    """Certificates of larger games, which take minutes to hours to solve and certify."""
    yield from _certified(bench, LARGE if not bench.small else GAMES[:1])


def _certified(bench: Bench, games: Iterable[str]) -> Iterator[Sequence[str]]:
    for game in games:
        name, program = bench.folder / "certified", bench.folder / "check"
        facts = json.loads(bench.run("certify", bench.solved(game), "-o", name, "--json").output)
        made, rules = facts["certificates"], f"{name}.rules"
        taken(["cc", "-O2", "-include", f"{rules}.h", str(CHECKERS / "check.c"), "-o", str(program)])
        seconds = [0.0] * 4
        for certificate in made:
            commands = (
                ["sh", "-c", f"zcat {shlex.quote(certificate['file'])} | {program}"],
                [sys.executable, str(CHECKERS / "check.py"), f"{rules}.py", certificate["file"]],
                ["node", str(CHECKERS / "check.js"), f"{rules}.js", certificate["file"]],
                [bench.program, "verify", certificate["file"]],
            )
            for nth, command in enumerate(commands):
                seconds[nth] += taken(command).cpu
        yield (
            f"`{game}`",
            f"{facts['value']:+d}" if facts["value"] else "0",
            f"{bench.facts(game)['states']:,}",
            ", ".join(f"{certificate['states']:,}" for certificate in made),
            f"{sum(certificate['bytes'] for certificate in made):,}",
            *map(time_in_words, seconds),
        )


@table(
    "",
    hours=True,
    columns=("game ", "states", "bytes", "written", "checked in C", "states a second", "memory"),
)
def strong_solutions(bench: Bench) -> Iterator[Sequence[str]]:
    """Strong solutions: the CPU time to write them, and to check them unpacked; the least of three."""
    for game in STRONG if not bench.small else GAMES[:1]:
        name, program, raw = bench.folder / "solution", bench.folder / "strong", bench.folder / "records"
        written = bench.run("certify", bench.solved(game), "--strong", "-o", name, "--json")
        facts = json.loads(written.output)
        taken(["cc", "-O2", "-include", f"{name}.rules.h", str(CHECKERS / "strong.c"), "-o", str(program)])
        raw.write_bytes(gzip.decompress(Path(facts["strong"]).read_bytes()))
        check = ["sh", "-c", f"{program} < {shlex.quote(str(raw))}"]
        took = min((taken(check) for _ in range(3)), key=lambda run: run.cpu)
        yield (
            f"`{game}`",
            f"{facts['states']:,}",
            f"{facts['bytes']:,}",
            time_in_words(written.cpu),
            time_in_words(took.cpu),
            f"{facts['states'] / took.cpu / 1e6:.1f} M",
            bytes_in_words(took.peak),
        )


@table(
    "",
    hours=True,
    columns=("game ", "value", "states in both certificates", "bytes of the file", "coqc", "memory"),
)
def proved_values(bench: Bench) -> Iterator[Sequence[str]]:
    """Values that Coq proves: the CPU time of coqc, the theory included, and its memory."""
    for game in GAMES if not bench.small else GAMES[:1]:
        proof = bench.folder / "proof.v"
        written = bench.run("certify", bench.solved(game), "--checker", "coq", "-o", proof, "--json")
        facts = json.loads(written.output)
        took = taken(["coqc", str(proof)])
        assert took.output == "Closed under the global context\n"
        yield (
            f"`{game}`",
            f"{facts['value']:+d}" if facts["value"] else "0",
            ", ".join(f"{count:,}" for count in facts["states"]),
            f"{proof.stat().st_size:,}",
            f"{took.cpu:.1f} s",
            bytes_in_words(took.peak),
        )
