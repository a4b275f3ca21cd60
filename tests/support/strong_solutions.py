"""Altered strong solutions, and the program in C that checks strong solutions."""

import gzip
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from solver.analysis.certificates.certificate import Head
from solver.analysis.certificates.strong import TITLE, Records, body_of
from tests.support.certificates import CHECKERS

Labels = Mapping[Any, tuple[int, int | None]]
"""The value and the remoteness of each state, which is an integer or a text."""


def labels_of(records: Records) -> dict[Any, tuple[int, int | None]]:
    """The labels in a file."""
    rows = zip(*(column.tolist() for column in records), strict=True)
    return {state: (value, None if plies < 0 else plies) for state, value, plies in rows}


def records_of(labels: Labels) -> Records:
    """The records of labels, in ascending order."""
    states = sorted(labels)
    rows = [(value, -1 if plies is None else plies) for value, plies in (labels[state] for state in states)]
    return Records(np.array(states, np.str_), *np.array(rows, np.int64).reshape(-1, 2).T)


def as_file(head: Head, records: Records) -> bytes:
    """The file of a strong solution."""
    head = head._replace(numbers={**head.numbers, "count": len(records.states)})
    return gzip.compress(head.as_bytes(TITLE) + body_of(records))


@cache
def compiled_checker(rules: Path) -> Path:
    """strong.c, compiled with printed rules, beside them."""
    program = rules.with_suffix(".strong_check")
    words = f"cc -O1 -std=c11 -Wall -Wextra -Werror -include {rules} {CHECKERS}/strong.c -o {program}"
    subprocess.run(words.split(), check=True)
    return program


def spoilt_solutions(records: Records, random: Random, number: int) -> Iterator[Records]:
    """`number` copies of the records, each without one state, or with another value or other plies."""
    for _ in range(number):
        place = random.randrange(len(records.states))
        values, plies = records.values.copy(), records.remoteness.copy()
        change = random.choice(["state", "value", "plies"])
        if change == "state" and len(records.states) > 1:
            yield records.part(np.arange(len(records.states)) != place)
        elif change == "value":
            values[place] += random.choice([-1, 1])
            yield records._replace(values=values)
        else:
            plies[place] = random.choice([n for n in range(-1, plies.max() + 2) if n != plies[place]])
            yield records._replace(remoteness=plies)
