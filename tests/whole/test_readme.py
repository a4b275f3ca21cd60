"""README.md and the pages in docs/ are true: their commands print what they show."""

import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from functools import cache, partial
from pathlib import Path

import pytest
from distributed import LocalCluster

from solver.system.plugins import entries, installed_entries
from tests.support.commandline import command_named, programs_here
from tests.support.pages import PAGES, ROOT, Reader, blocks, prose, text_of


@pytest.fixture
def one_cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The workers of `local:2` are threads, which start once for all commands of a page."""
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
    with ExitStack() as stack:
        start = partial(LocalCluster, processes=False, **options)
        once = cache(lambda: nullcontext(stack.enter_context(start())))
        monkeypatch.setattr("solver.system.cluster_pool.LocalCluster", lambda **options: once())
        yield


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_cluster: None) -> Iterator[Reader]:
    programs_here(monkeypatch)
    yield Reader(tmp_path, monkeypatch)
    installed_entries.cache_clear()
    for name, module in list(sys.modules.items()):
        if str(tmp_path) in (getattr(module, "__file__", None) or ""):
            del sys.modules[name]


@pytest.mark.parametrize("page", PAGES)
def test_documented_commands_print_the_documented_output(page: str, reader: Reader) -> None:
    for shown, actual in reader.read(page):
        assert actual == shown
    for picture in re.findall(r"!\[[^]]*\]\(([^):]+\.svg)\)", text_of(page)):
        drawn = reader.folder / Path(picture).name
        assert (ROOT / page).parent.joinpath(picture).read_bytes() == drawn.read_bytes()


@pytest.mark.parametrize("page", PAGES)
def test_linked_files_and_headings_exist(page: str) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", prose(page)):
        if "://" not in link:
            path, _, heading = link.partition("#")
            target = (ROOT / page).parent / path if path else ROOT / page
            assert target.exists(), link
            assert not heading or heading in headings(target.read_text("utf-8")), link


def headings(text: str) -> set[str]:
    actual = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", item.lower()).replace(" ", "-") for item in actual}


@pytest.mark.parametrize("page", PAGES)
def test_mentioned_commands_and_options_are_valid(page: str) -> None:
    shell = "\n".join(block.text for block in blocks(page) if block.language == "sh")
    spans = re.findall(r"`([^`]+)`", prose(page))
    typed = [*re.findall(r"^(.+?)(?:  +#.*)?$", shell, re.MULTILINE), *spans]
    for command in typed:
        if command.startswith("perfectplay "):
            parse(command)
        if option := re.fullmatch(r"(--[a-z][a-z-]*)( .*)?", command):
            assert option[1] in OPTIONS or page == "docs/speed.md", command
        if target := re.match(r"make ([a-z-]+)$", command):
            assert re.search(rf"^{target[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE), command


OPTIONS = {
    option for name in entries("commands") for param in command_named(name).params for option in param.opts
} | {"--help", "--version", "--traceback"}


def parse(command: str) -> None:
    """Raise unless click takes what is typed; words in capitals stand for what a reader puts there."""
    _, name, *words = shlex.split(command)
    if not words or name == "COMMAND":
        return
    with command_named(name).make_context(name, words, resilient_parsing=False):
        pass
