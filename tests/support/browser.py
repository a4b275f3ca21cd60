"""Debian's Chromium, which `make test` installs."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

FLAGS = ["--no-sandbox", "--font-render-hinting=none"]
"""Render letters as wide as a browser with windows does."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser; without windows it takes half the time."""
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()
