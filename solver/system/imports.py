"""Libraries that are imported without others, and how to install those of an extra."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import requires


@contextmanager
def without(module: str) -> Iterator[None]:
    """Let imports in the block find no `module`, unless it was imported before."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[module]


def how_to_install(extra: str) -> str:
    """The command that installs the libraries of an extra, wherever perfectplay itself came from."""
    lines = [line.partition(";") for line in requires("perfectplay") or ()]
    names = [
        re.split(r"[^\w.-]", line)[0]
        for line, _, marker in lines
        if re.search(rf"extra == ['\"]{extra}['\"]", marker)
    ]
    return f"`pip install {' '.join(names)}`"
