"""How to install the libraries of an extra, which some parts need; pyproject.toml lists them."""

import re
from importlib.metadata import requires


def how_to_install(extra: str) -> str:
    """The command that installs the libraries of an extra, wherever perfectplay itself came from."""
    lines = [line.partition(";") for line in requires("perfectplay") or ()]
    names = [
        re.split(r"[^\w.-]", line)[0]
        for line, _, marker in lines
        if re.search(rf"extra == ['\"]{extra}['\"]", marker)
    ]
    return f"`pip install {' '.join(names)}`"
