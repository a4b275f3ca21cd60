"""Certificates that are spoilt, and the programs that check them, which share nothing with the solver."""

import runpy
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from solver.analysis.certificates.certificate import Certificate
from solver.game import AnyGame

CHECKERS = Path(__file__).parents[2] / "exporters" / "checkers"


def spoilt_certificates(made: Certificate, states: Sequence[Any], random: Random) -> Iterator[Certificate]:
    """The certificate without each of some states, with one more, and with other ranks."""
    for nth in random.sample(range(len(made.states)), min(2, len(made.states))):
        ranks = made.ranks and [*made.ranks[:nth], *made.ranks[nth + 1 :]]
        yield replace(made, states=[*made.states[:nth], *made.states[nth + 1 :]], ranks=ranks)
        if made.ranks is not None:
            other = made.ranks[nth] + random.choice([-1, 1])
            yield replace(made, ranks=[*made.ranks[:nth], max(0, other), *made.ranks[nth + 1 :]])
    more = random.choice(states)
    if more not in made.states:
        pairs = sorted([*zip(made.states, made.ranks or [0] * len(made.states), strict=True), (more, 0)])
        ranks = None if made.ranks is None else [rank for _, rank in pairs]
        yield replace(made, states=[state for state, _ in pairs], ranks=ranks)


def refused_by_program(made: Certificate, game: AnyGame) -> bool:
    """Whether check.py, which is asked in this process, refuses a certificate by these rules."""
    printed = {name: getattr(game, name) for name in RULES}
    printed["SYMMETRIES"] = [each.state for each in game.symmetries()]
    with TemporaryDirectory() as folder:
        path = Path(folder, "some.first")
        path.write_bytes(made.as_bytes())
        with patch.object(sys, "argv", ["check.py", "rules", str(path)]):
            try:
                with patch.object(runpy, "run_path", lambda _: printed):
                    exec(compile((CHECKERS / "check.py").read_text(), "check.py", "exec"), {})
            except SystemExit:
                return True
    return False


RULES = ("is_terminal", "to_move", "utility", "actions", "result", "parse")


def compiled_checker(rules: Path, folder: Path) -> Path:
    """check.c, compiled with printed rules."""
    program = folder / f"{rules.stem}.check"
    words = f"cc -O1 -std=c11 -Wall -Wextra -Werror -include {rules} {CHECKERS}/check.c -o {program}"
    subprocess.run(words.split(), check=True)
    return program


def statuses(name: Path, side: str, program: Path) -> list[int]:
    """The exit statuses of the programs in C, Python and JavaScript for a certificate."""
    certificate = f"{name}.{side}"
    unpacked = subprocess.run(["zcat", certificate], check=True, capture_output=True).stdout
    commands = (
        [str(program)],
        [sys.executable, f"{CHECKERS}/check.py", f"{name}.rules.py", certificate],
        ["node", f"{CHECKERS}/check.js", f"{name}.rules.js", certificate],
    )
    done = [subprocess.run(words, input=unpacked, capture_output=True, check=False) for words in commands]
    return [each.returncode for each in done]
