"""The notebooks show the results of their cells, and tell right answers of exercises from wrong ones."""

from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from nbformat import NotebookNode

from tests.support.notebooks import executed, stored

PICTURE = ["image/png", "image/svg+xml", "text/plain"]

ANSWERS = {
    "and-or": ('"2-1"', '"2-2"'),  # Bouton: leave heaps whose exclusive or is 0
    "minimax": ("4", "3"),  # more than B, which is worth 3
    "alpha-beta": ("[2, 14, 5]", "[14, 5, 2]"),  # what refutes D comes first
    "depth-limited": ("3", "5"),
    "ucb1": ("0.2 + sqrt(2 * log(100) / 10)", "0.2 + sqrt(log(100) / 10)"),
    "uct": ("1000", "10"),
}
"""A right and a wrong answer to each exercise, by the search of the drawing above it."""


def shown(cell: Any) -> list[str]:
    """What a cell shows, as SVG or else as text."""
    texts = []
    for output in cell.outputs:
        assert output.output_type in ("stream", "execute_result", "display_data")
        data = output.get("data", {})
        texts.append(data.get("image/svg+xml") or data.get("text/plain") or output.text)
    return texts


def assert_shows(written: NotebookNode, now: NotebookNode) -> None:
    for cell, again in zip(written.cells, now.cells, strict=True):
        if cell.cell_type == "code":
            assert shown(again) == shown(cell), cell.source


@pytest.mark.slow
def test_notebook_cells_reproduce_their_stored_output(tmp_path: Path) -> None:
    assert_shows(stored("notebook"), executed("notebook", tmp_path))


def test_exercise_cells_reproduce_output_and_check_answers(tmp_path: Path) -> None:
    written, more, drawn = stored("adversarial-search"), dict[str, str](), ""
    for cell in written.cells:
        drawn = next((search for search in ANSWERS if f'draw("{search}"' in cell.source), drawn)
        if cell.source.startswith("answer = ..."):
            check = cell.source.splitlines()[-1]
            more[cell.id] = ", ".join(check.replace("answer,", f"{item},", 1) for item in ANSWERS[drawn])
    assert len(more) == len(ANSWERS)
    now = executed("adversarial-search", tmp_path, more)
    asked = [cell for cell in now.cells if cell.source in more.values()]
    for cell in asked:
        assert shown(cell) == ["('Right.', 'Not yet: look at the drawing again.')"], cell.source
    now.cells = [cell for cell in now.cells if cell not in asked]
    assert_shows(written, now)


@pytest.mark.parametrize(("name", "number"), [("notebook", 2), ("adversarial-search", 6)])
def test_notebook_pictures_are_stored_as_svg_and_png(name: str, number: int) -> None:
    outputs = [output for cell in stored(name).cells for output in cell.get("outputs", ())]
    pictures = [output.data for output in outputs if "image/svg+xml" in output.get("data", {})]
    assert len(pictures) == number
    for data in pictures:
        assert sorted(data) == PICTURE
        assert b64decode(data["image/png"]).startswith(b"\x89PNG")
        assert '<svg style="max-width:100%;height:auto" ' in "".join(data["image/svg+xml"])
