"""Reports show texts of a game literally; plots and tables have the figures."""

import re
import xml.etree.ElementTree as ET
from html import escape
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from exporters.report import as_markdown, as_page, render
from exporters.report.plots import HEIGHT, LEFT, TOP, drawn
from exporters.svg.text import text_width
from solver.analysis.report import compared, report_on
from solver.analysis.report.chapters import contents_of
from solver.analysis.report.contents import (
    Chapter,
    Contents,
    Grid,
    Line,
    LinePlot,
    Paragraph,
    Plot,
    Quoted,
    StackPlot,
    quoted,
)
from solver.analysis.report.figures import Figure, about, amount, percent
from tests.exporters.html.conftest import Visit
from tests.exporters.support.rendered_text import SVG, pages_and_title
from tests.support.games.explicit_graph import ExplicitGame
from tests.support.games.hostile_texts import TEXTS, Hostile
from tests.support.solved import solved, solving


def parsed(text: str) -> ET.Element:
    """The SVG as XML; in a page it needs no name space."""
    return ET.fromstring(text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


class Tags(HTMLParser):
    """The elements of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags = set[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not any(name.startswith("on") or name == "src" for name, _ in attrs)
        assert all((value or "").startswith("data:image/") for name, value in attrs if name == "href")


@pytest.fixture(scope="module")
def hostile() -> tuple[str, str]:
    """The report on a game of hostile texts, as HTML and as Markdown."""
    with solving(Hostile()) as db:
        actual = compared([report_on(db)])
        return render(contents_of(actual), "html"), render(contents_of(actual), "md")


def test_html_escapes_game_texts(hostile: tuple[str, str]) -> None:
    tags = Tags()
    tags.feed(hostile[0])
    assert tags.tags.isdisjoint({"script", "b", "port", "i", "img", "a"})
    assert f"<code>{escape(TEXTS[1])}</code>" in hostile[0]  # <script> ..., as text
    assert all(char.isprintable() or char == "\n" for char in hostile[0])


def test_markdown_keeps_game_texts_in_their_cells(hostile: tuple[str, str]) -> None:
    tables = re.findall(r"(?:^\|.*\n)+", hostile[1], re.MULTILINE)
    assert tables
    for table in tables:
        rows = [re.sub(r"\\\|", "", row).count("|") for row in table.splitlines()]
        assert len(set(rows)) == 1, table
    assert all(char.isprintable() or char == "\n" for char in hostile[1])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("xo.", "`xo.`"),
        ("a`b", "``a`b``"),
        ("`a``", "``` `a`` ```"),
        (" a ", "`  a  `"),
        ("a|b", "`a\\|b`"),
        ("", "(blank)"),
        ("a\nb", "`a b`"),
    ],
)
def test_markdown_quotes_text_as_code_span(text: str, code: str) -> None:
    """As CommonMark 0.31 has code spans (6.1), and GitHub's Markdown a bar in a table (4.10)."""
    contents = Contents("Title", "About", [Chapter("One", [Grid(["head"], [[Quoted(text)]])])])
    assert as_markdown(contents).splitlines()[-1] == f"| {code} |"


def test_own_words_are_escaped_in_markdown_and_html() -> None:
    contents = Contents("*a* <b>", "1 & 2", [Chapter("#x", [Paragraph(["_c_ ", Quoted("*d*")])])])
    assert as_markdown(contents) == "# \\*a\\* \\<b\\>\n\n1 \\& 2\n\n## \\#x\n\n\\_c\\_ `*d*`\n"
    assert "<h1>*a* &lt;b&gt;</h1>\n<p>1 &amp; 2</p>" in as_page(contents)


def test_figures_are_formatted_with_their_intervals() -> None:
    assert percent(Figure(0.58492)) == "58.5%"
    assert percent(Figure(0.0, None)) == "0.0%"
    assert percent(Figure(0.0123)) == "1.23%"
    assert percent(Figure(0.5, (0.44, 0.56))) == "50.0% (44.0 to 56.0)"
    assert percent(Figure(0.001, (0.0, 0.0456))) == "0.10% (0.00 to 4.56)"
    assert percent(Figure(0.0, (0.0, 0.000038))) == "0.000% (0.000 to 0.004)"
    assert amount(Figure(4.5, (4.25, 4.75))) == "4.50 (4.25 to 4.75)"
    assert amount(Figure(4.0, (3.9996, 4.0004))) == "4.0000 (3.9996 to 4.0004)"
    assert (percent(None), amount(None)) == ("-", "-")
    assert about(Figure(0.5, (0.44, 0.56)), is_share=True) == "about 50%"
    assert about(Figure(0.0123, (0.0121, 0.0125)), is_share=True) == "about 1.23%"
    assert about(Figure(152.14, (145.4, 158.8)), is_share=False) == "about 152"
    assert (about(Figure(0.5), is_share=True), about(Figure(7.63), is_share=False)) == ("50.0%", "7.63")
    assert len(quoted("x" * 5000).text) == 303


@pytest.mark.parametrize(
    ("children", "length"),
    [
        # a loop that nobody leaves
        (((0,),), "need not end: none of {games} games ended within {plies} plies"),
        # a drawn end, or a loop that nobody leaves
        (
            ((1, 2), (), (2,)),
            r"need not end: 1 ply, but [45]\d.\d% \(.*?\) of {games} games did not end within {plies} plies",
        ),
        # a drawn end sooner or later
        (((1, 2), (), (0,)), r"[0-9.]+ \([0-9. to]+\) plies on average, 1 to \d+"),
    ],
)
def test_report_states_if_play_need_not_end(children: tuple[tuple[int, ...], ...], length: str) -> None:
    size = len(children)
    with solving(ExplicitGame(children, (0,) * size, (0,) * size)) as db:
        text = render(contents_of(compared([report_on(db, sample=1000)])), "md").replace("\\", "")
    random = length.format(games="1,000", plies="10,001")  # the first move, and then 10,000
    perfect = length.format(games="500", plies="10,000")
    assert re.search(rf"^\| length of perfect play \| {perfect} \|$", text, re.MULTILINE)
    assert re.search(rf"^\| length of random play \| {random} \|$", text, re.MULTILINE)
    assert re.search(rf"^Random play: {random}\. Perfect play: {perfect}\.$", text, re.MULTILINE)


def test_stacked_bars_are_proportional_to_shares() -> None:
    svg = parsed(drawn(StackPlot("Title", "ply", [(0, (0.25, 0.5, 0.25)), (1, (1, 0, 0))], ["a", "b", "c"])))
    bars = [item for item in svg.iter(f"{SVG}rect") if item.get("class") in ("s0", "s1", "s2")]
    columns = [bar for bar in bars if float(bar.get("height") or 0) != 14]
    assert [(bar.get("class"), float(bar.get("height") or 0)) for bar in columns] == [
        ("s0", 0.25 * HEIGHT),
        ("s1", 0.5 * HEIGHT),
        ("s2", 0.25 * HEIGHT),
        ("s0", HEIGHT),
    ]


def test_line_plot_draws_points_and_intervals() -> None:
    lines = [Line("<one>", [(0, 0.0), (5, 0.5), (10, 1.0)], [(5, 0.25, 0.75)])]
    svg = parsed(drawn(LinePlot("Title", "ply", lines)))
    (line,) = svg.iter(f"{SVG}polyline")
    points = [tuple(map(float, point.split(","))) for point in (line.get("points") or "").split()]
    assert [y for _, y in points] == [TOP + HEIGHT, TOP + HEIGHT / 2, TOP]
    assert points[1][0] - points[0][0] == pytest.approx(points[2][0] - points[1][0])
    assert f"V{TOP + HEIGHT / 4:g}" in {
        (item.get("d") or "").partition(" ")[2].lstrip("0123456789. ") for item in svg.iter(f"{SVG}path")
    }
    assert "<one>" in {item.text for item in svg.iter(f"{SVG}text")}


@pytest.mark.parametrize("most", [1, 7, 60, 175, 40_000])
def test_axis_has_at_most_13_evenly_spaced_numbers(most: int) -> None:
    svg = parsed(drawn(StackPlot("Title", "plies", [(0, [0.5]), (most, [0.5])])))
    numbers = [item.text or "" for item in svg.iter(f"{SVG}text") if "mid" in item.get("class", "").split()]
    places = [int(number) for number in numbers if number.isdecimal()]
    assert 2 <= len(places) <= 12 + 1
    assert len({b - a for a, b in pairwise(places)}) == 1


def test_page_of_two_games_fits_a_phone_screen(visit: Visit) -> None:
    with (
        solved("mnk", {"rows": 2, "columns": 3, "k": 2}) as a,
        solved("mnk", {"rows": 2, "columns": 3, "k": 3}) as b,
    ):
        page = render(contents_of(compared([report_on(a), report_on(b)])), "html")
    shown = visit(page, viewport={"width": 390, "height": 800}, color_scheme="dark")
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
    assert shown.locator("svg").count() >= 8
    sizes = shown.evaluate(
        "[...document.querySelectorAll('svg text')].map(each => each.getBoundingClientRect().height)"
    )
    assert round(min(sizes), 3) >= 11  # boxes end between pixels


def test_page_allows_the_style_of_every_board(visit: Visit) -> None:
    with solved("ponghauki") as db:  # rings on ways, which are hidden in the rings
        html = render(contents_of(compared([report_on(db, sample=100)])), "html")
    assert visit(html).locator(".board circle").count() > 2


def test_printed_pages_do_not_end_with_a_heading(visit: Visit) -> None:
    with solved("mnk", {"rows": 2, "columns": 3, "k": 3}) as db:
        html = render(contents_of(compared([report_on(db)])), "html")
    page = visit(html)
    headings = page.locator("h2").all_inner_texts()
    for height in range(600, 1000, 100):
        sheets, _ = pages_and_title(page.pdf(width="700px", height=f"{height}px"))
        last = [sheet.extract_text().splitlines()[-1].strip() for sheet in sheets]
        assert [line for line in last if line in headings] == []


def test_compared_plots_have_equal_axes() -> None:
    short = StackPlot("a", "plies", [(2, [0.5]), (3, [0.5])])
    long = StackPlot("b", "plies", [(4, [0.1]), (9, [0.9])])

    numbers = [
        [text.text for text in parsed(drawn(item._replace(alike=[short, long]))).iter(f"{SVG}text")]
        for item in (short, long)
    ]
    assert numbers[0] == numbers[1]
    assert {"2", "9", "100%"} <= {*numbers[0]}


@pytest.mark.parametrize(
    ("most", "ticks"),
    [
        (7_900, "0 2,000 4,000 6,000 8,000"),
        (12_345, "0 5k 10k 15k"),
        (400_000, "0 100k 200k 300k 400k"),
        (1_234_567, "0 0.5M 1M 1.5M"),
        (2 * 10**10, "0 5G 10G 15G 20G"),
    ],
)
def test_counts_beside_a_plot_fit_its_margin(most: int, ticks: str) -> None:
    plot = LinePlot("Wins", "plies", [Line("a win", [(1, 3), (2, most)])], percent=False)
    labels = [
        text.text or "" for text in parsed(drawn(plot)).iter(f"{SVG}text") if text.get("class") == "tick end"
    ]
    assert labels == ticks.split()
    assert max(text_width(label, 12) for label in labels) < LEFT - 7


def test_positions_are_drawn_with_board_and_side_to_move() -> None:
    with solved("hexapawn") as db:
        report = report_on(db)
        page = as_page(contents_of(compared([report])))
    boards = {
        svg.get("aria-label") or "": svg
        for text in re.findall(r'(?<=<span class="position">)<svg .*?</svg>', page)
        if (svg := parsed(text)).get("role") == "img"
    }
    start, *wins = ("bbb/.../www white: white to move", *(item.position for item in report.longest))
    assert start in boards
    assert all(any(label.startswith(f"{win}: ") for label in boards) for win in wins)
    marks = [(mark.text, mark.get("class")) for mark in boards[start].iter(f"{SVG}text") if mark.get("class")]
    assert sum("white" in (look or "") for _, look in marks) == 3 + 1  # and one in the key
    assert [text for text, look in marks if look == "name"] == [*"abc", *"321"]


@pytest.mark.parametrize(
    ("game", "parameters", "title"),
    [("morris", {"variant": "tsoro-yematatu"}, "Tsoro yematatu"), ("ponghauki", {}, "Pong Hau K'i")],
)
def test_plots_of_a_looping_game_have_its_name_and_no_zigzag(
    game: str, parameters: dict[str, str], title: str
) -> None:
    with solved(game, parameters) as db:
        contents = contents_of(compared([report_on(db, sample=1000)]))
    plots = [piece for chapter in contents.chapters for piece in chapter.pieces if isinstance(piece, Plot)]
    assert all(plot.title.startswith(f"{title}. ") for plot in plots)
    won = next(plot for plot in plots if "Wins and losses" in plot.title)
    assert isinstance(won, LinePlot)
    assert not won.percent
    for plot in plots:
        for line in re.findall(r'polyline class="l0"[^>]* points="([^"]*)"', drawn(plot)):
            heights = [float(point.split(",")[1]) for point in line.split()]
            jumps = [abs(b - a) for a, b in pairwise(heights)]
            assert sum(jump > 0.9 * HEIGHT for jump in jumps) <= 1
