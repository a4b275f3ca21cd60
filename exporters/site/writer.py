"""The files of a site, of which `site.json` says what it is and where its blocks begin.

    index.html .... the page
    site.json ..... the game, and what each page begins with      rules.js .... the rules of packed games
    pages/N ....... what a thousand blocks begin with             site.js ..... answers, in pages and in Node
    blocks/N ...... states or positions, in ascending order       query.mjs ... the same on a terminal
    worker.js ..... asks site.js, for the page                    late.js ..... searches where no block is
    offline.js .... holds all files in a browser, if that is wished

Blocks and pages are deflated. A block has parts of up to 4,096 states: their number and the first of them as
LEB128, differences from each to the next, then for each the number of its label in a table, byte by byte. Of
games whose rules or texts cannot be printed a block has lines as `exporters.html.rows` describes them.
"""

import json
import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, cast

import numpy as np

from exporters.html.database_page import live
from exporters.html.page import file_text
from exporters.site.late import known_of_late
from exporters.site.learning import Unlearnable
from exporters.site.rows import text_parts
from exporters.site.rules_code import printed_module
from exporters.site.states import folding_of_site, played, representatives
from exporters.site.texts import flaw_of, texts_of
from solver.analysis.certificates.certificate import leb128_of
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

PART = 4096
"""States of a part of a block."""

MAX_BYTES = 8_000
"""Bytes of a block; a single part may have more."""

PAGE = 1000
"""Blocks of a page."""

MAX_TEXTS = 1_000_000
"""Positions of a site without printed rules."""

MAX_OFFLINE = 20_000_000
"""Bytes of a site for use without a network."""

CHECKED = 1009
"""The steps between states whose texts are checked."""


def site_files(
    db: Database, *, offline: bool = False, progress: Progress = no_progress
) -> Iterator[tuple[str, bytes]]:
    """The name and the content of each file, of a site that works without a network, too, if `offline`.

    Raises `TooLarge` for a game that has no such site.
    """
    about = {
        "site": 1,
        **as_named(db.game),
        "parameters": db.parameters,
        "title": game_title(db.game),
        "players": db.game.players,
        **{name: getattr(db, name) for name in ("start", "starts", "endless", "folded", "scored")},
        "own_start": db.has_own_start,
        "states": len(db),
        "offline": offline,
    }
    sums, size = dict[str, str](), 0
    for name, content in _contents(db, about, progress):
        sums[name], size = sha256(content).hexdigest(), size + len(content)
        if offline and size > MAX_OFFLINE:
            most = f"{MAX_OFFLINE / 1e6:.0f} MB"
            raise TooLarge(f"a browser would have to hold more than {most} of this site: leave --offline out")
        yield name, content
    if offline:
        version = sha256(_listed(sums)).hexdigest()
        worker = f'const VERSION = "{version}";\n{file_text("site", "offline.js")}'.encode()
        sums["offline.js"] = sha256(worker).hexdigest()
        yield "offline.js", worker
    yield "SHA256SUMS", _listed(sums)


def _listed(sums: dict[str, str]) -> bytes:
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums)).encode()


def _contents(db: Database, about: dict[str, Any], progress: Progress) -> Iterator[tuple[str, bytes]]:
    try:
        rules, known = _printed(db, db.game)
        about |= known
        yield "rules.js", rules.encode()
        parts = _state_parts(db, about, progress)
    except (Untraceable, Unlearnable) as error:
        if len(db) * db.folding.size > MAX_TEXTS:
            raise TooLarge(
                f"a site would have to spell out the {len(db):,} positions of {game_title(db.game)}, and has "
                f"room for {MAX_TEXTS:,}: {summary_of(error)}"
            ) from error
        yield "rules.js", b"export {};\n"
        parts = text_parts(db, about, progress)
    yield from _blocks(parts, about)
    yield "index.html", live(db, "worker.js", offline=about["offline"]).encode()
    yield "package.json", b'{"type": "module"}\n'
    for name in ("site.js", "late.js", "worker.js", "query.mjs"):
        yield name, file_text("site", name).encode()
    yield "site.json", json.dumps(about, ensure_ascii=False, separators=(",", ":")).encode()


def _printed(db: Database, game: Any) -> tuple[str, dict[str, Any]]:
    """The rules, how states are written and folded, and moves named; raises `Untraceable`, `Unlearnable`."""
    if not isinstance(game, PackedGame) or type(game).canonical is not Game.canonical:
        raise Unlearnable(
            "its states are not integers of which the least stands for those that are symmetric"
        )
    rules, states, folding = printed_module(game), played(db, game), folding_of_site(db, game)
    text, picture = texts_of(game, states)
    late = known_of_late(db, game, folding, states)
    return rules, {
        "text": text,
        "picture": picture,
        "fold": folding.degree,
        **late,
        "ends": not late,
        "moves": [write_action(game, action) for action in range(game.action_count)],
    }


def _state_parts(db: Database, about: dict[str, Any], progress: Progress) -> Iterator[tuple[str, bytes]]:
    """The states, part by part; `about` is told the table of labels."""
    counts = [count for count in db.counts() if not count.is_terminal]
    labels = sorted(
        {(each.value, MISSING if each.remoteness is None else each.remoteness) for each in counts}
    )
    about["labels"] = [[value, None if plies == MISSING else plies] for value, plies in labels]
    known, game, done = np.array(labels, np.int64).reshape(-1, 2), cast("PackedGame", db.game), 0
    plies = range(about["late"]["ply"]) if "late" in about else None
    states = representatives(db, Folding(game, about["fold"]), plies, ends=about["ends"])
    for some in _in_parts(states):
        if flaw := flaw_of(game, about["text"], some.states[::CHECKED].tolist()):
            raise Unlearnable(f"{db.path} can have no site: {flaw}")
        yield str(some.states[0]), _encoded(some.states, _label_numbers(known, some), 1 + (len(known) > 256))
        done += len(some.states)
        progress("writing states", done, len(db))


def _label_numbers(known: Keys, some: Records) -> Keys:
    """The place of the label of each state among the known ones; where play is over it may be any."""
    span = 2 + int(known[:, 1].max(initial=0))
    numbers = (known[:, 0] * span + known[:, 1]).searchsorted(some.values * span + some.remoteness)
    return numbers.clip(max=max(0, len(known) - 1))


def _in_parts(states: Iterable[Records]) -> Iterator[Records]:
    """The same states in parts of `PART`, of which the last has fewer."""
    rest = None
    for part in states:
        rest = part if rest is None else Records(*map(np.concatenate, zip(rest, part, strict=True)))
        whole = len(rest.states) // PART * PART
        for begin in range(0, whole, PART):
            yield rest.part(slice(begin, begin + PART))
        rest = rest.part(slice(whole, None))
    if rest is not None and len(rest.states):
        yield rest


def _encoded(keys: Keys, labels: Keys, width: int) -> bytes:
    """Some states and their labels, each of so many bytes."""
    gaps = np.diff(keys, prepend=0)
    planes = [(labels >> 8 * nth & 255).astype(np.uint8).tobytes() for nth in range(width)]
    return leb128_of(np.concatenate([[len(keys)], gaps])) + b"".join(planes)


def _blocks(parts: Iterable[tuple[Any, bytes]], about: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """The files of blocks and pages; `about` is told how the pages begin."""
    firsts = list[Any]()
    for first, content in _deflated(parts):
        yield f"blocks/{len(firsts):05}.bin", content
        firsts.append(first)
    pages = [firsts[begin : begin + PAGE] for begin in range(0, len(firsts), PAGE)]
    for nth, page in enumerate(pages):
        yield f"pages/{nth:03}.bin", deflated(json.dumps(page, separators=(",", ":")).encode())
    about["pages"] = [page[0] for page in pages]


def _deflated(parts: Iterable[tuple[Any, bytes]]) -> Iterator[tuple[Any, bytes]]:
    """What each block begins with, and its content."""
    begin, deflate, content = None, _deflater(), b""
    for first, part in parts:
        longer = deflate.copy()
        more = longer.compress(part)
        if begin is not None and len(content) + len(more) + len(longer.copy().flush()) > MAX_BYTES:
            yield begin, content + deflate.flush()
            begin, longer, content = None, _deflater(), b""
            more = longer.compress(part)
        begin = first if begin is None else begin
        deflate, content = longer, content + more
    if begin is not None:
        yield begin, content + deflate.flush()


def deflated(content: bytes) -> bytes:
    """The content as a stream of raw deflate."""
    deflate = _deflater()
    whole: bytes = deflate.compress(content) + deflate.flush()
    return whole


def _deflater() -> Any:
    return zlib.compressobj(9, zlib.DEFLATED, -15, 9)
