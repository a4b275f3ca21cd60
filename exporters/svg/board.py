"""Boards as SVG, in units of a tenth of a cell: ground, highlights, names, marks and their key."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from exporters import palette
from exporters.boards import Board, Coordinates, Layout, coordinates_of, laid_out, names_in_cells, ways
from exporters.svg.text import FAMILY, Part, moved, number, text_element, text_width
from solver.game import FILLED, AnyGame, Cell
from solver.rules.asking import look_of, owner_of

UNIT = 10
"""The side of a cell."""

RING, POINT = "M{x8} {y5}a3 3 0 1 1-6 0a3 3 0 1 1 6 0z", "M{x5} {y5}m1 0a1 1 0 1 1-2 0a1 1 0 1 1 2 0z"

STROKES = {"x": "M{x2} {y2}l6 6m0-6l-6 6", "o": RING, "○": RING, "◎": RING + POINT, "●": "M{x5} {y5}h0"}
"""The paths of the marks that are drawn rather than written."""

HOLLOW = "o○◎"
"""The marks with a hole through which a way would be visible."""

NAME_SIZE = 3.7
"""The font size of names of cells."""

BESIDE = 0.7
"""The width of the room for names beside or below a board, in cells."""

BOARD_CSS = (
    f".board path{{fill:none;stroke-linecap:round}}{palette.paint_css('.board')}"
    ".board path.mark{stroke-width:1.2}"
    ".board path.disc{stroke-width:7}.board path.rim{stroke:#222;stroke-width:1.9}"
    ".board path.wood{fill:#F3D9A4;stroke:#7A5A20;stroke-width:.25}.board path.step{stroke-width:1.1}"
    f".board path.full{{fill:{palette.SOLID};stroke:none}}.board path.dark{{fill:{palette.DARK};stroke:none}}"
    ".board path.lines{stroke:#777;stroke-width:.2}.board path.strike{stroke:#FFD633;stroke-width:3.6}"
    f".board{{font-family:{FAMILY}}}.board text.name{{fill:#6E6E6E}}.board path.bar{{stroke-width:2.2}}"
)
"""The style of the class `board`, the same in all pictures, as several may be on one page."""


def board_drawn(game: AnyGame, board: Board, backgrounds: Mapping[Cell, str], *, named: bool) -> Part:
    """A board with highlighted cells and, if `named`, coordinates beside it or names in its empty cells."""
    layout = laid_out(game, board)
    sides = coordinates_of(game) if named else None
    places = layout.placed(backgrounds)
    drawn = {place: _highlight(game, place, colour) for place, colour in places.items()}
    lattice = look_of(game).ground == "lattice"
    hidden = [] if lattice else [at for at in drawn if palette.body(game, layout.marks.get(at, "")) == FILLED]
    over = f'<g opacity="0.6">{"".join(map(drawn.pop, hidden))}</g>' if hidden else ""
    parts = [
        f"<g>{''.join(drawn.values())}</g>",
        ground_drawn(game, layout, places),
        f"{marks_drawn(game, layout.marks, 'mark')}{over}",
    ]
    if named:
        names = layout.placed(names_in_cells(game))
        empty = (place for place, mark in layout.marks.items() if not mark.strip() and place in names)
        parts += [_name(names[place], place[1] + 0.5, place[0] + 0.63) for place in empty]
    parts += [_name(name, x, y + 0.13) for x, y, name in beside(sides, layout)] if sides else []
    side = UNIT * BESIDE
    left, below = (side if sides and sides.rows else 0), (side if sides else 0)
    board_parts = f'<g class="board" transform="translate({number(left)} 0)">{"".join(parts)}</g>'
    return Part(left + layout.columns * UNIT, layout.rows * UNIT + below, board_parts)


def key_drawn(game: AnyGame, boards: Iterable[Board | None], size: float) -> Part:
    """The key to the players' marks on boards, in a row of font `size`; its width is 0 if there are none."""
    x, scale, parts = 0.0, size * 1.25 / UNIT, []
    for player, marks in palette.whose(game, boards):
        for mark in marks:
            parts.append(moved(marks_drawn(game, {(0, 0): mark}, "mark"), x, 0, scale))
            x += size * 1.25
        name = palette.plain(game.players[player])
        parts.append(text_element(name, x + size * 0.3, size, size, text_width(name, size)))
        x += text_width(name, size) + size
    return Part(x, size * 1.3, f'<g class="board">{"".join(parts)}</g>')


def marks_drawn(game: AnyGame, marks: Mapping[Cell, str], look: str) -> str:
    """The SVG of the marks in their cells; all cells with the same drawn mark are one path.

    Each element has the class `look` and the name of its owner's paint as another class.
    """
    parts, tiles = [], palette.tiles_of(game)
    for mark, group in groupby(sorted(marks, key=lambda cell: (marks[cell], cell)), key=marks.__getitem__):
        cells, shown = list(group), palette.body(game, mark)
        owner = palette.paint(game, owner_of(game, mark))
        names = f"{owner} {'stone ' if palette.is_stone(game, mark) else ''}{look}"
        if tiles:
            parts += [_tiles(game, mark, cell, names) for cell in cells]
        elif shown in STROKES:
            shape = "○" if shown == "●" and "stone" in names else shown
            path = "".join(_stroke(shape, cell) for cell in cells)
            parts += [f'<path class="rim" d="{path}"/>'] if owner == "white" and "stone" not in names else []
            if look_of(game).ways and shape in HOLLOW:  # no style: pages allow none in elements
                centres = [(row * UNIT + 5, at * UNIT + 5) for row, at in cells]
                parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="#fff"/>' for y, x in centres]
            parts.append(f'<path class="{names}{" disc" * (shape == "●")}" d="{path}"/>')
        elif shown == FILLED and look_of(game).ground == "lattice":
            parts.append(f'<path class="{names} bar" d="{"".join(map(_bar, cells))}"/>')
        elif shown == FILLED:
            path = "".join(f"M{at * UNIT + 0.2:g} {row * UNIT + 0.2:g}h9.6v9.6h-9.6z" for row, at in cells)
            parts.append(f'<path class="{names} full" d="{path}"/>')
        else:
            parts += [_word(shown, cell, f'class="{names}"') for cell in cells if shown.strip()]
    return "".join(parts)


def ground_drawn(game: AnyGame, layout: Layout, taken: Iterable[Cell] = ()) -> str:
    """The SVG of the ground below the marks: dark cells that are not `taken`, and lines or ways."""
    look, path = look_of(game), ""
    if look.ways:
        path = "".join(_way(begin, end) for begin, end in ways(game, layout))
    elif look.ground in ("squares", "chequered"):
        path = lattice_path(layout.ground)
    lines = f'<path class="lines" d="{path}"/>'
    if look.ground != "chequered":
        return lines
    cells = sorted(cell for cell in layout.marks.keys() - {*taken} if sum(cell) % 2)
    dark = "".join(f"M{at * UNIT} {row * UNIT}h{UNIT}v{UNIT}h-{UNIT}z" for row, at in cells)
    return f'<path class="dark" d="{dark}"/>{lines}'


def beside(sides: Coordinates, layout: Layout) -> Iterator[tuple[float, float, str]]:
    """The names of columns and rows, after the x and y of the middle of each in cells."""
    for at, name in enumerate(sides.columns):
        yield at + 0.5, layout.rows + BESIDE / 2, name
    for row, name in enumerate(sides.rows):
        if name:
            yield -BESIDE / 2, layout.places.get((row, 0), (row, 0))[0] + 0.5, name


def lattice_path(board: Board) -> str:
    """The path of the lines around and between the cells."""
    path = []
    for row, cells in enumerate(board):
        above = len(board[row - 1]) if row else 0
        path.append(f"M0 {row * UNIT}h{max(len(cells), above) * UNIT}")
        path += [f"M{column * UNIT} {row * UNIT}v{UNIT}" for column in range(len(cells) + 1)]
    path.append(f"M0 {len(board) * UNIT}h{len(board[-1]) * UNIT}")
    return "".join(path)


def strikes_drawn(rows: Iterable[tuple[Cell, Cell]]) -> str:
    """The SVG of lines through rows of cells, a little longer than the rows; "" without rows."""
    path = []
    for first, last in rows:
        steps = [(b > a) - (b < a) for a, b in zip(first, last, strict=True)]
        (top, left), (bottom, right) = (
            [at * UNIT + UNIT / 2 + sign * 3.6 * step for at, step in zip(cell, steps, strict=True)]
            for cell, sign in ((first, -1), (last, 1))
        )
        path.append(f"M{left:g} {top:g}L{right:g} {bottom:g}")
    return f'<path class="strike" d="{"".join(path)}"/>' if path else ""


def _bar(cell: Cell) -> str:
    """The path of a dot of a lattice, or of a line between two dots."""
    (y, x), (down, right) = ((at + 0.5) * UNIT for at in cell), ((at % 2) * 0.4 * UNIT for at in cell)
    return f"M{x - right:g} {y - down:g}L{x + right:g} {y + down:g}"


def _way(begin: Cell, end: Cell) -> str:
    (y1, x1), (y2, x2) = (((row + 0.5) * UNIT, (column + 0.5) * UNIT) for row, column in (begin, end))
    return f"M{x1:g} {y1:g}L{x2:g} {y2:g}"


def _stroke(mark: str, cell: Cell) -> str:
    y, x = (at * UNIT for at in cell)
    return STROKES[mark].format(x2=x + 2, y2=y + 2, x5=x + 5, y5=y + 5, x8=x + 8)


def _highlight(game: AnyGame, place: Cell, colour: str) -> str:
    """The background of a highlighted cell or, on a lattice, of a line, which it exceeds in width."""
    row, column = place
    x, y, width, height = column * UNIT, row * UNIT, UNIT, UNIT
    if look_of(game).ground == "lattice" and (row % 2 == 0 or column % 2 == 0):
        colour = {palette.PLAYED: "#E8A200", palette.REPLIED: "#8A8A8A"}[colour]
        low, narrow = 3 * (row % 2 == 0), 3 * (column % 2 == 0)
        x, y, width, height = x + narrow, y + low, width - 2 * narrow, height - 2 * low
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}"/>'


def _tiles(game: AnyGame, mark: str, cell: Cell, look: str) -> str:
    """A piece as a wooden tile that points ahead, with a dot for each of its steps; a hand as small tiles."""
    if len(mark) > 1:
        places = ((cell[1] * UNIT + nth % 2 * 5, cell[0] * UNIT + nth // 2 * 6) for nth in range(len(mark)))
        return "".join(
            moved(_tiles(game, letter, (0, 0), look), x, y, 0.5)
            for (x, y), letter in zip(places, mark, strict=True)
        )
    if mark not in (tiles := palette.tiles_of(game)):
        return ""
    y, x = (at * UNIT for at in cell)
    turn = f' transform="rotate(180 {x + 5} {y + 5})"' if owner_of(game, mark) else ""
    wood = f"M{x + 1} {y + 9.4}l.6 -7.2l3.4 -1.6l3.4 1.6l.6 7.2z"
    dots = "".join(f"M{x + 5 + 2.7 * right:g} {y + 5.4 + 2.9 * down:g}h0" for down, right in tiles[mark])
    letter = text_element(mark.upper(), x + 5, y + 7.2, 4.2, UNIT, anchor="middle", look=f'class="{look}"')
    return f'<path class="wood"{turn} d="{wood}"/><path class="{look} step" d="{dots}"/>{letter}'


def _name(name: str, x: float, y: float) -> str:
    """A name with the middle of its baseline at `x`, `y`, in cells."""
    return text_element(name, x * UNIT, y * UNIT, NAME_SIZE, UNIT, anchor="middle", look='class="name"')


def _word(mark: str, cell: Cell, look: str) -> str:
    x, y = cell[1] * UNIT + UNIT / 2, cell[0] * UNIT + UNIT * 0.74
    return text_element(mark, x, y, UNIT * 0.7, UNIT * 0.9, anchor="middle", look=look, least_scale=0.3)
