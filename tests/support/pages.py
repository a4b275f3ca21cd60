"""The pages of the documentation, and a reader who does what a page says, from top to bottom."""

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
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from sqlite_utils.cli import cli as sqlite_utils

import solver
from solver.cli import main
from solver.system.plugins import installed_entries

ROOT = Path(solver.__file__).parents[1]
PAGES = ("README.md", *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")))

VARYING = re.compile(r"\d+\.\d\d s$| \d+\.\d{3}$|[\d,]+ bytes(, [\d.]+ each)?$", re.MULTILINE)
"""The ends of lines that vary: times, which differ between runs, and file sizes, which depend on the versions
of SQLite and zstd.
"""

TYPED = re.compile(
    r"(?:printf '([^']*)' \| )?(perfectplay|sqlite-utils) ([^|;&<>]*?)"
    r"(?: > ([\w.-]+)| (2> /dev/null)| \| (.+)|(; echo \"exit code \$\?\"))?"
)
"""A command that runs in this process: its input, program and words, and the file for its output."""

PROGRAMS = {"perfectplay": main, "sqlite-utils": sqlite_utils}

DONE: dict[tuple[Any, ...], tuple[str, dict[str, bytes]]] = {}
"""What each command printed and the files that it wrote, by its words and the files that it names."""


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    text: str

    @property
    def file(self) -> str | None:
        """The name of the file that the block shows, from the comment in its first line."""
        named = re.match(r"# ([\w.-]+\.(?:py|toml))\n", self.text)
        return named[1] if named else None


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def blocks(page: str) -> list[Block]:
    actual = re.findall(r"^```(\w+)\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)
    return [Block(*item) for item in actual]


def prose(page: str) -> str:
    """The page without its fenced blocks."""
    return re.sub(r"^```\w*\n.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)


@dataclass
class Reader:
    """A reader with an empty folder, who types what a page shows and compares the results."""

    folder: Path
    patch: pytest.MonkeyPatch

    def read(self, page: str) -> Iterator[tuple[str, str]]:
        """Do what each block says; yield what the page shows and what the result is."""
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
        """The transcript with what its commands print now."""
        commands = re.findall(r"^\$ (.*)$", transcript, re.MULTILINE)
        return "".join(f"$ {command}\n{self.run(command)}" for command in commands)

    def run(self, command: str) -> str:
        """What a command prints to standard output and standard error.

        If another page has run it on the same files, its output and files are reused.
        """
        named = {path: path.read_bytes() for path in self._files() if path.stem in command}
        key = command, *sorted((path.name, data) for path, data in named.items())
        if key not in DONE:
            before = self._files()
            printed = self._printed_by(command)
            made = [path for path, when in self._files().items() if before.get(path) != when]
            DONE[key] = printed, {path.name: path.read_bytes() for path in made}
        printed, written = DONE[key]
        for name, data in written.items():
            (self.folder / name).write_bytes(data)
        return printed

    def _files(self) -> dict[Path, int]:
        """The files in the folder, and their modification times."""
        return {path: path.stat().st_mtime_ns for path in self.folder.iterdir() if path.is_file()}

    def _printed_by(self, command: str) -> str:
        """Run a command, in this process if it is one of the program."""
        if not (typed := TYPED.fullmatch(command)):
            return self._shell(command)
        read, program, words, file, is_silent, pipe, is_asked = typed.groups()
        self.patch.chdir(self.folder)
        input = (read or "").encode().decode("unicode_escape")
        result = CliRunner().invoke(PROGRAMS[program], shlex.split(words), prog_name=program, input=input)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        if file:
            (self.folder / file).write_bytes(result.stdout_bytes)
            return result.stderr
        if pipe:
            return result.stderr + self._shell(pipe, result.stdout)
        if is_silent:
            return result.stdout
        return result.output + (f"exit code {result.exit_code}\n" if is_asked else "")

    def _shell(self, command: str, input: str = "") -> str:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            command,
            shell=True,
            cwd=self.folder,
            env={**os.environ, "PATH": path},
            text=True,
            input=input,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        ).stdout

    def compute(self, program: str) -> str:
        """What a Python program prints; the page shows it in comments at the ends of lines."""
        printed = io.StringIO()
        self.patch.chdir(self.folder)
        with contextlib.redirect_stdout(printed):
            exec(compile(program, "<page>", "exec"), {"__name__": "page"})
        return printed.getvalue().rstrip("\n")

    def ask(self, file: str, query: str) -> str:
        """The rows of a query; the page shows them in comments after it."""
        with contextlib.closing(sqlite3.connect(self.folder / file)) as connection:
            return "\n".join(" | ".join(map(str, row)) for row in connection.execute(query))

    def install(self) -> None:
        """Make the packages of the folder importable, with entry points, as `pip install .` would."""
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
