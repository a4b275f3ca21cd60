"""The notebook of the documentation, run by a kernel.

`python -m tests.support.notebooks` writes its outputs anew: look at them.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebook.ipynb"


def stored() -> NotebookNode:
    """The notebook with the outputs that it shows."""
    notebook: NotebookNode = nbformat.read(NOTEBOOK, as_version=4)
    return notebook


def executed(folder: Path) -> NotebookNode:
    """The notebook with the outputs of its cells, run in this folder."""
    notebook = stored()
    client = NotebookClient(notebook, resources={"metadata": {"path": str(folder)}}, timeout=300)
    client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # the times
    notebook.metadata.pop("language_info", None)
    return notebook


def main() -> None:
    """Write the outputs."""
    with TemporaryDirectory() as folder:
        nbformat.write(executed(Path(folder)), NOTEBOOK)


if __name__ == "__main__":
    main()
