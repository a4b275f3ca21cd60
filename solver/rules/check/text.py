"""Checks how states are written, read and drawn."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from solver.errors import SolverError, shown
from solver.game import NO_PARSE, AnyGame, Game
from solver.rules.asking import board_of, cell_names_of, guess_of, look_of, picture_of, title_of
from solver.rules.check.answers import Fault, hash_of
from solver.rules.source.neighbours import raised

ASKED = {"show": picture_of, "board": board_of, "evaluate": guess_of}
"""The functions that ask other rules about a state, by rule."""


def faults_of_text(game: AnyGame, state: Any, texts: dict[str, Any]) -> Iterator[Fault]:
    """The faults of a state's text, which is added to the `texts` of other states."""
    rule = "position"
    try:
        text = game.position(state)
        yield from _faults_of_line(state, text)
        rule = "parse"
        again = game.parse(text)
    except (Exception, SystemExit) as error:
        yield Fault(rule, f"the state {shown(state)}: {rule} raises {raised(error)}")
        return
    where = f"the position {shown(text)}"
    if again != state:
        why = f": {NO_PARSE}" if type(game).parse is Game.parse is not type(game).position else ""
        yield Fault("parse", f"{where}: it is the text of {shown(state)}, but read as {shown(again)}{why}")
    elif hash_of(again) != hash_of(state):
        yield Fault("hash", f"{where}: {shown(state)} and {shown(again)} are equal, but their hashes are not")
    if texts.setdefault(text, state) != state:
        yield Fault("position", f"{where}: it stands for two states, {shown(texts[text])} and {shown(state)}")


def faults_of_play(game: AnyGame, state: Any) -> Iterator[Fault]:
    """The faults of pictures of a state and of its heuristic value."""
    for rule, ask in ASKED.items():
        with _told(rule) as faults:
            ask(game, state)
        yield from faults


def faults_of_look(game: AnyGame) -> Iterator[Fault]:
    """The faults of the style in which boards are drawn, of the names of their cells and of the title."""
    for rule, ask in (("look", look_of), ("cell_names", cell_names_of), ("title", title_of)):
        with _told(rule) as faults:
            ask(game)
        yield from faults


@contextmanager
def _told(rule: str) -> Iterator[list[Fault]]:
    """A list, to which a failure in the block is added as a fault of `rule`."""
    faults: list[Fault] = []
    try:
        yield faults
    except (Exception, SystemExit) as error:
        words = str(error) if isinstance(error, SolverError) else f"{rule} raises {raised(error)}"
        faults.append(Fault(rule, words))


def _faults_of_line(state: Any, text: Any) -> Iterator[Fault]:
    """The fault of a text that is not one line that can be typed."""
    if not isinstance(text, str) or not text.isprintable() or text != text.strip() or not text:
        yield Fault(
            "position", f"the state {shown(state)}: position should be a text in one line, not {shown(text)}"
        )
