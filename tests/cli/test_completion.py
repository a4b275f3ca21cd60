"""Completion: by the variables of click's protocol, and in a real bash."""

import os
import pty
import re
import select
import subprocess
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from solver.cli import main
from solver.cli.shells import joined
from solver.search import SEARCHES
from solver.system.plugins import entries
from tests.support.commandline import PROGRAM, call, silent
from tests.support.rules_texts import HEAPS

FILES = ["file,"]
"""What is answered where the shell is to complete files."""

TAKING_FILES = "query stats export convert diff verify plan explore replay annotate serve site trust"

PATH = f"{PROGRAM.parent}:{os.environ['PATH']}"


def answered(instruction: str, words: str = "", at: object = "") -> Result:
    asked = {"_PERFECTPLAY_COMPLETE": instruction, "COMP_WORDS": words, "COMP_CWORD": str(at)}
    return CliRunner().invoke(main, [], prog_name="perfectplay", env=asked)


def completed(line: str, shell: str = "bash") -> list[str]:
    """What is answered for a line whose last word is to be completed, split as bash splits it."""
    breaks = r"[^\s=:]+|[=:]" if shell == "bash" else r"\S+"
    words = re.findall(breaks, line)
    at = len(words) if line.endswith(" ") else len(words) - 1
    return silent(answered(f"{shell}_complete", "\n".join(words), at)).stdout.split()


def plain(*names: str) -> list[str]:
    return [f"plain,{name}" for name in names]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("perfectplay so", plain("solve")),
        ("perfectplay solve con", ["file,con", *plain("connect")]),
        ("perfectplay games tic", ["file,tic", *plain("tictactoe")]),
        ("perfectplay solve connect ro", plain("rows=")),
        ("perfectplay solve connect rows=4 ", plain("columns=", "k=")),
        ("perfectplay solve mnk misere=", plain("true", "false")),
        ("perfectplay solve mnk rows=3 misere=t", plain("true")),
        ("perfectplay solve mnk rows=", []),
        ("perfectplay solve openspiel:nim ga", plain("game=")),
        ("perfectplay solve nothing ro", []),
        ("perfectplay solve connect --engine gr", plain("graph")),
        ("perfectplay solve connect --engine=gr", plain("graph")),
        ("perfectplay solve connect --mem", plain("--memory")),
        ("perfectplay solve connect --work ", ["dir,"]),
        ("perfectplay solve ", [*FILES, *plain(*entries("games"))]),
        *((f"perfectplay {command} ", FILES) for command in TAKING_FILES.split()),
        ("perfectplay query a.db -o ", FILES),
        ("perfectplay search tictactoe --with ", plain(*SEARCHES)),
        ("perfectplay search tictactoe mis", plain("misere=")),
        ("perfectplay compare nim he", plain("heaps=")),
        ("perfectplay match nim heaps=1,2 per", ["file,per", *plain("perfect")]),
        ("perfectplay match nim perfect ran", ["file,ran", *plain("random")]),
        ("perfectplay grade a.db uct", ["file,uct", *plain("uct", "uct-solver")]),
        ("perfectplay play tictactoe --against alp", ["file,alp", *plain("alpha-beta")]),
        ("perfectplay play tictactoe --as se", plain("second")),
        ("perfectplay plan a.db --format n", plain("nested-json")),
    ],
)
def test_words_are_completed(line: str, answer: list[str]) -> None:
    assert completed(line) == answer


def test_other_shells_get_whole_words() -> None:
    assert completed("perfectplay solve mnk misere=t", "zsh") == ["plain", "misere=true", "_"]
    assert answered("fish_complete", "perfectplay solve mnk mis", "mis").stdout == "plain,misere=\n"


@pytest.mark.parametrize(
    ("shell", "parts"),  # fish puts no space behind = by itself
    [("bash", ["nospace"]), ("zsh", ["-S ''", "compset", "$IPREFIX$key"]), ("fish", ["string replace"])],
)
def test_script_for_each_shell_is_printed(shell: str, parts: list[str]) -> None:
    script = answered(f"{shell}_source").stdout
    assert all(part in script for part in ["_perfectplay_completion", *parts])


def test_untrusted_rules_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(f"{HEAPS}\nopen('executed', 'w').close()\n")
    assert completed("perfectplay solve mine.py:Heap ") == []
    assert not Path("executed").exists()
    assert call("trust", "mine.py").exit_code == 0
    assert completed("perfectplay solve mine.py:Heap ") == plain("sizes=")
    assert Path("executed").exists()


@pytest.mark.parametrize(
    ("words", "at", "whole"),
    [
        (["p", "solve", "a", "b"], 3, (["p", "solve", "a"], "b", "")),
        (["p", "solve", "mnk", "rows", "=", "3"], 5, (["p", "solve", "mnk"], "rows=3", "rows=")),
        (["p", "solve", "mnk", "rows", "="], 4, (["p", "solve", "mnk"], "rows=", "rows=")),
        (["p", "solve", "mnk", "rows", "=", "3"], 6, (["p", "solve", "mnk", "rows=3"], "", "")),
        (["p", "solve", "a.py", ":", "B", "x", "=", "1"], 5, (["p", "solve", "a.py:B"], "x", "")),
        (["p"], 1, (["p"], "", "")),
    ],
)
def test_words_split_by_bash_rejoin(words: list[str], at: int, whole: tuple[list[str], str, str]) -> None:
    assert joined(words, at) == whole


def test_bash_completes_words_and_files(tmp_path: Path) -> None:
    (tmp_path / "solved.db").touch()
    with Terminal(tmp_path) as bash:
        bash.type('eval "$(_PERFECTPLAY_COMPLETE=bash_source perfectplay)"\n', "")
        bash.type("perfectplay solve conn\t", "perfectplay solve connect ")
        bash.type("ro\t", "perfectplay solve connect rows=")
        bash.type("3 \x15perfectplay solve mnk misere=t\t", "perfectplay solve mnk misere=true ")
        bash.type("\x15perfectplay query sol\t", "perfectplay query solved.db ")


@pytest.mark.slow  # needs zsh
def test_zsh_completes_words_and_option_values(tmp_path: Path) -> None:
    (tmp_path / "solved.db").touch()
    with Terminal(tmp_path, "zsh", "-f") as zsh:
        zsh.type("autoload -U compinit; compinit -u -D\n", "")
        zsh.type('eval "$(_PERFECTPLAY_COMPLETE=zsh_source perfectplay)"\n', "")
        line = "perfectplay solve mnk misere=true "
        zsh.type("perfectplay solve mnk misere=t\t", line)
        zsh.type("--engine=gr\t", f"{line}--engine=graph ")
        zsh.type("--output=sol\t", f"{line}--engine=graph --output=solved.db ")


@pytest.mark.slow  # needs fish
def test_fish_completes_files_and_option_values(tmp_path: Path) -> None:
    (tmp_path / "solved.db").touch()
    asked = ("--format=nes", "--output=sol", "sol")
    script = "_PERFECTPLAY_COMPLETE=fish_source perfectplay | source\n"
    script += "".join(f"complete -C 'perfectplay plan {words}'\n" for words in asked)
    there = {**os.environ, "PATH": PATH, "HOME": str(tmp_path)}
    fish = subprocess.run(["fish", "-c", script], env=there, cwd=tmp_path, capture_output=True, text=True)
    offered = [line.partition("\t")[0] for line in fish.stdout.splitlines()]
    assert offered == ["--format=nested-json", "--output=solved.db", "solved.db"], fish.stderr


class Terminal:
    """An interactive shell at a terminal of its own."""

    def __init__(self, folder: Path, *shell: str) -> None:
        self.ours, theirs = pty.openpty()
        prompt = {**os.environ, "PATH": PATH, "PS1": "ready> ", "TERM": "dumb"}
        self.shell = subprocess.Popen(
            [*(shell or ("bash", "--norc", "--noprofile")), "-i"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env=prompt,
            start_new_session=True,
        )
        os.close(theirs)
        self.seen = ""
        self.wait_for("ready> ")

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *error: object) -> None:
        self.shell.kill()
        self.shell.wait()
        os.close(self.ours)

    def type(self, keys: str, line: str) -> None:
        """Type the keys, and wait until the line at the prompt is this one."""
        os.write(self.ours, keys.encode())
        self.wait_for(f"ready> {line}")

    def wait_for(self, end: str) -> None:
        until = time.monotonic() + 60
        while not self.shown().endswith(end):
            assert time.monotonic() < until, self.shown()
            if select.select([self.ours], [], [], 1)[0]:
                self.seen += os.read(self.ours, 4096).decode()

    def shown(self) -> str:
        """What the terminal shows: a backspace goes back, and a carriage return to the begin of the line."""
        line: list[str] = []
        at = 0
        for char in re.sub(r"\x1b\[\?2004[hl]", "", self.seen):  # zsh asks for marks around pasted text
            if char == "\b":
                at -= 1
            elif char == "\r":
                at = 0
            elif char == "\n":
                line, at = [], 0
            elif char.isprintable():
                line[at : at + 1] = [char]
                at += 1
        return "".join(line[:at])
