"""The documentation as a site with search, which needs no network: `make docs`."""

import re
from pathlib import Path

from sphinx.application import Sphinx

project = "perfectplay"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_copy_source = False
exclude_patterns = ["*.ipynb"]

myst_heading_anchors = 4
default_role = "code"  # docstrings mark code by single quotes, as Markdown does
autodoc_default_options = {"members": True, "member-order": "bysource", "show-inheritance": True}


def begin_with_readme(app: Sphinx, docname: str, source: list[str]) -> None:
    """Let the first page begin with the README; its links are from the folder above."""
    text = source[0].replace("](../README.md", "](index.md")
    if docname == "index":
        readme = Path(app.srcdir, "../README.md").read_text(encoding="utf-8")
        text = re.sub(r"\]\((?!docs/|#|https?:)", "](../", readme).replace("](docs/", "](") + text
    source[0] = text


def setup(app: Sphinx) -> None:
    """Have Sphinx read pages so."""
    app.connect("source-read", begin_with_readme)
