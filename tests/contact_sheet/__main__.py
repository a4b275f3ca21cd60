"""A contact sheet of all pictures and pages: `python -m tests.contact_sheet [SECTION ...]`.

It does what commands.txt says and writes build/contact-sheet/index.html: each picture as large as it is, with
the command that made it, and each page as wide as two screens, light and dark. Beside it is a PNG of each
section. With words only sections whose titles have one of them are made anew; what they need is solved first.
"""

import html
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from shutil import rmtree
from typing import Any, Literal

import typst
from playwright.sync_api import Browser
from pypdf import PdfReader

import solver
from exporters.svg import position as position_svg
from tests.exporters.support.families import of_family
from tests.support.browser import chromium
from tests.support.commandline import call
from tests.support.served_program import serving

FOLDER = Path(__file__).parents[2] / "build" / "contact-sheet"

WIDTHS, HEIGHT, LONGEST = (1280, 390), 900, 2600
"""The widths of screens, their height, and that of the longest part of a page that is shown, in pixels."""

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

HEAD = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Contact sheet</title>'

STYLE = """
body { font: 15px sans-serif; margin: 24px; background: #f4f4f4 }
section { display: flow-root; background: #f4f4f4 }
figure { display: inline-block; vertical-align: top; margin: 8px; padding: 8px; background: #fff }
figcaption { max-width: 1100px; margin-top: 6px }
img { display: block; border: 1px solid #ccc }
.page img { display: inline-block; vertical-align: top; margin: 2px }
.w1280 { width: 880px } .w390 { width: 300px }
code { font-size: 13px }
"""


@dataclass
class Line:
    """A line of the file, and where in the page that it makes a person looks."""

    text: str
    visits: list[str] = field(default_factory=list)


def sections() -> dict[str, list[Line]]:
    """The lines of each section by its title."""
    actual, lines = dict[str, list[Line]](), list[Line]()
    text = Path(__file__).with_name("commands.txt").read_text("utf-8")
    for line in filter(None, text.partition("\n\n")[2].splitlines()):
        if line.startswith("# "):
            actual[line[2:]] = lines = []
        elif line.startswith("@ "):
            lines[-1].visits.append(line[2:])
        else:
            lines.append(Line(line))
    return actual


def printed(line: str) -> str:
    """What a command prints, or the end of the program if it fails."""
    done = call(*shlex.split(line))
    if done.exception and done.exit_code:
        sys.exit(f"perfectplay {line}\n{done.output}{done.exception!r}")
    return done.stdout


def made(line: str) -> list[Path]:
    """The files that a line writes, to be shown; none of a database."""
    if line.startswith(">>> "):
        names = {"solver": solver, "family": lambda name: position_svg.render(*of_family(name))}
        shown: Any = eval(line[4:], names)
        name = Path(re.sub(r"\W+", "-", line).strip("-")[:60] + ".svg")
        name.write_text(shown if isinstance(shown, str) else shown._repr_svg_(), "utf-8")
        return [name]
    words = shlex.split(line)
    written = [Path(words[at + 1]) for at, word in enumerate(words) if word in ("-o", "--plot")]
    for folder in filter(Path.is_dir, written):
        rmtree(folder)
    printed(line)
    inside = [sorted(item.rglob("*")) if item.is_dir() else [item] for item in written]
    return [file for files in inside for file in files if file.suffix in (".svg", ".png", ".pdf", ".html")]


def shown(line: Line, browser: Browser) -> str:
    """What a line makes as HTML; nothing of a database."""
    if line.text.startswith("$ "):
        return f"<pre>{html.escape(printed(line.text[2:]))}</pre>"
    if line.text.startswith("serve "):
        with serving(*shlex.split(line.text)[1:]) as (_, port):
            return photographed(f"http://127.0.0.1:{port}/", "service", line.visits, browser)
    parts = []
    for file in made(line.text):
        if file.suffix == ".html":
            stem = str(file.with_suffix(""))
            parts.append(photographed(file.absolute().as_uri(), stem, line.visits, browser))
        else:
            images = [str(file)] if file.suffix != ".pdf" else sheets_of(file)
            parts += [f'<img src="{image}" alt="">' for image in images]
    return "".join(parts)


def sheets_of(file: Path) -> Iterator[str]:
    """The pages of a PDF as PNG."""
    for number, _ in enumerate(PdfReader(file).pages, start=1):
        source, drawn = Path(f"{file.stem}.typ"), f"{file.stem}-pdf-{number}.png"
        page = '#set page(width: auto, height: auto, margin: 0pt)\n#image("{}", page: {})'
        source.write_text(page.format(file, number), "utf-8")
        typst.compile(source, output=Path(drawn), format="png", ppi=96.0)
        yield drawn


def photographed(address: str, stem: str, visits: Sequence[str], browser: Browser) -> str:
    """A page as it opens and after each visit, at each width, light and dark."""
    rows = []
    for nth, visit in enumerate(["", *visits]):
        images = []
        for width, scheme in product(WIDTHS, SCHEMES):
            page = browser.new_page(viewport={"width": width, "height": HEIGHT}, color_scheme=scheme)
            page.goto(address + visit if visit.startswith("#") else address)
            for key in [] if visit.startswith("#") else visit.split():
                name, _, times = key.partition("*")
                for _ in range(int(times or 1)):
                    page.keyboard.press(name)
            page.wait_for_load_state("load" if address.startswith("file:") else "networkidle")
            whole = page.evaluate("document.documentElement.scrollHeight")
            tall = max(HEIGHT, min(LONGEST, whole))
            image = f"{stem}-{nth}-{width}-{scheme}.png"
            page.screenshot(path=image, full_page=True, clip={"x": 0, "y": 0, "width": width, "height": tall})
            page.close()
            images.append(f'<img class="w{width}" src="{image}" alt="">')
        rows.append(f'<div class="page">{"".join(images)}</div>{html.escape(visit)}')
    return "".join(rows)


def main(chosen: Sequence[str]) -> None:
    """Write the sheet, or these sections of it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    parts = []
    with chdir(FOLDER), chromium() as browser:
        for title, lines in sections().items():
            figures = []
            wanted = not chosen or any(word.lower() in title.lower() for word in chosen)
            for line in (line for line in lines if wanted or line.text.startswith("solve ")):
                content = shown(line, browser)
                command = line.text.removeprefix("$ ")
                prompt = "" if command.startswith(">>>") else "$ perfectplay "
                caption = f"<figcaption><code>{html.escape(prompt + command)}</code></figcaption>"
                figures += [f"<figure>{content}{caption}</figure>"] if content else []
            name = title.lower().replace(" ", "-")
            parts += [f'<section id="{name}"><h2>{title}</h2>{"".join(figures)}</section>'] if wanted else []
        body = "".join(parts)
        Path("index.html").write_text(f"{HEAD}<style>{STYLE}</style>{body}", "utf-8")
        page = browser.new_page(viewport={"width": 2600, "height": HEIGHT})  # no picture is wider than 2,500
        page.goto(Path("index.html").absolute().as_uri())
        for section in page.locator("section").all():
            section.screenshot(path=f"sheet-{section.get_attribute('id')}.png")
    print(f"The contact sheet: {FOLDER / 'index.html'}, and a PNG of each section beside it")


if __name__ == "__main__":
    main(sys.argv[1:])
