"""The report on a solved game, or on two side by side, as a page of HTML or as Markdown.

markdown.py    its contents as Markdown      page.py    these as HTML      plots.py    plots as SVG
"""

from exporters.report import markdown, page
from solver.analysis.report.chapters import contents_of
from solver.analysis.report.report import Reports


def render(found: Reports, form: str) -> str:
    """The report as `html` or `md`."""
    contents = contents_of(found)
    return page.render(contents) if form == "html" else markdown.render(contents)
