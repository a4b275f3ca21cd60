"""Control characters never reach a terminal, and JSON stays the same."""

import io
import json
import sys

import pytest
from hypothesis import given, strategies as st

from solver.system.terminal import Printing, bare, printable, printing

ANY = st.text(st.characters(), max_size=30)
"""Texts of any characters, lone surrogates too."""


@given(ANY)
def test_printable_escapes_only_unprintable_characters(text: str) -> None:
    shown, left = printable(text), "".join(char for char in text if char.isprintable())
    assert all(char.isprintable() or char in "\n\t" for char in shown)
    assert (printable(shown), printable(left)) == (shown, left)


@given(st.dictionaries(ANY, ANY | st.integers() | st.lists(ANY)))
def test_printable_preserves_the_meaning_of_json(value: object) -> None:
    for indent in (None, 1):
        assert json.loads(printable(json.dumps(value, ensure_ascii=False, indent=indent))) == value


@given(ANY, st.sampled_from(["ascii", "latin-1", "cp1252", "utf-8"]))
def test_printing_works_in_every_encoding(text: str, encoding: str) -> None:
    data = io.BytesIO()
    stream = Printing(io.TextIOWrapper(data, encoding, newline=""))
    stream.writelines([json.dumps({"text": text}, ensure_ascii=False)])
    stream.flush()
    assert json.loads(data.getvalue().decode(encoding)) == {"text": text}


def test_printable_uses_the_escapes_of_json() -> None:
    assert printable("\x1b[31m \u202e \r \U000e0001 é\n") == "\\u001b[31m \\u202e \\r \\udb40\\udc01 é\n"


def test_printing_writes_bytes_unchanged(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with printing():
        print("\x1b")
        sys.stdout.flush()
        sys.stdout.buffer.write(b"\x1b\n")
        sys.stdout.close()  # as rules may do
        sys.stdout.flush()
    assert capfdbinary.readouterr().out == b"\\u001b\n\x1b\n"


def test_printing_restores_the_streams() -> None:
    before = sys.stdout, sys.stderr
    with printing():
        assert (bare(sys.stdout), bare(sys.stderr)) == before
    assert (sys.stdout, sys.stderr) == before
    assert bare(sys.stdout) is sys.stdout


def test_printing_does_not_undo_a_replaced_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    other = io.StringIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", sys.stdout)  # to be restored
        with printing():
            sys.stdout = other
        assert sys.stdout is other
