"""The modules that rules consist of, in a package or in a folder."""

from collections.abc import Callable
from pathlib import Path

import pytest

from solver.errors import BrokenRules
from solver.rules.source import modules as sources
from solver.rules.source.modules import Fingerprint, Package, file_fingerprint, with_imports

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write modules into a fresh folder, by their paths and texts."""
    folders = iter(range(100))

    def written(texts: dict[str, str]) -> Path:
        folder = tmp_path / str(next(folders))
        for name, text in texts.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        return folder

    return written


FOLDER = {
    "rules.py": "import near\nfrom boards import square, cube as box\nimport os, numpy, none",
    "near.py": "from boards.far.away import much\nimport rules",
    "boards/__init__.py": "EMPTY = 0",
    "boards/square.py": "from .round import CIRCLE\nfrom ..near import not_beyond_the_top",
    "boards/round.py": "CIRCLE = 1",
    "boards/far/__init__.py": "",
    "boards/far/away.py": "much = 2",
    "boards/cube.py": "SIX = 6",
    "unused.py": "1 / 0",
    "boards/far/unused.py": "1 / 0",
    "solver.py": "a rules file means the package of that name",
    "os.py": "and the standard library",
}

BOARDS = {f"boards.{name}" for name in ("cube", "far", "far.away", "round", "square")}
OF_RULES = {"boards", *BOARDS, "near", "rules"}


def test_rules_of_a_file_are_the_modules_it_imports(write: Write) -> None:
    folder = write(FOLDER)
    actual = with_imports(Package("", folder), "rules", folder / "rules.py")
    assert actual.keys() == OF_RULES


def test_rules_of_a_package_are_the_modules_it_imports(write: Write) -> None:
    texts = {f"game/{name}": text for name, text in FOLDER.items()}
    texts["game/rules.py"] = "import game.near, other\nfrom .boards import square, cube\nimport boards.round"
    texts["game/near.py"] = "from game.boards.far import away"
    texts["other.py"] = "1 / 0"
    folder = write(texts)
    actual = with_imports(Package("game", folder / "game"), "game.rules", folder / "game" / "rules.py")
    assert actual.keys() == {f"game.{name}" for name in OF_RULES}


@pytest.mark.parametrize("name", FOLDER)
def test_fingerprint_covers_imported_modules_only(write: Write, name: str) -> None:
    before = file_fingerprint(str(write(FOLDER) / "rules.py"))
    after = file_fingerprint(str(write({**FOLDER, name: f"{FOLDER[name]}\nMORE = 1"}) / "rules.py"))
    assert (before == after) == ("unused" in name or name in ("solver.py", "os.py"))
    commented = file_fingerprint(str(write({**FOLDER, name: f"{FOLDER[name]}\n# more"}) / "rules.py"))
    assert before == commented


def test_fingerprint_does_not_depend_on_the_file_name(write: Write) -> None:
    one, other = write({"rules.py": "A = 1"}), write({"game.py": "A = 1  # the first"})
    assert file_fingerprint(str(one / "rules.py")) == file_fingerprint(str(other / "game.py"))


def test_swapped_modules_change_the_fingerprint(write: Write) -> None:
    one, other = write({"a.py": "A = 1", "b.py": "A = 2"}), write({"a.py": "A = 2", "b.py": "A = 1"})
    actual = [Fingerprint({name: item / f"{name}.py" for name in "ab"}).code for item in (one, other)]
    assert actual[0] != actual[1]


def test_too_many_modules_are_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_MODULES", 5)
    folder = write({f"m{number}.py": f"import m{number + 1}" for number in range(9)})
    with pytest.raises(BrokenRules, match="consist of more than 5 modules"):
        file_fingerprint(str(folder / "m0.py"))
    assert len(file_fingerprint(str(folder / "m4.py"))) == 64
