import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

PROGRAM = Path(sys.executable).with_name("perfectplay")


def run(*arguments: object, **options: Any) -> "subprocess.CompletedProcess[str]":
    """What the installed program does with `arguments`, in a process of its own."""
    return subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=60, **options
    )


class Finished(NamedTuple):
    """A command that has come to its end."""

    status: int
    stdout: str
    stderr: str
    memory: int
    """The most that its process had held until then, in kB."""


ONE_BY_ONE = """
import json, resource, sys
from click.testing import CliRunner
from solver.cli import main
for command in json.loads(sys.argv[1]):
    found = CliRunner().invoke(main, command, catch_exceptions=False)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps([found.exit_code, found.stdout, found.stderr, memory]))
"""


def run_one_by_one(*commands: Sequence[str], **options: Any) -> list[Finished]:
    """What the program does with several commands, in one process, which starts only once."""
    # A process that this one starts is said to have held what this one holds; not so the next one.
    shell = ["/bin/sh", "-c", '"$@"; exit $?', "sh"]
    done = subprocess.run(
        [*shell, sys.executable, "-c", ONE_BY_ONE, json.dumps(commands)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **options,
    )
    assert done.returncode == 0, done.stderr
    return [Finished(*json.loads(line)) for line in done.stdout.splitlines()]


def under_hash_seeds(program: str, *arguments: object) -> set[str]:
    """What a Python program prints, in processes that order sets and hashes differently."""
    return {
        subprocess.run(
            [sys.executable, "-c", program, *map(str, arguments)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }
