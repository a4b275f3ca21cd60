"""The files of a site, as listed in docs/site.md; `site.json` describes the site and indexes its blocks.

If the rules or texts of the game cannot be printed, blocks have lines as described in `exporters.html.rows`.
"""

import json
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import numpy as np

from exporters.html.database_page import live
from exporters.html.page import file_text
from exporters.html.rows import as_json
from exporters.site.blocks import bytes_of_label, encoded, files_of_blocks, finished_blocks, in_parts
from exporters.site.late import known_of_late
from exporters.site.learning import Unlearnable
from exporters.site.rules_code import printed_module
from exporters.site.states import folding_of_site, played, representatives, text_parts
from exporters.site.texts import flaw_of, texts_of
from solver.analysis.certificates.strong import Records
from solver.database import Database
from solver.database.columns import MISSING
from solver.database.wording import game_title
from solver.engines.array_rules.tracing import Untraceable
from solver.errors import TooLarge, summary_of
from solver.game import Game
from solver.packed import PackedGame
from solver.rules.arrays import Keys
from solver.rules.folding import Folding
from solver.rules.named import as_named
from solver.rules.notation import write_action
from solver.system.progress import Progress, no_progress

MAX_TEXTS = 1_000_000
"""The most positions of a site without printed rules."""

MAX_OFFLINE = 20_000_000
"""The most bytes of a site for use without a network."""

CHECKED = 1009
"""The step from one state whose text and picture are checked to the next."""


def site_files(
    db: Database, *, offline: bool = False, done: Path | None = None, progress: Progress = no_progress
) -> Iterator[tuple[str, bytes]]:
    """The name and content of each file; with `offline`, the site also works without a network.

    Blocks of the same site in the folder `done` are reused. Raises `TooLarge` for games too large for a site.
    """
    as_json([*{count.value for count in db.counts()}, db.parameters])  # raises for large integers
    about = {
        "site": 1,
        **as_named(db.game),
        "parameters": db.parameters,
        "title": game_title(db.game),
        "players": db.game.players,
        **{name: getattr(db, name) for name in ("start", "starts", "endless", "folded", "scored")},
        "own_start": db.has_own_start,
        "layout": db.layout,
        "loops": db.has_loops,
        "states": len(db),
        "offline": offline,
    }
    sums, size = dict[str, str](), 0
    for name, content in _contents(db, about, done, progress):
        sums[name], size = sha256(content).hexdigest(), size + len(content)
        if offline and size > MAX_OFFLINE:
            most = f"{MAX_OFFLINE / 1e6:.0f} MB"
            raise TooLarge(f"a browser would have to hold more than {most} of this site: omit --offline")
        yield name, content
    if offline:
        version = sha256(_listed(sums)).hexdigest()
        worker = f'const VERSION = "{version}";\n{file_text("site", "offline.js")}'.encode()
        sums["offline.js"] = sha256(worker).hexdigest()
        yield "offline.js", worker
    yield "SHA256SUMS", _listed(sums)


def _listed(sums: dict[str, str]) -> bytes:
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums)).encode()


def _contents(
    db: Database, about: dict[str, Any], done: Path | None, progress: Progress
) -> Iterator[tuple[str, bytes]]:
    try:
        rules, known = _printed(db, db.game)
        about |= known
        yield "rules.js", rules.encode()
        finished = finished_blocks(done, bytes_of_label(about["labels"])) if done else ()
        blocks = files_of_blocks(finished, partial(_state_parts, db, about, progress), about)
    except (Untraceable, Unlearnable) as error:
        if len(db) * db.folding.size > MAX_TEXTS:
            raise TooLarge(
                f"a site would have to spell out the {len(db):,} positions of {game_title(db.game)}, and has "
                f"room for {MAX_TEXTS:,}: {summary_of(error)}"
            ) from error
        yield "rules.js", b"export {};\n"
        blocks = files_of_blocks((), lambda *_: text_parts(db, about, progress), about)
    yield from blocks
    as_json(about["moves"])
    yield "index.html", live(db, "worker.js", offline=about["offline"]).encode()
    yield "package.json", b'{"type": "module"}\n'
    for name in ("site.js", "late.js", "worker.js", "query.mjs"):
        yield name, file_text("site", name).encode()
    yield "site.json", json.dumps(about, ensure_ascii=False, separators=(",", ":")).encode()


def _printed(db: Database, game: Any) -> tuple[str, dict[str, Any]]:
    """The rules, and the members of `site.json` on states, moves and labels.

    Raises `Untraceable` and `Unlearnable`.
    """
    if not isinstance(game, PackedGame) or type(game).canonical is not Game.canonical:
        raise Unlearnable("its canonical states are not the least integers of their classes")
    rules, states, folding = printed_module(game), played(db, game), folding_of_site(db, game)
    text, picture = texts_of(game, states)
    late = known_of_late(db, game, folding, states)
    labels = {(count.value, count.remoteness) for count in db.counts() if not count.is_terminal}
    return rules, {
        "text": text,
        "picture": picture,
        "fold": folding.degree,
        **late,
        "ends": not late,
        "moves": [write_action(game, action) for action in range(game.action_count)],
        "labels": sorted(labels, key=lambda label: (label[0], MISSING if label[1] is None else label[1])),
    }


def _state_parts(
    db: Database, about: dict[str, Any], progress: Progress, least: int, done: int
) -> Iterator[tuple[str, bytes]]:
    """The parts of states from `least` on, after `done` states."""
    game = cast("PackedGame", db.game)
    labels = [(value, MISSING if plies is None else plies) for value, plies in about["labels"]]
    known = np.array(labels, np.int64).reshape(-1, 2)
    plies = range(about["late"]["ply"]) if "late" in about else None
    folding = Folding(game, about["fold"])
    for some in in_parts(representatives(db, folding, plies, ends=about["ends"], least=least)):
        if flaw := flaw_of(game, about["text"], about["picture"], some.states[::CHECKED].tolist()):
            raise Unlearnable(f"{db.path} can have no site: {flaw}")
        yield str(some.states[0]), encoded(some.states, _label_numbers(known, some), bytes_of_label(known))
        done += len(some.states)
        progress("writing states", done, len(db))


def _label_numbers(known: Keys, some: Records) -> Keys:
    """The index of the label of each state in `known`; any index for terminal states."""
    span, rank = 2 + int(known[:, 1].max(initial=0)), np.unique(known[:, 0]).searchsorted
    listed = rank(known[:, 0]) * span + known[:, 1]
    numbers = listed.searchsorted(rank(some.values) * span + some.remoteness)
    return numbers.clip(max=max(0, len(known) - 1))
