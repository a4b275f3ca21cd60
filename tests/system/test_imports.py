import sys

import pytest

from solver.system.plugins import without


def test_a_module_is_found_after_the_block_and_not_within(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    with without("colorsys"), pytest.raises(ImportError):
        import colorsys
    import colorsys

    assert colorsys.rgb_to_hls(0, 0, 0) == (0, 0, 0)


def test_a_module_that_was_imported_stays() -> None:
    with without("sys"):
        import sys as again
    assert again is sys is sys.modules["sys"]
