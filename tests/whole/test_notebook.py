"""The notebook of the documentation shows what its cells give."""

from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from tests.support.notebooks import executed, stored

PICTURE = ["image/png", "image/svg+xml", "text/plain"]


def shown(cell: Any) -> list[str]:
    """What a cell shows, as SVG or else as text."""
    texts = []
    for output in cell.outputs:
        assert output.output_type in ("stream", "execute_result", "display_data")
        data = output.get("data", {})
        texts.append(data.get("image/svg+xml") or data.get("text/plain") or output.text)
    return texts


@pytest.mark.slow
def test_every_cell_of_the_notebook_gives_what_it_shows(tmp_path: Path) -> None:
    for cell, now in zip(stored().cells, executed(tmp_path).cells, strict=True):
        if cell.cell_type == "code":
            assert shown(now) == shown(cell), cell.source


def test_pictures_are_stored_as_svg_and_for_those_who_do_not_trust_them_as_png() -> None:
    outputs = [output for cell in stored().cells for output in cell.get("outputs", ())]
    pictures = [output.data for output in outputs if "image/svg+xml" in output.get("data", {})]
    assert len(pictures) == 2
    for data in pictures:
        assert sorted(data) == PICTURE
        assert b64decode(data["image/png"]).startswith(b"\x89PNG")
        assert '<svg style="max-width:100%;height:auto" ' in "".join(data["image/svg+xml"])
