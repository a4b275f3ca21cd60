"""A ledger has what was added, but for the last moment."""

from pathlib import Path

import pytest

from solver.system.ledger import Ledger


def test_entries_of_the_last_moment_may_be_lost_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, path = [0.0], tmp_path / "ledger"
    monkeypatch.setattr("solver.system.ledger.monotonic", lambda: now[0])
    ledger, written = Ledger(path, "some"), list[list[int]]()
    for entry, now[0] in enumerate((0.1, 0.4, 0.6, 0.7, 1.05, 1.2)):
        ledger.add(entry)
        written.append(Ledger(path, "some").entries)
    assert ledger.entries == [0, 1, 2, 3, 4, 5]
    assert written == [[], [], [0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2, 3, 4, 5]]
    assert Ledger(path, "others").entries == []
    assert not path.exists()
