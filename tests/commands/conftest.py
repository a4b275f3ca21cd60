"""What tests of commands share."""

import pytest

from tests.support.commandline import programs_here


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that `batch` and `sweep` run, which run in this process."""
    return programs_here(monkeypatch)
