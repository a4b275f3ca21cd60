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
    library = re.compile(rf"([\w.-]+).*extra == ['\"]{extra}['\"]")
    found = map(library.match, requires("perfectplay") or ())
    return f"`pip install {' '.join(each[1] for each in found if each)}`"
