"""Puzzles as pictures, sheets and pages: their contents, and the place of the answers."""

import json
import re
from functools import partial
from pathlib import Path

import pytest

from exporters.puzzles import page, pages, picture, play_page, sheets
from exporters.svg.text import number
from solver import Database
from solver.analysis.puzzles import hardest
from solver.analysis.puzzles.puzzle import Puzzle, Wanted
from solver.analysis.puzzles.wording import reason_for
from solver.errors import NotLegible, TargetExists
from solver.system.files import write_folder
from tests.exporters.support.page_reader import data_of
from tests.exporters.support.rendered_text import pages_and_title, texts_of
from tests.support.commandline import call
from tests.support.solved import solved

run = partial(call, "puzzles")


@pytest.fixture(scope="module")
def puzzles(db: Database) -> list[Puzzle]:
    return hardest(db, Wanted(14))


def test_coordinates_of_a_large_board_are_legible_on_a_sheet() -> None:
    with solved("connect", {"rows": 7, "columns": 2, "k": 2}) as tall:
        first = pages(tall, hardest(tall, Wanted(1)))[0]
    (scale,) = map(float, re.findall(r"scale\(([\d.]+)\)\">", first)[:1])
    board, _, _ = first[first.index("scale(") :].partition("</g></g>")
    sizes = [float(size) * scale for size in re.findall(r'font-size="([\d.]+)"', board)]
    assert scale < 0.5
    assert len(sizes) > 2
    assert min(sizes) > 7  # points


@pytest.mark.parametrize(("count", "pages"), [(1, 2), (6, 2), (7, 3), (14, 4)])
def test_sheets_have_six_puzzles_a_page_and_answers_last(
    db: Database, puzzles: list[Puzzle], count: int, pages: int
) -> None:
    written, _ = pages_and_title(sheets(db, puzzles[:count]))
    assert len(written) == pages
    numbers = [re.findall(r"(\d+)\. [xo] to move and ", item.extract_text()) for item in written]
    assert numbers[-1] == []
    assert [len(item) for item in numbers[:-1]] == [6] * (count // 6) + [count % 6] * (count % 6 > 0)
    assert [item for item in numbers for item in item] == [str(nth) for nth in range(1, count + 1)]
    for item in written:
        assert [round(float(side)) for side in item.mediabox[2:]] == [595, 842]
    assert ["Answers" in item.extract_text() for item in written] == [False] * (pages - 1) + [True]


def test_last_page_has_answer_and_reason_of_each_puzzle(db: Database, puzzles: list[Puzzle]) -> None:
    *_, last = pages(db, puzzles)
    said = texts_of(last)[2:]
    rows = [said[at : at + 3] for at in range(0, len(said), 3)]
    known = [[f"{nth}.", reason_for(db, item), item.entry.position] for nth, item in enumerate(puzzles, 1)]
    assert rows == known
    assert rows[0][1] == "move 4 holds the draw; every other move loses, at most in 6 plies"


def test_answer_pages_cover_all_of_150_puzzles(db: Database) -> None:
    drawn = pages(db, hardest(db, Wanted(150)))
    assert len(drawn) == 150 // 6 + 4
    assert sum(len(re.findall(r">\d+\.<", item)) for item in drawn[-4:]) == 150


def test_too_many_puzzles_are_refused(db: Database, puzzles: list[Puzzle]) -> None:
    with pytest.raises(NotLegible, match="600 puzzles at most"):
        sheets(db, puzzles * 50)


def test_picture_does_not_reveal_the_answer(db: Database, puzzles: list[Puzzle]) -> None:
    for puzzle in puzzles:
        drawn = picture(db, puzzle)
        assert texts_of(drawn)[0].startswith(f"{puzzle.entry.to_move} to move and ")
        assert {*map(str, range(9))} <= {*texts_of(drawn)}  # the names of all cells
        assert 'class="best' not in drawn
        assert number(0) in drawn


def test_pictures_are_written_to_a_new_or_empty_folder(tictactoe_db_path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "puzzles"
    done = run(tictactoe_db_path, "-n", "3", "-o", folder)
    assert (done.exit_code, done.stderr) == (0, f"{folder}: 3 puzzles\n")
    assert sorted(path.name for path in folder.iterdir()) == [f"puzzle-{nth}.svg" for nth in (1, 2, 3)]
    again = run(tictactoe_db_path, "-n", "3", "-o", folder)
    assert (again.exit_code, again.stderr) == (2, f"Error: {folder} exists already: choose a new folder\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(tictactoe_db_path, "-n", "1", "-o", empty, "--format", "png").exit_code == 0
    assert (empty / "puzzle-1.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "puzzles"]


def test_failed_folder_write_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="cannot write"):
        write_folder(tmp_path / "new", [("a", b"1"), ("a/such", b"2")])
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("mine")
    with pytest.raises(TargetExists):
        write_folder(tmp_path / "file", [])


def test_json_suffix_selects_json(tictactoe_db_path: Path, tmp_path: Path) -> None:
    document = json.loads(run(tictactoe_db_path, "--json").stdout)
    assert run(tictactoe_db_path, "-o", tmp_path / "p.json").exit_code == 0
    assert json.loads((tmp_path / "p.json").read_text()) == document


def test_page_short_of_room_has_each_main_line_to_its_end(
    db: Database, puzzles: list[Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has as much room as these lines have moves."""
    turns, positions, room = set[str](), set[str](), 0
    for puzzle in puzzles:
        entry = db[puzzle.answer.position]
        while not entry.is_terminal:
            room += len(entry.moves)
            positions.add(entry.position)
            if entry.to_move == puzzle.entry.to_move:
                turns.add(entry.position)
            entry = db[next(move.position for move in entry.moves_by_action if move.best)]
    monkeypatch.setattr(play_page, "MAX_PLAYED", room)
    data = data_of(page(db, puzzles))
    rows = {row[0]: row[6] for row in data["positions"]}
    assert all(rows[position] for position in positions)
    assert turns <= {data["positions"][n][0] for n in data["choices"]}
    assert None in rows.values()


def test_slower_moves_that_keep_the_value_are_played_on(db: Database) -> None:
    """Found by following the database, of one puzzle alone so that no other has the positions."""
    (puzzle,) = hardest(db, Wanted(1, outcome="win"))
    waiting, turns, slower = [puzzle.answer.position], set[str](), 0
    while waiting:
        entry = db[waiting.pop()]
        while not entry.is_terminal and entry.to_move != puzzle.entry.to_move:
            entry = db[next(move.position for move in entry.moves_by_action if move.best)]
        if not entry.is_terminal:
            turns.add(entry.position)
            left = [move for move in entry.moves if move.value == puzzle.entry.value]
            waiting += [move.position for move in left]
            slower += sum(not move.best for move in left)
    data = data_of(page(db, [puzzle]))
    assert {data["positions"][n][0] for n in data["choices"]} == {puzzle.entry.position, *turns}
    assert slower
