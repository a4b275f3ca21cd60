"""An interrupted site resumes, to the same bytes."""

import shutil
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from exporters.site import blocks, command, late, writer
from exporters.site.texts import texts_of
from solver.packed import PackedGame
from solver.system import files
from tests.exporters.site.test_late import PACKED
from tests.support.commandline import call
from tests.support.killed import GOES_ON
from tests.support.sites import contents
from tests.support.solved import solved_file

FILES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "loops, folded": ("quixo", {"rows": 2, "columns": 3, "k": 3}, {"fold": True, "layout": "packed"}),
    "late plies left out": ("connect", {"rows": 3, "columns": 3, "k": 3}, PACKED),
    "readable": ("hexapawn", {}, {"layout": "readable"}),
    "no ply": ("chomp", {"rows": 4, "columns": 6}, {"layout": "packed"}),
}


@cache
def learned(game: PackedGame, played: tuple[int, ...]) -> Any:
    """What `texts_of` learns, which takes most of the time of a site."""
    return texts_of(game, played)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many small blocks, of which also few are kept, and plies left out of small games."""
    for name, number in (("PART", 8), ("MAX_BYTES", 30), ("PAGE", 7)):
        monkeypatch.setattr(blocks, name, number)
    monkeypatch.setattr(command, "RESUMABLE_FROM", 1)
    monkeypatch.setattr(late, "MIN_STATES", 50)
    monkeypatch.setattr(writer, "texts_of", lambda game, played: learned(game, tuple(played)))


def interrupted(path: Path, folder: Path, after: int, *options: str) -> int:
    """How many files are written until the program is interrupted behind so many, or ends."""
    written, number = count(), 0

    def sync(_: Path) -> None:
        nonlocal number
        if (number := next(written)) == after:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "sync", sync)
        done = call("site", path, "-o", folder, *options)
    assert done.exit_code == (130 if number == after else 0), done.stderr
    assert (GOES_ON in done.stderr) == (number == after)
    return number


@pytest.mark.parametrize("name", FILES)
def test_interrupted_site_resumes_to_equal_bytes(name: str, tmp_path: Path) -> None:
    game, parameters, options = FILES[name]
    path, folder = solved_file(game, parameters, **options), tmp_path / "site"
    all_written = interrupted(path, tmp_path / "whole", -1)
    expected = contents(tmp_path / "whole")
    assert (b'"late":' in expected["site.json"]) == name.startswith("late")
    for after in (2, all_written // 2, all_written - 3):
        assert interrupted(path, folder, after) == after
        assert (tmp_path / "site.part" / "whole").is_dir()
        assert not folder.exists()
        assert interrupted(path, folder, -1) == all_written - after
        assert contents(folder) == expected
        assert [item.name for item in tmp_path.iterdir() if item.suffix] == []
        shutil.rmtree(folder)


def test_leftovers_of_another_command_are_not_used(tmp_path: Path) -> None:
    game, parameters, options = FILES["loops, folded"]
    path, other = solved_file(game, parameters, **options), solved_file("chomp", layout="packed")
    for made, words in ((path, ["--offline"]), (other, [])):
        assert interrupted(path, tmp_path / "site", 12) == 12
        assert call("site", made, "-o", tmp_path / "site", *words).exit_code == 0
        assert call("site", made, "-o", tmp_path / "new", *words).exit_code == 0
        assert contents(tmp_path / "site") == contents(tmp_path / "new")
        for folder in ("site", "new"):
            shutil.rmtree(tmp_path / folder)


def test_damaged_block_is_rewritten_on_resume(tmp_path: Path) -> None:
    game, parameters, options = FILES["loops, folded"]
    path, folder = solved_file(game, parameters, **options), tmp_path / "site"
    assert interrupted(path, folder, 20) == 20
    damaged = tmp_path / "site.part" / "whole" / "blocks" / "00007.bin"
    damaged.write_bytes(damaged.read_bytes()[:-9])
    assert interrupted(path, folder, -1) > 0
    assert call("site", path, "-o", tmp_path / "new").exit_code == 0
    assert contents(folder) == contents(tmp_path / "new")
