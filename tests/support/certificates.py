"""Altered certificates, the programs that check certificates, and claims by brute force."""

import gzip
import json
import runpy
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from solver.analysis.certificates.certificate import Certificate, read_certificate
from solver.analysis.certificates.check import flaw_of
from solver.errors import ForeignFile
from solver.game import AnyGame, sign_for
from solver.rules.asking import actions_of, is_over, mover_of, symmetries_of, utility_of
from solver.rules.named import as_named
from solver.rules.notation import read_position
from tests.support.altered import flipped
from tests.support.games.explicit_graph import ExplicitGame, value_by_definition

CHECKERS = Path(__file__).parents[2] / "exporters" / "checkers"

ONE_BY_ONE = """
const [checker, rules, count, out] = process.argv.slice(1);
const once = (f) => {
  const known = new Map();
  return (s, a = 0) => {
    let row = known.get(s);
    if (row === undefined) known.set(s, (row = []));
    return (row[a] ??= f(s, a));
  };
};
const asked = require(rules);
for (const name of ["is_terminal", "to_move", "utility", "actions", "result"])
  asked[name] = once(asked[name]);
asked.symmetries = asked.symmetries.map(once);
process.exit = (status) => { throw status; };
const statuses = [], print = console.log;
console.log = () => {};
for (let n = 0; n < Number(count); n++) {
  process.argv = ["node", checker, rules, `${out}.${n}`];
  delete require.cache[require.resolve(checker)];
  try { require(checker); statuses.push(0); } catch (status) { statuses.push(status); }
  process.removeAllListeners("uncaughtException");
}
print(JSON.stringify(statuses));
"""
"""A program for Node that runs check.js on many certificates, and asks the rules about a state only once."""


@dataclass(frozen=True)
class Programs:
    """The checkers, with the printed rules of a certificate."""

    out: Path
    """The name of the certificates and of the rules, without suffix."""

    @cached_property
    def compiled(self) -> Path:
        """check.c, compiled with these rules."""
        rules, program = f"{self.out}.rules.h", Path(f"{self.out}.check")
        words = f"cc -O0 -std=c11 -Wall -Wextra -Werror -include {rules} {CHECKERS}/check.c -o {program}"
        subprocess.run(words.split(), check=True)
        return program

    def statuses(self, files: Sequence[bytes]) -> list[list[int]]:
        """The exit statuses of the checkers in C, Python and JavaScript, for files with these contents."""
        paths = [Path(f"{self.out}.{nth}") for nth in range(len(files))]
        for path, content in zip(paths, files, strict=True):
            Path(f"{path}.unpacked").write_bytes(gzip.decompress(content))
            path.write_bytes(content)
        loop = f'for path; do {self.compiled} < "$path.unpacked" > /dev/null; echo $?; done'
        in_c = subprocess.run(["sh", "-c", loop, "sh", *paths], capture_output=True, check=True).stdout
        rules = asked_once(runpy.run_path(f"{self.out}.rules.py"))
        in_python = [status_in_python("check.py", path, rules) for path in paths]
        words = f"{CHECKERS}/check.js", f"{self.out}.rules.js", str(len(paths)), str(self.out)
        in_js = subprocess.run(["node", "-e", ONE_BY_ONE, *words], capture_output=True, check=True).stdout
        return [list(row) for row in zip(map(int, in_c.split()), in_python, json.loads(in_js), strict=True)]


def status_in_c(program: Path, content: bytes) -> int:
    """The exit status of a compiled checker for a file."""
    unpacked = gzip.decompress(content)
    return subprocess.run([program], input=unpacked, capture_output=True, check=False).returncode


@cache
def _code_of(checker: str) -> Any:
    return compile((CHECKERS / checker).read_text(), checker, "exec")


def status_in_python(checker: str, path: Path, rules: Mapping[str, Any]) -> int:
    """The exit status of check.py or strong.py, run in this process, with printed rules."""
    with (
        patch.object(sys, "argv", [checker, "rules.py", str(path)]),
        patch.object(runpy, "run_path", lambda _: rules),
        patch.object(sys, "excepthook", None),
    ):
        try:
            exec(_code_of(checker), {"print": lambda said: None})
        except SystemExit:
            return 1
        except Exception:  # Python would exit with 1, too
            if checker == "strong.py":  # which refuses any labels in words
                raise
            return 1
    return 0


RULES = ("is_terminal", "to_move", "utility", "actions", "result", "parse")


def asked_once(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Rules that cache their answers, for programs that ask about the same states."""
    functions = {name: cache(rules[name]) for name in RULES if name in rules}
    return {**rules, **functions, "SYMMETRIES": [cache(rule) for rule in rules["SYMMETRIES"]]}


def refused_by_program(content: bytes, game: AnyGame, checker: str = "check.py") -> bool:
    """Whether check.py or strong.py refuses a file under these rules."""
    rules = {name: getattr(game, name) for name in RULES}
    rules["SYMMETRIES"] = [symmetry.state for symmetry in game.symmetries()]
    with TemporaryDirectory() as folder:
        path = Path(folder, "some.file")
        path.write_bytes(content)
        return status_in_python(checker, path, rules) == 1


def spoilt_certificates(
    made: Certificate, states: Sequence[Any], random: Random, most: int = 2
) -> Iterator[Certificate]:
    """The certificate with a greater goal, without one of its states, with another rank, with another state.

    At most `most` states are left out in turn, two ranks are changed, and up to two of `states` are added.
    """
    yield replace(made, goal=made.goal + 1)
    places = range(len(made.states))
    for nth in random.sample(places, min(most, len(places))):
        ranks = made.ranks and [*made.ranks[:nth], *made.ranks[nth + 1 :]]
        yield replace(made, states=[*made.states[:nth], *made.states[nth + 1 :]], ranks=ranks)
    if made.ranks is not None:
        for nth in random.sample(places, min(2, len(places))):
            other = max(0, made.ranks[nth] + random.choice([-1, 1]))
            yield replace(made, ranks=[*made.ranks[:nth], other, *made.ranks[nth + 1 :]])
    others = sorted({*states} - {*made.states})
    for more in random.sample(others, min(2, len(others))):
        pairs = sorted([*zip(made.states, made.ranks or [0] * len(places), strict=True), (more, 0)])
        ranks = None if made.ranks is None else [rank for _, rank in pairs]
        yield replace(made, states=[state for state, _ in pairs], ranks=ranks)


def all_flipped(file: bytes, places: Iterable[int], random: Random) -> Iterator[bytes]:
    """The certificate with one bit flipped in each of these bytes of its unpacked content."""
    content = gzip.decompress(file)
    for place in places:
        yield gzip.compress(flipped(content, place, random), 1)


HUGE = "1" + "0" * 30

OTHERWISE = {
    "rules": [""],
    "start": ["-1", "+0", "00", " 0", "0 ", "-0", "0x0", "", "18446744073709551616", HUGE],
    "owner": [" 1", "1 ", "+1", "01", "2", "-1", ""],
    "goal": ["", HUGE, "0x0", "+0", "00", "\N{ARABIC-INDIC DIGIT ZERO}"],
    "endless": ["", "x", "2", "-2", "7", "00", "+0"],
    "symmetries": ["1", "-1", "00", ""],
    "ranks": ["2", "00", "", "-1"],
    "texts": ["00", "2", ""],
    "count": ["+29", "029", "28", "30", "-1", ""],
}
"""Values of lines that are not written as the format has them, or that no certificate has."""


def misspelt(content: bytes) -> Iterator[bytes]:
    """The content of a certificate or a strong solution with a head that is not written in the format."""
    head, _, body = content.partition(b"\n\n")
    lines = head.decode().split("\n")
    heads = [[*lines[:6], lines[7], lines[6], *lines[8:]], [*lines, lines[-1]], [*lines, "\0"]]
    for nth, line in enumerate(lines):
        name, _, value = line.partition(" ")
        others = [f"{name} {other}" for other in OTHERWISE.get(name, ())]
        heads += [[*lines[:nth], *new, *lines[nth + 1 :]] for new in ([], [f"{name}_{value}"], *zip(others))]
    yield from ("\n".join(lines).encode() + b"\n\n" + body for lines in heads)


def is_true(made: Certificate, game: AnyGame) -> bool:
    """Whether the owner can get the goal from the start and from all states of a certificate, by brute force.

    The owner loses by leaving the set: if a reply leads out of it, or if a move of the owner leads out of it
    to a state in which the owner is to move again.
    """
    start, *listed = (
        state if isinstance(state, int) else read_position(game, state)
        for state in (made.start, *made.states)
    )
    maps = symmetries_of(game) if made.symmetries else ()
    inside = {*listed, *(item.state(state) for item in maps for state in listed)}
    nodes = dict[tuple[Any, int], int]()
    todo, children = list[tuple[Any, int]](), list[tuple[int, ...]]()
    movers, utilities = list[int](), list[int]()

    def node(state: Any, moved: int) -> int:
        """The number of a state; `moved` says who left the set by moving to it: 1 the owner, 2 the other."""
        key = state, 0 if state in inside else moved
        if key not in nodes:
            nodes[key] = len(nodes)
            todo.append(key)
        return nodes[key]

    wanted = {node(state, 0) for state in inside} | {node(start, 1)}
    for state, moved in todo:
        over = is_over(game, state)
        mine = not over and mover_of(game, state) == made.owner
        stays = not over and (moved == 0 or (moved == 1 and not mine))
        after = [game.result(state, action) for action in actions_of(game, state)] if stays else []
        children.append(tuple(node(child, 1 if mine else 2) for child in after))
        movers.append(made.owner if mine else 1 - made.owner)
        utilities.append(utility_of(game, state) if over else -99 * sign_for(made.owner))
    values = value_by_definition(ExplicitGame(tuple(children), tuple(movers), tuple(utilities)), made.endless)
    return all(values[number] * sign_for(made.owner) >= made.goal for number in wanted)


def are_true(files: Iterable[bytes], game: AnyGame, path: Path) -> Iterator[bool]:
    """For each claim in files with these contents, written to `path`: whether it is true, ranks aside."""
    claims = dict[bytes, Certificate]()
    for content in files:
        path.write_bytes(content)
        with suppress(ForeignFile):
            claim = replace(read_certificate(path), ranks=None, named=as_named(game), parameters={})
            claims[claim.content] = claim
    yield from (is_true(claim, game) for claim in claims.values())


def refused_by_verify(path: Path, game: AnyGame) -> bool:
    try:
        return flaw_of(read_certificate(path), game) is not None
    except ForeignFile:
        return True
