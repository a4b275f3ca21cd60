import json
import os
import resource
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir, contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple, TypeVar

import click
import psutil
import pytest
from click.testing import CliRunner, Result

from solver.cli import main
from solver.commands.batch import run as batch_run
from solver.errors import SolverError

PROGRAM = Path(sys.executable).with_name("perfectplay")
WARM = Path(__file__).with_name("warm_program.py")


def start(*arguments: object, **options: Any) -> "subprocess.CompletedProcess[str]":
    """The result of the installed program with `arguments`, started as a user starts it."""
    return subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=60, **options
    )


@cache
def _warm() -> "tuple[socket.socket, subprocess.Popen[bytes]]":
    """A process that has imported the program and ends with this one, and the socket that it reads."""
    here, there = socket.socketpair()
    with there:
        command = [sys.executable, "-P", str(WARM), str(there.fileno())]
        return here, subprocess.Popen(command, pass_fds=[there.fileno()], stdin=subprocess.DEVNULL)


def children_of(module: str) -> list[psutil.Process]:
    """The running child processes of this one that run a module of workers."""
    seen = []
    for child in psutil.Process().children():
        with suppress(psutil.Error):  # a process of another test that has ended
            if module in child.cmdline():
                seen.append(child)
    return seen


MAIN = "from solver.cli import main; main(prog_name='perfectplay')"


def run(
    *arguments: object,
    cwd: Path | str = ".",
    env: Mapping[str, str] = os.environ,
    input: str = "",
    program: str = MAIN,
) -> "subprocess.CompletedProcess[str]":
    """The result of the program with `arguments` in its own process, forked from one that has imported it."""
    requests, _ = _warm()
    words = [*map(str, arguments)]
    stdout, to_stdout = os.pipe()
    stderr, to_stderr = os.pipe()
    with TemporaryFile() as stdin:
        stdin.write(input.encode())
        stdin.seek(0)
        request = json.dumps([program, words, os.path.abspath(cwd), dict(env)]).encode()
        socket.send_fds(requests, [request], [stdin.fileno(), to_stdout, to_stderr])
    os.close(to_stdout)
    os.close(to_stderr)
    with open(stdout) as output, open(stderr) as errors, ThreadPoolExecutor(1) as reader:
        error = reader.submit(errors.read)
        printed = output.read(), error.result()
    return subprocess.CompletedProcess(words, int(requests.recv(100)), *printed)


def call(*arguments: object, cwd: Path | str = ".", input: str | None = None) -> Result:
    """The result of the program with `arguments` in this process."""
    with chdir(cwd):
        return CliRunner().invoke(main, [*map(str, arguments)], input=input)


def command_named(name: str) -> click.Command:
    command = main.get_command(click.Context(main), name)
    assert command is not None, name
    return command


def said_of(command: str, path: Path, input: str | None = None) -> tuple[int, str]:
    """The exit status and the output of a command; in command and output, `FILE` stands for the path."""
    result = call(*(str(path) if word == "FILE" else word for word in shlex.split(command)), input=input)
    return result.exit_code, result.output.replace(str(path), "FILE")


def python(code: str, *arguments: object, check: bool = True, **options: Any) -> Any:
    """The result of a program in a fresh Python process, in which nothing is imported yet."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=check, timeout=600, **options)


def permitted(*words: object) -> Any:
    """The result of the program where permissions of files count, even for the superuser.

    It gives up CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH (prctl PR_CAPBSET_DROP, then exec).
    """
    drop = (
        "import ctypes, os, sys\n"
        "for right in (1, 2): ctypes.CDLL(None).prctl(24, right, 0, 0, 0)\n"
        "os.execv(sys.argv[1], sys.argv[1:])\n"
    )
    return python(drop, sys.executable, PROGRAM, *words, check=False)


def status_of(done: "Result | subprocess.CompletedProcess[str]") -> int:
    return done.exit_code if isinstance(done, Result) else done.returncode


Ended = TypeVar("Ended", Result, "subprocess.CompletedProcess[str]")


def succeeded(done: Ended) -> Ended:
    """The result of a command, which has ended with status 0."""
    assert status_of(done) == 0, (done, done.stdout, done.stderr)
    return done


def silent(done: Ended) -> Ended:
    """The result of a command, which has ended with status 0 and said nothing on stderr."""
    assert succeeded(done).stderr == ""
    return done


def refused(status: int, done: "Result | subprocess.CompletedProcess[str]") -> str:
    """The one line on stderr with which the program has refused."""
    assert status_of(done) == status, (done, done.stdout, done.stderr)
    assert (done.stdout, done.stderr.count("\n")) == ("", 1), done
    assert done.stderr.startswith("Error: ")
    return done.stderr


def refusal(status: int, *arguments: object, **options: Any) -> str:
    """The one line on stderr with which the program refuses in this process."""
    result = call(*arguments, **options)
    assert isinstance(result.exception, SystemExit), (result.output, result.exception)
    return refused(status, result)


def programs_here(patch: pytest.MonkeyPatch) -> list[str]:
    """Make `batch` and `sweep` run their programs in this process, to save time; return a list of these."""
    commands = list[str]()

    def run_here(words: Sequence[str], folder: Path, progress: object) -> batch_run.Finished:
        commands.append(shlex.join([words[0], *words[2 if words[0] != "solve" else 1 :]]))
        result = call(*words, cwd=folder)
        if result.exit_code:
            raise SolverError(result.output.strip().splitlines()[-1])
        return batch_run.Finished(result.output.strip(), 0.0, None)

    patch.setattr(batch_run, "run_program", run_here)
    return commands


class Finished(NamedTuple):
    """A command that has ended."""

    status: int
    stdout: str
    stderr: str
    memory: int
    """The peak memory of its process until then, in kB."""


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
    """The results of several commands, run one by one in a single process."""
    # The peak memory of a child process includes the memory of this one; that of a grandchild does not.
    shell = ["/bin/sh", "-c", '"$@"; exit $?', "sh"]
    words = [*shell, sys.executable, "-c", ONE_BY_ONE, json.dumps(commands)]
    done = subprocess.run(words, input="", capture_output=True, text=True, timeout=60, check=False, **options)
    assert done.returncode == 0, done.stderr
    return [Finished(*json.loads(line)) for line in done.stdout.splitlines()]


def under_hash_seeds(program: str, *arguments: object) -> set[str]:
    """The different outputs of a Python program under several hash seeds, which order sets differently."""
    environments = [os.environ | {"PYTHONHASHSEED": seed} for seed in ("0", "1", "12345")]
    return {python(program, *arguments, env=environment).stdout for environment in environments}


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Let no file get more bytes than these."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
