"""The texts of a packed game's states as tables, which are learned from texts and need none of its Python.

A text is a row of slots: the characters of words with the same length in all texts, other words as a whole,
and finally a rest that only some texts have. A group of bits of the state decides certain slots, whatever the
other bits are, by a table with the value of the group as key. Slots that no group writes are blank:

    xo./.../... x      bits 1 and 10 decide slot 0: it is "." for 0, "x" for 1, "o" for 2

If many groups write to the same slots, as with chessmen, their effects do not depend on each other. In a FEN
text, empty squares are written as dots here. Bits that no slot shows are hidden (with the wrong side to move,
a game may write an additional word). They follow from the other bits: each value of a group may flip them.
All tables are checked against the texts of the game, and alternative characters that it reads are recorded.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import Random

from exporters.site.learning import Cells, Learner, Table, Unlearnable, value_in, with_each_bit, written
from solver.errors import SolverError
from solver.game import AnyGame
from solver.packed import PackedGame
from solver.rules.asking import board_of, mover_of, picture_of
from solver.rules.notation import read_position, write_position

TOKEN = re.compile(r"[^ /,\n]+|[ /,\n]")
"""A word of a text, or a separator."""

RUN, DOTS = re.compile("[1-9]"), re.compile(r"\.+")

LEARNED, CHECKED, READ = 500, 20_000, 50
"""The numbers of states whose texts are learned from, checked, and read with alternative characters."""


def texts_of(game: PackedGame, played: Sequence[int]) -> tuple[Table, Table | None]:
    """The tables of positions, and of boards or pictures; None if pictures are the same as positions.

    They are learned from some of the reachable states `played`. Raises `Unlearnable`.
    """
    some = Random(0).sample(played, min(LEARNED, len(played)))
    states = [*dict.fromkeys([*some, *with_each_bit(played)])]
    texts = [write_position(game, state) for state in states]
    plain, without_runs = _shape(texts), _shape([*map(_without_runs, texts)])
    if runs := without_runs.count(None) < plain.count(None):
        text = _of_texts(states, without_runs, lambda state: _without_runs(write_position(game, state)))
    else:
        text = _of_texts(states, plain, partial(write_position, game))
    text |= {"runs": runs, **_read_as(game, states, texts)}
    picture = _picture(game, states, [group["bits"] for group in text["groups"]])
    if flaw := flaw_of(game, text, picture, played[:: 1 + len(played) // CHECKED]):
        raise Unlearnable(flaw)
    _note_flips(text, played)
    return text, picture


def flaw_of(game: PackedGame, text: Table, picture: Table | None, states: Iterable[int]) -> str | None:
    """The first difference, in words, between game and tables for these states; None if there is none."""
    for state in states:
        wanted, slots = write_position(game, state), written(text, state)
        known = "".join(slots or ())
        if text["runs"]:
            known = DOTS.sub(lambda dots: str(len(dots[0])), known)
        if known != wanted:
            return f"the text {wanted!r} does not follow from single groups of bits"
        if picture and written(picture, state) != _drawn(game, picture, state):
            return f"the picture of {wanted!r} does not follow from single groups of bits"
        if picture is None and picture_of(game, state) != wanted:
            return f"most positions are their own pictures, but {wanted!r} is not"
    return None


def _drawn(game: PackedGame, picture: Table, state: int) -> Cells:
    """The cells of the board of a state, or the slots of its picture; None if they have another shape."""
    if "shape" in picture:
        return _slots(picture["shape"], picture_of(game, state))
    board = board_of(game, state) or ()
    return [*sum(board, ())] if [*map(len, board)] == picture["rows"] else None


def _read_as(game: PackedGame, states: Sequence[int], texts: Sequence[str]) -> Table:
    """The variants of its texts that the game also reads, as people may type them.

    `also` maps characters to those as which they are read. `joined` says whether `/` may be anywhere in
    boards, `fen` whether the rest of a FEN position may follow, `named` whether the side to move may be added
    where it is missing, and `last` which last word may be left out, if any.
    """
    letters = sorted({*"".join(texts)})
    spelled = {"_": ".", "-": "."} | {char.upper(): char for char in letters if len(char.upper()) == 1}
    changes = {
        (other, plain): [text.replace(plain, other) for text in texts]
        for other, plain in spelled.items()
        if plain in letters and other not in letters
    }
    joined = [f"/{text}" for text in texts], [text.replace("/", "") for text in texts]
    ending = {name: [text for text in texts if text.endswith(f" {name}")] for name in game.players}
    last = [
        name
        for name, some in ending.items()
        if some and reads(game, some, [text.removesuffix(f" {name}") for text in some])
    ]
    sides = tuple(f" {name}" for name in game.players)
    named = {
        text: text + sides[mover_of(game, state)]
        for state, text in zip(states, texts, strict=True)
        if not text.endswith(sides)
    }
    return {
        "also": dict(pair for pair, changed in changes.items() if reads(game, texts, changed)),
        "joined": all(reads(game, texts, changed) for changed in joined),
        "fen": reads(game, texts, [f"{text} - - 0 1" for text in texts]),
        "named": bool(named) and reads(game, [*named], [*named.values()]),
        "last": last[0] if len(last) == 1 else None,
    }


def reads(game: AnyGame, texts: Sequence[str], changed: Sequence[str]) -> bool:
    """Whether the game reads the changed texts, of which the first `READ` are tried, as the original ones."""
    pairs = [pair for pair in zip(texts, changed, strict=True) if len({*pair}) > 1][:READ]
    try:
        return all(read_position(game, one) == read_position(game, other) for one, other in pairs)
    except SolverError:
        return False


def _picture(game: PackedGame, states: Sequence[int], groups: Sequence[Sequence[int]]) -> Table | None:
    boards = (board_of(game, state) for state in states)
    if board := next((board for board in boards if board and all(board)), None):
        rows: Table = {"rows": [*map(len, board)]}
        return Learner(states, partial(_drawn, game, rows), groups).table() | rows
    pictures = [picture_of(game, state) for state in states]
    if pictures == [write_position(game, state) for state in states]:
        return None
    return _of_texts(states, _shape(pictures), partial(picture_of, game), groups)


def _of_texts(
    states: Sequence[int],
    shape: Sequence[int | None],
    write: Callable[[int], str],
    groups: Sequence[Sequence[int]] | None = None,
) -> Table:
    return Learner(states, lambda state: _slots(shape, write(state)), groups).table() | {"shape": [*shape]}


def _shape(texts: Sequence[str]) -> list[int | None]:
    """The length of each word that all texts have; None if it differs."""
    lengths = [{*map(len, words)} for words in zip(*map(TOKEN.findall, texts), strict=False)]
    return [sizes.pop() if len(sizes) == 1 else None for sizes in lengths]


def _slots(shape: Sequence[int | None], text: str) -> Cells:
    words, slots = TOKEN.findall(text), list[str]()
    if len(words) < len(shape):
        return None
    for word, length in zip(words, shape, strict=False):
        if length is not None and len(word) != length:
            return None
        slots += [word] if length is None else word
    return [*slots, "".join(words[len(shape) :])]


def _without_runs(text: str) -> str:
    return RUN.sub(lambda digit: "." * int(digit[0]), text)


def _note_flips(table: Table, states: Sequence[int]) -> None:
    """Record which hidden bits each value of a group flips, None if unknown, as it follows from states.

    In the first state no bit is flipped. A state determines the flips of one value if those of the values of
    all other groups are known. Nothing is recorded if two states contradict each other.
    """
    groups, hidden = table["groups"], table["hidden"]
    shown = sum(1 << bit for group in groups for bit in group["bits"])
    table["rest"] = str(states[0] & ~shown)
    flips = {(nth, value_in(group, states[0])): 0 for nth, group in enumerate(groups)}
    waiting, number = [*states], 0
    while hidden and number < (number := len(flips)):
        left = list[int]()
        for state in waiting:
            values = [(nth, value_in(group, state)) for nth, group in enumerate(groups)]
            unknown = [pair for pair in values if pair not in flips]
            bits = sum(((state ^ states[0]) >> bit & 1) << nth for nth, bit in enumerate(hidden))
            for pair in values:
                bits ^= flips.get(pair, 0)
            if len(unknown) == 1:
                flips[unknown[0]] = bits
            elif unknown:
                left.append(state)
            elif bits:
                return
        waiting = left
    for nth, group in enumerate(groups):
        for value, effect in group["table"].items():
            effect[0] = flips.get((nth, int(value))) if hidden else 0
