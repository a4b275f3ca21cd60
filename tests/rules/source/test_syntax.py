"""Digests of source distinguish behaviour from formatting."""

import ast
from pathlib import Path

import pytest

import solver
from solver.rules.source.syntax import MAX_PARSED_BYTES, syntax_of

SOURCE = '''
"""Rules."""
import os
from .. import lines as rows
from ..grid import Grid, CELLS
from solver.games import nim

class Pile(Grid):
    """A pile."""
    most: int = 3

    def actions(self, state, *, few=False):
        """Take one, two or three."""
        return [n for n in range(1, self.most + 1) if n <= state and not few]

    def name(self, state):
        return f"{state!r:>{self.most}} left"
'''

DIGEST = "0e8a454c07fbe635a068d234d74d198b1ccac44565128ddfd584cc67e685fbc2"
"""It stays: databases are known by it."""

SAME = {
    "a comment": ("most: int = 3", "most: int = 3  # by the rules"),
    "a docstring": ('"""A pile."""', '"""Some matches."""'),
    "no docstring": ('        """Take one, two or three."""\n', ""),
    "a text that nothing uses": ("most: int = 3", 'most: int = 3\n    """The most."""'),
    "pass": ("most: int = 3", "most: int = 3\n    pass"),
    "a moved line": ("class Pile", "\n\n\nclass Pile"),
    "brackets": ("self.most + 1)", "(self.most + (1)))"),
    "quotes": ('f"{state', "f'''{state"),
    "a line that is broken": ("[n for n in", "[\n            n\n            for n in"),
    "other spelling of a number": ("= 3", "= 0x3"),
}

OTHER = {
    "a constant": ("= 3", "= 4"),
    "its type": ("= 3", "= 3.0"),
    "a truth": ("few=False", "few=0"),
    "an operator": ("n <= state", "n < state"),
    "a default": ("few=False", "few=True"),
    "a name": ("class Pile", "class Heap"),
    "a base": ("(Grid)", "(object)"),
    "an annotation": ("most: int", "most: str"),
    "a keyword argument that was positional": ("state, *, few", "state, few"),
    "an import": ("import os", "import sys"),
    "its level": ("from ..grid", "from .grid"),
    "a conversion": ("state!r", "state!s"),
    "a text": (" left", " gone"),
    "no text": (" left", ""),
    "a condition": ("not few", "few"),
    "a condition less": (" and not few", ""),
    "the order": ("n in range(1, self.most + 1)", "n in range(self.most + 1, 1)"),
    "None": ("return [n", "return None or [n"),
}


def changed(old: str, new: str) -> str:
    assert SOURCE.count(old) == 1
    text = SOURCE.replace(old, new)
    return text.replace('left"', "left'''") if "'''" in new else text


def digest(text: str) -> str:
    return syntax_of(text.encode()).digest


@pytest.mark.parametrize("change", SAME)
def test_formatting_does_not_change_the_digest(change: str) -> None:
    assert digest(changed(*SAME[change])) == digest(SOURCE)


def test_changes_of_behaviour_change_the_digest() -> None:
    texts = [SOURCE, *(changed(*OTHER[change]) for change in OTHER)]
    assert len(set(map(digest, texts))) == len(texts)


@pytest.mark.parametrize(
    "path", sorted(Path(solver.__file__).parent.glob("games/*.py")), ids=lambda path: path.stem
)
def test_reformatted_rules_have_the_same_digest(path: Path) -> None:
    text = path.read_text()
    assert digest(ast.unparse(ast.parse(text))) == digest(text)


def test_digest_equals_the_stored_one() -> None:
    assert digest(SOURCE) == DIGEST


def test_imports_are_collected_at_any_depth() -> None:
    text = f"{SOURCE}\n    def late(self):\n        import a.b, c as d\n"
    here, above = ("os", "a.b", "c", "solver.games.nim"), ("lines", "grid.Grid", "grid.CELLS")
    expected = {(0, name) for name in here} | {(2, name) for name in above}
    assert syntax_of(text.encode()).imports == expected


def test_imports_are_collected_in_every_block_of_a_statement() -> None:
    blocks = """
match 1:
    case 1: import a
try: import b
except OSError: import c
else: import d
finally: import e
for _ in (): import f
else: import g
while 0: import h
else: import i
if 0: import j
elif 0: import k
else: import l
try: import m
except* OSError: import n
async def coroutine():
    async with x: import o
    async for _ in x: import p
"""
    assert syntax_of(blocks.encode()).imports == {(0, name) for name in "abcdefghijklmnop"}


@pytest.mark.parametrize(
    "source",
    [
        *(b"", b"nonsense(", b"\xff\xfe", b"x = 1\0", b"(" * 10_000 + b")" * 10_000, b"-" * 200_000 + b"1"),
        *(b"x" + b".x" * 100_000, b"1+" * 140_000 + b"1", b"#" * (MAX_PARSED_BYTES + 1)),
    ],
    ids=lambda source: source[:9].hex(),
)
def test_source_that_is_no_code_is_digested_by_its_bytes(source: bytes) -> None:
    one, other = syntax_of(source), syntax_of(source + b"\nx")
    assert len(one.digest) == 64
    assert one.digest != other.digest
    assert one.imports == frozenset()
