import pytest

from tests.support.commandline import programs_here


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that `batch` and `sweep` have run; they run in this process."""
    return programs_here(monkeypatch)
