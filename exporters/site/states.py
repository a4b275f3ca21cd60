"""The states of a site: the representative of each class of symmetric states, in ascending order.

The classes are those of the file or, if every image of a state of the file is in the file, larger ones. A
site without printed rules has all positions as text instead, with the results of all moves.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random
from typing import Any

import numpy as np

from exporters.html.database_page import page_position
from exporters.html.rows import PositionRows
from exporters.site.texts import READ, reads
from solver.analysis.certificates.moves import has_all
from solver.analysis.certificates.strong import LABELS, Records, streams
from solver.database import Database
from solver.database.columns import Selection, merged
from solver.database.packed.block import BLOCK
from solver.packed import PackedGame
from solver.rules.arrays import Keys, distinct, fold, image_of
from solver.rules.asking import actions_of
from solver.rules.failures import rules_asked
from solver.rules.folding import Folding
from solver.rules.notation import write_position
from solver.system.progress import Progress

MAX_LISTED, SAMPLE, MAX_PLIES, MAX_MOVES = 20_000, 4_000, 100, 40_000
"""The most states of a file of which all are taken; otherwise, the states of random play, the plies of one of
its games, and the moves of all games."""


def folding_of_site(db: Database, game: PackedGame) -> Folding:
    """The classes of a folded file, or else the largest classes whose states are all in the file."""
    if db.folded:
        return db.folding
    starts = starts_of(db, game)
    for degree in (2, 1):
        folding = Folding(game, degree)
        if folding.is_possible and not (degree == 2 and db.endless_value) and folding.symmetries:
            images = (image_of(game, symmetry.state, starts) for symmetry in folding.symmetries)
            if all(has_all(db, image) for image in images):
                return folding
    return Folding(game)


def starts_of(db: Database, game: PackedGame, most: int | None = None) -> Keys:
    """The states in which play begins, at most `most`, in the order of the rules: int64.

    They may contain symmetric or equal states.
    """
    if db.has_own_start:
        return np.array([db.state_of(db.start)], np.int64)
    with rules_asked(game, "initial_states"):
        return np.fromiter(islice(game.initial_states(), most), np.int64)


def representatives(
    db: Database, folding: Folding, plies: range | None = None, *, ends: bool = False, least: int = 0
) -> Iterator[Records]:
    """The non-terminal states from `least` on, one of each class, in parts; only those of `plies`, if given.

    Plies are counted from a start. With `ends`, terminal states are included, with value and remoteness 0.
    """
    for states, values, remoteness, over in merged(streams(db, (*LABELS, "is_terminal"), plies)):
        part = Records(states, values, remoteness).part((states >= least) & (~over | ends))
        some = part.part(part.states == fold(folding, part.states).states)
        yield some._replace(values=some.values * (some.remoteness != 0))


def open_per_ply(db: Database) -> list[int]:
    """The number of non-terminal states at each ply, counted from a start, in a game without loops."""
    counts = Counter[int | None]()
    for count in db.counts():
        counts[count.ply] += 0 if count.is_terminal else count.positions
    return [counts[ply] for ply in range(len(+counts))]


def sample_of_ply(db: Database, ply: int, number: int) -> list[int]:
    """About `number` non-terminal states of a ply, evenly spread over all of them, in ascending order."""
    if (packed := db.packed) is None:
        parts = db.columns(("state", "is_terminal"), Selection(range(ply, ply + 1)))
        keys = np.sort(np.concatenate([states[~over] for states, over in parts]))
    else:
        blocks = -(-packed.sizes[ply, 0] // BLOCK)
        ranks = np.unique(np.linspace(0, blocks - 1, min(number, blocks)).astype(np.intp))
        keys = packed.blocks.decoded(ply, 0, ranks).keys
    return [int(key) for key in keys[:: max(1, len(keys) // number)]]


def played(db: Database, game: PackedGame) -> list[int]:
    """Reachable states: all of a small file with their images, otherwise states of random play.

    If random play reaches too few, as in a long game, states from the whole file are added.
    """
    random, starts, states = Random(0), starts_of(db, game, db.starts), dict[int, None]()
    left = MAX_MOVES if len(db) > MAX_LISTED else 0
    while left > 0:
        state, line = int(random.choice(starts)), list[int]()
        while len(line) < MAX_PLIES and (actions := actions_of(game, state)):
            line.append(state)
            with rules_asked(game, "result"):
                state = game.result(state, random.choice(actions))
        states |= dict.fromkeys([*line, state])
        left -= 1 + len(line)
        if len(states) >= SAMPLE:
            return [*states]
    step = 1 + len(db) // (MAX_LISTED + 1)
    known = np.concatenate([keys[::step] for (keys,) in db.columns(("state",))])
    images = [image_of(game, symmetry.state, known) for symmetry in db.folding.symmetries]
    return [*(states | dict.fromkeys(distinct(np.concatenate([known, *images])).tolist()))]


def text_parts(db: Database, about: dict[str, Any], progress: Progress) -> Iterator[tuple[Any, bytes]]:
    """The rows of all positions, in the order of their texts.

    Adds to `about` the shared tables of the rows, and `trims`, whether the game ignores spaces around texts.
    """
    rows, texts = PositionRows(db.game), sorted(_all_texts(db), key=lambda text: text.encode("utf-16-be"))
    numbers = {text: number for number, text in enumerate(texts)}
    for number, text in enumerate(texts):
        row = rows.row(page_position(db, db[text]), numbers)
        yield [number, text], row.encode() + b"\n"
        progress("writing positions", number + 1, len(texts))
    some = texts[:: 1 + len(texts) // READ]
    about |= rows.tables | {"trims": reads(db.game, some, [f" {text} " for text in some])}


def _all_texts(db: Database) -> Iterable[str]:
    """The positions of a file; for a folded file, including their symmetric images."""
    if not db.folded:
        return db
    states = (db.state_of(text) for text in db)
    members = ((state, *(symmetry.state(state) for symmetry in db.folding.symmetries)) for state in states)
    return dict.fromkeys(write_position(db.game, member) for some in members for member in some)
