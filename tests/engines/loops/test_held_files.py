"""Files of a stage that are held in memory where they fit, and resumption without them."""

from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, strategies as st

from solver.engines.storage.records import ReachedStage
from solver.engines.storage.work_folder import HeldFiles
from tests.engines.loops.test_solve import divided, solved
from tests.support.games.packed import Coins
from tests.support.killed import Killed

KINDS = "parents.run", "rounds1-2.open.run"


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 2), st.integers(-1, 9))))
def test_files_are_held_in_memory_while_they_fit(changes: Sequence[tuple[str, int, int]]) -> None:
    held, room, expected, was_full = HeldFiles(), 20, dict[Path, int](), False
    assert not held.keep(Path("early"), b"", 0)
    held.open(room)
    for kind, nth, size in changes:
        path = Path("work") / f"0003.{kind}.{nth}"
        if size < 0:
            held.drop(f"0003.{kind}.*")
            expected = {item: some for item, some in expected.items() if kind not in item.name}
            continue
        left = room - sum(expected.values())
        assert held.keep(path, bytes(size), size) == (size <= left)
        if size <= left:
            expected[path] = size
        was_full |= size > left
    assert held.was_full == was_full
    assert {path: len(content) for path, content in held.close()} == expected
    assert held.content(Path("work") / "0003.parents.run.0") is None
    assert not held.keep(Path("late"), b"", 0)


@pytest.mark.parametrize(("room", "goes_on"), [(100, True), (1 << 30, False)])
def test_interrupted_stage_resumes_with_or_without_round_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int, goes_on: bool
) -> None:
    whole = solved(Coins(), tmp_path, large=True)
    (tmp_path / "game.db").unlink()
    with monkeypatch.context() as meanwhile, divided():
        meanwhile.setattr("solver.engines.storage.resumable.memory_for_files", lambda _: room)
        with patch.object(ReachedStage, "write", side_effect=Killed), pytest.raises(Killed):
            solved(Coins(), tmp_path, large=True)
    assert any((tmp_path / "game.db.work").glob("*.round*")) == goes_on
    assert solved(Coins(), tmp_path, large=True) == whole
