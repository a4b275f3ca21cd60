"""The notebooks of the documentation, run by a kernel.

`python -m tests.support.notebooks` rewrites their outputs; review these.
"""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

DOCS = Path(__file__).parents[2] / "docs"

NOTEBOOKS = ("notebook", "adversarial-search")


def stored(name: str) -> NotebookNode:
    """A notebook with its stored outputs."""
    notebook: NotebookNode = nbformat.read(DOCS / f"{name}.ipynb", as_version=4)
    return notebook


def executed(name: str, folder: Path, after: Mapping[str, str] | None = None) -> NotebookNode:
    """A notebook with the outputs of its cells, run in this folder.

    `after` maps the ids of cells to code, which is added as a cell after them.
    """
    notebook, cells = stored(name), list[NotebookNode]()
    for cell in notebook.cells:
        cells.append(cell)
        cells += [new_code_cell(after[cell.id])] if after and cell.id in after else []
    notebook.cells = cells
    NotebookClient(notebook, resources={"metadata": {"path": str(folder)}}, timeout=300).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # execution times
    notebook.metadata.pop("language_info", None)
    return notebook


def main() -> None:
    for name in NOTEBOOKS:
        with TemporaryDirectory() as folder:
            nbformat.write(executed(name, Path(folder)), DOCS / f"{name}.ipynb")


if __name__ == "__main__":
    main()
