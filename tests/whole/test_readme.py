"""The README is true: its transcripts, its programs and its picture are what a reader gets."""

import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
SECONDS = re.compile(r"\d+\.\d\d s$", re.MULTILINE)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which every command of the README has been run, and what it printed."""
    folder = tmp_path_factory.mktemp("reader")
    for program in blocks("python"):
        if name := re.match(r"# (\w+\.py)\n", program):
            (folder / name[1]).write_text(program)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for number, transcript in enumerate(blocks("console")):
        commands = re.findall(r"^\$ (.*)$", transcript, re.MULTILINE)
        printed = ""
        for command in commands:
            run = subprocess.run(
                command,
                shell=True,
                cwd=folder,
                env={**os.environ, "PATH": path},
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            printed += f"$ {command}\n{run.stdout}"
        (folder / f"{number}.transcript").write_text(printed)
    return folder


@pytest.mark.parametrize("number", range(len(blocks("console"))))
def test_each_transcript_is_what_the_commands_print(folder: Path, number: int) -> None:
    printed = (folder / f"{number}.transcript").read_text()
    assert SECONDS.sub("SECONDS", printed) == SECONDS.sub("SECONDS", blocks("console")[number])


def test_the_python_example_prints_what_its_comment_says(folder: Path) -> None:
    (program,) = (block for block in blocks("python") if "open_database" in block)
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, text=True, capture_output=True, check=True
    )
    assert run.stdout.strip() == program.rpartition("#")[2].strip()


def test_the_sql_example_finds_the_best_move(folder: Path) -> None:
    (query,) = blocks("sql")
    with sqlite3.connect(folder / "tictactoe.db") as connection:
        assert connection.execute(query).fetchall() == [(8,)]
    connection.close()


def test_each_picture_is_the_one_that_the_program_draws(folder: Path) -> None:
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+\.svg)\)", README)
    assert pictures
    for picture in pictures:
        assert (ROOT / picture).read_bytes() == (folder / Path(picture).name).read_bytes()


def test_every_file_that_is_linked_exists() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []
