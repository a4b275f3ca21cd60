"""The report on a solved game, or on two side by side, as a page of HTML or as Markdown.

contents.py    chapters of paragraphs, grids and plots      markdown.py    these as Markdown
chapters.py    what a report says, in these                 page.py        these as HTML
outcomes.py, choosing.py, symmetry.py, difference.py        plots.py       plots as SVG
wording.py     figures in words
"""

from exporters.report import markdown, page
from exporters.report.chapters import contents_of
from solver.analysis.report.report import Reports


def render(found: Reports, form: str) -> str:
    """The report as `html` or `md`."""
    contents = contents_of(found.reports, found.difference)
    return page.render(contents) if form == "html" else markdown.render(contents)
