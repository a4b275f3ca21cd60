"""The pages of the documentation, and a reader who does what one of them says, from its top to its end."""

import configparser
import contextlib
import io
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from sqlite_utils.cli import cli as sqlite_utils

import solver
from solver.cli import main
from solver.system.plugins import installed_entries

ROOT = Path(solver.__file__).parents[1]
PAGES = (
    "README.md",
    *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")),
)

VARYING = re.compile(r"\d+\.\d\d s$| \d+\.\d{3}$|[\d,]+ bytes(, [\d.]+ each)?$", re.MULTILINE)
"""At the end of a line how long something took, which no two runs agree on, or the size of a file, on which
versions of SQLite and zstd need not.
"""

PLAIN = re.compile(
    r"(perfectplay|sqlite-utils) ([^|;&<>]*)"
    r"(?:> ([\w.-]+)|\| (head|tail) -(\d+)|(; echo \"exit code \$\?\"))?"
)
"""A command that needs no shell: its output kept, put into a file or cut, or its status printed."""

PROGRAMS = {"perfectplay": main, "sqlite-utils": sqlite_utils}


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    text: str

    @property
    def file(self) -> str | None:
        """The name of the file that the block shows: its first line is a comment that says it."""
        named = re.match(r"# ([\w.-]+\.(?:py|toml))\n", self.text)
        return named[1] if named else None


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def blocks(page: str) -> list[Block]:
    found = re.findall(r"^```(\w+)\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)
    return [Block(*each) for each in found]


def prose(page: str) -> str:
    """The page without its fenced blocks."""
    return re.sub(r"^```\w*\n.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)


@dataclass
class Reader:
    """Somebody with an empty folder, who types what is shown there and compares what comes back."""

    folder: Path
    patch: pytest.MonkeyPatch

    def read(self, page: str) -> Iterator[tuple[str, str]]:
        """Do what each block says, and tell what the page shows and what came back instead."""
        for block in blocks(page):
            if block.file:
                (self.folder / block.file).write_text(block.text, "utf-8")
            if block.file == "pyproject.toml":
                self.install()
            elif block.language == "console":
                yield VARYING.sub("(varies)", block.text), VARYING.sub("(varies)", self.type_in(block.text))
            elif block.language == "python" and not block.file:
                shown = re.findall(r"print\(.*\)  # (.*)$", block.text, re.MULTILINE)
                yield "\n".join(shown), self.compute(block.text)
            elif block.language == "sql":
                file, *rows = re.findall(r"^-- (.*)$", block.text, re.MULTILINE)
                yield "\n".join(rows), self.ask(file, block.text)

    def type_in(self, transcript: str) -> str:
        """The transcript with what the commands in it print now."""
        commands = re.findall(r"^\$ (.*)$", transcript, re.MULTILINE)
        return "".join(f"$ {command}\n{self.run(command)}" for command in commands)

    def run(self, command: str) -> str:
        """What a command prints, on standard output and standard error; what needs no shell runs in here."""
        if plain := PLAIN.fullmatch(command):
            return self._run_here(*plain.groups())
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            command,
            shell=True,
            cwd=self.folder,
            env={**os.environ, "PATH": path},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        ).stdout

    def _run_here(
        self, program: str, words: str, file: str | None, end: str | None, lines: str | None, coda: str | None
    ) -> str:
        self.patch.chdir(self.folder)
        result = CliRunner().invoke(PROGRAMS[program], shlex.split(words), prog_name=program)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        if file:
            (self.folder / file).write_bytes(result.stdout_bytes)
            return result.stderr
        shown = result.output.splitlines(keepends=True)
        shown += [f"exit code {result.exit_code}\n"] if coda else []
        count = int(lines or len(shown))
        return "".join(shown[:count] if end != "tail" else shown[-count:])

    def compute(self, program: str) -> str:
        """What a Python program prints, which shows it in comments behind."""
        printed = io.StringIO()
        self.patch.chdir(self.folder)
        with contextlib.redirect_stdout(printed):
            exec(compile(program, "<page>", "exec"), {"__name__": "page"})
        return printed.getvalue().rstrip("\n")

    def ask(self, file: str, query: str) -> str:
        """The rows that a query finds; the page shows them in comments at its end."""
        with contextlib.closing(sqlite3.connect(self.folder / file)) as connection:
            return "\n".join(" | ".join(map(str, row)) for row in connection.execute(query))

    def install(self) -> None:
        """Make the folder a place of installed packages, as `pip install` of its pyproject.toml would."""
        project = tomllib.loads((self.folder / "pyproject.toml").read_text("utf-8"))["project"]
        about = self.folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        about.mkdir()
        lines = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (about / "METADATA").write_text(lines)
        points = configparser.ConfigParser()
        points.optionxform = str  # type: ignore[assignment,method-assign]
        points.read_dict(project["entry-points"])
        with (about / "entry_points.txt").open("w") as file:
            points.write(file)
        self.patch.syspath_prepend(self.folder)
        installed_entries.cache_clear()
