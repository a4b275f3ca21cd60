"""The board of a position with its moves: labels in the cells where they land, arrows, and coordinates."""

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from exporters import boards
from exporters.boards import Board, Coordinates, Layout, MovePaths, Path
from exporters.palette import escape
from exporters.svg.board import UNIT, beside, ground_drawn, marks_drawn, strikes_drawn
from exporters.svg.moves import arrow, outcome_label, remarks
from exporters.svg.text import Part, moved, number, text_element
from solver.database.entry import Entry, Move
from solver.database.wording import result_of
from solver.game import FILLED, AnyGame, Cell
from solver.rules.asking import board_of, look_of, mover_of
from solver.rules.notation import read_position

CELL, SIDE = 72, 22
"""The side of a cell, and the width of the room for coordinates beside or below the board."""

NAME_SIZE, LABEL_NAME_SIZE = 9.5, 11
"""The font sizes of names of cells, and of moves in labels."""

NAME_PLACES = {
    (-1, -1): (4, NAME_SIZE + 1, "start"),
    (-1, 1): (CELL - 4, NAME_SIZE + 1, "end"),
    (1, 1): (CELL - 4, CELL - 4, "end"),
    (1, -1): (4, CELL - 4, "start"),
    (-1, 0): (CELL / 2, NAME_SIZE, "middle"),
}
"""The place and anchor of a cell's name, relative to its top left corner, by its corner or side."""

BETWEEN = (CELL * 0.6, NAME_SIZE, "start")
"""The place and anchor in a cell from which ways go in all these directions."""

CHIP_HEIGHT = 27
"""The height of a label that leaves the mark of its cell visible."""

MARK_SCALE = 0.42
"""The scale of a mark above the label of its cell."""

MAX_ARROWS = 12
"""The most arrows on a board; more would hide it."""


class ValueBoard(NamedTuple):
    """A board with its moves."""

    drawn: Part
    in_cells: Sequence[Move]
    """The moves that are labelled in a cell."""
    arrows: Sequence[Move]
    """The moves with an arrow: all, or if these are too many, the first best moves."""


def value_board(game: AnyGame, board: Board, entry: Entry, lettering: float = 1) -> ValueBoard:
    """The board of `entry` with its moves, and with coordinates whose letters are scaled by `lettering`."""
    layout = boards.laid_out(game, board)
    paths, labels = _placed(game, board, layout, entry)
    passed = _passed(game, layout)
    names = layout.placed(boards.names_in_cells(game))
    arrows = [path for path in paths if len(paths) <= MAX_ARROWS or path[0].best][:MAX_ARROWS]
    sides, side = boards.coordinates_of(game), SIDE * lettering
    left = side if sides and sides.rows else 0
    ground = f"{ground_drawn(game, layout)}{_marks(game, board, layout, labels, entry)}"
    parts = [
        f'<g class="board" transform="scale({number(CELL / UNIT)})">{ground}</g>',
        *(_name(cell, name, passed[cell]) for cell, name in names.items() if cell not in labels),
        *(_label(layout, cell, move) for cell, move in labels.items()),
        *(_arrow(move, path) for move, path in reversed(arrows)),
        *(_coordinates(sides, layout, lettering) if sides else ()),
    ]
    across, down = left + layout.columns * CELL, layout.rows * CELL + (side if sides else 0)
    drawn = moved("".join(parts), left, 0)
    return ValueBoard(Part(across, down, drawn), [*labels.values()], [move for move, _ in arrows])


def _placed(
    game: AnyGame, board: Board, layout: Layout, entry: Entry
) -> tuple[list[tuple[Move, Path]], dict[Cell, Move]]:
    """The moves from cell to cell with their paths, and the only move that lands in each cell.

    Cells are given by their places in the picture.
    """
    paths = MovePaths(game, board, mover_of(game, read_position(game, entry.position)))
    drawn = list[tuple[Move, Path]]()
    landing: dict[Cell, list[Move]] = defaultdict(list)
    for move in entry.moves:
        after = board_of(game, read_position(game, move.position))
        for path in paths.of(str(move.move), after):
            if not all(boards.is_there(board, cell) for cell in path):
                continue
            moved = tuple(layout.places[cell] for cell in path)
            if paths.is_a_way(path, after):
                drawn.append((move, moved))
            elif len(path) == 1:
                landing[moved[0]].append(move)
    ends = {cell for _, path in drawn for cell in path}
    labels = {cell: moves[0] for cell, moves in landing.items() if len(moves) == 1 and cell not in ends}
    return drawn, labels


def _marks(game: AnyGame, board: Board, layout: Layout, labels: Mapping[Cell, Move], entry: Entry) -> str:
    parts = []
    if entry.is_terminal and entry.value:
        rows = (row for cell in boards.marked(board) for row in boards.rows_of_k(game, board, cell))
        parts.append(strikes_drawn(dict.fromkeys(rows)))
    free = {cell: mark for cell, mark in layout.marks.items() if cell not in labels}
    parts.append(marks_drawn(game, free, "mark"))
    parts += [_above(game, layout.marks[cell], cell) for cell in labels if layout.marks[cell].strip()]
    return "".join(parts)


def _above(game: AnyGame, mark: str, cell: Cell) -> str:
    if look_of(game).glyphs.get(mark) == FILLED:
        return marks_drawn(game, {cell: mark}, "mark")
    x, y = (cell[1] + (1 - MARK_SCALE) / 2) * UNIT, (cell[0] + 0.17) * UNIT
    return moved(marks_drawn(game, {(0, 0): mark}, "mark"), x, y, MARK_SCALE)


def _label(layout: Layout, cell: Cell, move: Move) -> str:
    (y, x), said = (at * CELL for at in cell), remarks(move)
    if layout.marks[cell].strip():
        name = ", ".join([str(move.move), *(remark for remark in said if remark != "best")])
        parts = [
            moved(outcome_label(move, CELL - 6, CHIP_HEIGHT), x + 3, y + CELL - CHIP_HEIGHT - 3),
            _name(cell, name),
        ]
    else:
        parts = [
            moved(outcome_label(move, CELL - 6, CELL - 6), x + 3, y + 3),
            text_element(str(move.move), x + 13, y + 21, LABEL_NAME_SIZE, CELL - 26, look='class="gray"'),
        ]
        if said:
            foot = x + CELL / 2, y + CELL - 14, LABEL_NAME_SIZE, CELL - 24
            parts.append(text_element(", ".join(said), *foot, anchor="middle"))
    return f"<g>{_title(move)}{''.join(parts)}</g>"


def _arrow(move: Move, path: Path) -> str:
    start, end = (((cell[1] + 0.5) * CELL, (cell[0] + 0.5) * CELL) for cell in path)
    return f"<g>{_title(move)}{arrow(move, start, end)}</g>"


def _title(move: Move) -> str:
    return f"<title>{escape(f'{move.move}: {result_of(move)}')}</title>"


def _name(cell: Cell, name: str, passed: Container[Cell] = ()) -> str:
    """The name of a cell, or of the move in it, in a corner without a way, which few marks reach."""
    right, down, anchor = next((place for way, place in NAME_PLACES.items() if way not in passed), BETWEEN)
    x, y = cell[1] * CELL + right, cell[0] * CELL + down
    return text_element(name, x, y, NAME_SIZE, CELL - 6, anchor=anchor)


def _passed(game: AnyGame, layout: Layout) -> defaultdict[Cell, set[Cell]]:
    """The directions, as (down, right), in which ways leave each cell of the picture."""
    passed = defaultdict[Cell, set[Cell]](set)
    for start, end in boards.ways(game, layout):
        steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
        down, across = (end[0] - start[0]) // steps, (end[1] - start[1]) // steps
        for nth in range(steps):
            passed[start[0] + nth * down, start[1] + nth * across].add((down, across))
            passed[end[0] - nth * down, end[1] - nth * across].add((-down, -across))
    return passed


def _coordinates(sides: Coordinates, layout: Layout, scale: float) -> Iterator[str]:
    for x, y, name in beside(sides, layout):
        left, top, room, anchor = x * CELL, layout.rows * CELL + 17 * scale, float(CELL), "middle"
        if x < 0:
            left, top, room, anchor = -8 * scale, y * CELL + 5 * scale, (SIDE - 8) * scale, "end"
        yield text_element(name, left, top, 14 * scale, room, anchor=anchor, look='class="gray"')
