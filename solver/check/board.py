"""Where states are not written, read and drawn as they should be."""

from collections.abc import Iterator
from typing import Any

from solver.check.rule import Fault, hash_of
from solver.plugins import AnyGame


def faults_of_text(game: AnyGame, state: Any, texts: dict[str, Any]) -> Iterator[Fault]:
    """The faults of a state's text and picture, which are put with those of other states into `texts`."""
    rule = "position"
    try:
        text = game.position(state)
        yield from _faults_of_line(state, text)
        rule = "parse"
        again = game.parse(text)
        rule = "show"
        shown, board = game.show(state), game.board(state)
    except (Exception, SystemExit) as error:
        yield Fault(rule, f"the state {state!r}: {rule} raises {type(error).__name__}: {error}")
        return
    where = f"the position {text!r}"
    if again != state:
        yield Fault("parse", f"{where}: it is the text of {state!r}, but read as {again!r}")
    elif hash_of(again) != hash_of(state):
        yield Fault("hash", f"{where}: {state!r} and {again!r} are equal, but their hashes are not")
    if texts.setdefault(text, state) != state:
        yield Fault("position", f"{where}: it stands for two states, {texts[text]!r} and {state!r}")
    if not isinstance(shown, str):
        yield Fault("show", f"{where}: show should be a text, not {shown!r}")
    if board is not None and not all(isinstance(cell, str) for row in board for cell in row):
        yield Fault("board", f"{where}: board should be rows of texts, not {board!r}")


def _faults_of_line(state: Any, text: Any) -> Iterator[Fault]:
    """Where the text of a state is not one line that can be typed."""
    if not isinstance(text, str) or not text.isprintable() or text != text.strip() or not text:
        yield Fault("position", f"the state {state!r}: position should be a text in one line, not {text!r}")
