import os
import stat
from pathlib import Path
from typing import Any

import pytest

from solver import load_game, open_database, solve
from solver.database.schema import FORMAT
from solver.errors import BrokenRules, MissingFile, TargetBusy, TargetExists, UnusableFile
from solver.games.mnk import MNK, TicTacToe
from solver.system.files import atomic_target
from tests.support.commandline import permitted, refused, run
from tests.support.games.misbehaving import Fork, failing

OLD = b"what was here before"


TWO_STARTS = """
from solver.games.mnk import MNK

class TwoStarts(MNK):
    def initial_states(self):
        return [self.initial, self.parse("x" + "." * (self.cells - 1))]
"""


@pytest.mark.parametrize(
    ("asked", "changed"),
    [
        ({}, None),
        ({"engine": "arrays", "memory": 1 << 33, "layout": "readable"}, None),
        ({"start": "..../...."}, "start"),
        ({"start": "x.../...."}, "start"),
        ({"endless": "first"}, "endless"),
        ({"fold": True}, "fold"),
        ({"layout": "packed"}, "layout"),
        ({"columns": 5}, "parameters"),
        ({"rules": "    def utility(self, state):\n        return 0"}, "rules"),
        ({"rules": "    # a remark"}, None),
        ({"format": 99}, "format"),
    ],
    ids=str,
)
def test_file_is_up_to_date_only_for_equal_rules_and_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any], changed: str | None
) -> None:
    rules, path = tmp_path / "two_starts.py", tmp_path / "game.db"
    rules.write_text(TWO_STARTS)
    name, parameters = f"{rules}:TwoStarts", {"rows": 2, "columns": 4, "k": 2}
    solve(load_game(name, parameters), path)
    options, before, written = dict(asked), path.read_bytes(), path.stat().st_mtime_ns
    parameters["columns"] = options.pop("columns", 4)
    monkeypatch.setattr("solver.engines.solve.FORMAT", options.pop("format", FORMAT))
    rules = tmp_path / "new" / rules.name  # a module is loaded once
    rules.parent.mkdir()
    rules.write_text(TWO_STARTS + options.pop("rules", ""))
    game = load_game(f"{rules}:TwoStarts", parameters)
    if changed:
        with pytest.raises(TargetExists, match="--force"):
            solve(game, path, **options)
    else:
        assert solve(game, path, **options).up_to_date
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (before, written)
    assert not solve(game, path, **options, force=True).up_to_date


def test_damaged_or_foreign_file_is_replaced_only_with_force(tmp_path: Path) -> None:
    path = tmp_path / "game.db"
    solve(MNK(2, 2, 2), path)
    whole = path.read_bytes()
    for content in (whole[:-4096], OLD):
        path.write_bytes(content)
        with pytest.raises(TargetExists, match="--force"):
            solve(MNK(2, 2, 2), path)
        assert path.read_bytes() == content
        solve(MNK(2, 2, 2), path, force=True)
        assert path.read_bytes() == whole
    assert os.listdir(tmp_path) == ["game.db"]


def test_pipe_or_folder_is_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path):
        for force in (True, False):
            with pytest.raises(TargetExists):
                solve(MNK(2, 2, 2), path, force=force)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_missing_target_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match="no folder"):
        solve(MNK(2, 2, 2), tmp_path / "none" / "game.db")


def test_file_created_during_the_build_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "game.db"
    with pytest.raises(TargetExists), atomic_target(path, force=False) as part:  # noqa: PT012
        part.write_bytes(b"new")
        path.write_bytes(OLD)
    assert path.read_bytes() == OLD
    assert os.listdir(tmp_path) == ["game.db"]


def test_second_build_of_the_same_target_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.db"
    with atomic_target(path, force=False) as part:
        part.write_bytes(b"first")
        assert "another process is building" in refused(2, run("solve", "tictactoe", "-o", path))
        with pytest.raises(TargetBusy), atomic_target(path, force=True):
            pass
        with atomic_target(tmp_path / "other.db", force=False) as other:
            other.write_bytes(b"other")
    assert path.read_bytes() == b"first"
    assert sorted(os.listdir(tmp_path)) == ["game.db", "other.db"]


@pytest.mark.parametrize(
    ("rule", "broken", "words"),
    [
        ("position", failing, "'root'"),
        ("position", lambda self, state: 5, "'root'"),
        ("position", lambda self, state: "same", "two states, 'root' and 'end left'"),
        ("position", lambda self, state: "\udcff", "'root'"),
        ("position", lambda self, state: state + "!", "read it as"),
        ("parse", failing, "cannot read their own text"),
        ("action_name", failing, "'left'"),
        ("action_name", lambda self, action: 1.5, "1.5"),
        ("action_name", lambda self, action: None, "None"),
        ("action_name", lambda self, action: 2**63, "not 9223372036854775808"),
        ("action_name", lambda self, action: 1 if action == "left" else "r", "some by texts"),
        ("action_name", lambda self, action: "same", "two actions have the same name in the state 'root'"),
        ("actions", lambda self, state: ("left", "left") if state == "root" else (), "same name"),
        ("utility", failing, "'end left'"),
    ],
)
def test_broken_rules_leave_the_file_unchanged(tmp_path: Path, rule: str, broken: Any, words: str) -> None:
    game = type("Broken", (Fork,), {rule: broken})()
    path = tmp_path / "game.db"
    path.write_bytes(OLD)
    with pytest.raises(BrokenRules) as caught:
        solve(game, path, force=True)
    assert words in str(caught.value)
    assert path.read_bytes() == OLD
    assert os.listdir(tmp_path) == ["game.db"]


def test_read_only_target_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "readonly"
    folder.mkdir()
    folder.chmod(0o555)
    assert "Permission denied" in refused(4, permitted("solve", "tictactoe", "-o", folder / "a.db"))
    assert os.listdir(folder) == []


def test_unfinished_build_cannot_be_opened_and_is_cleaned_up(tmp_path: Path) -> None:
    script = (
        "import os\nfrom pathlib import Path\nimport solver.database.readable.writer as writer\n"
        "from solver import load_game, solve\n"
        "writer.checksum_of = lambda rows: os._exit(9)\n"
        f"solve(load_game('tictactoe'), {str(tmp_path / 'game.db')!r})\n"
    )
    assert run(program=script).returncode == 9
    part = tmp_path / "game.db.part" / "game.db"
    with pytest.raises(UnusableFile, match="unfinished"):
        open_database(part)
    solve(TicTacToe(), tmp_path / "game.db")
    assert os.listdir(tmp_path) == ["game.db"]


def test_solve_does_not_reread_the_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.database.readable.reader.digest", failing)
    assert solve(TicTacToe(), tmp_path / "game.db", engine="arrays").states == 5478
    assert solve(TicTacToe(), tmp_path / "folded.db", fold=True).states == 765
    with open_database(tmp_path / "game.db") as db, pytest.raises(ZeroDivisionError):
        list(db)
