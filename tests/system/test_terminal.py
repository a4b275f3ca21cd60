"""What reaches a terminal is text, and JSON on the way stays what it was."""

import io
import json
import sys

import pytest
from hypothesis import given, strategies as st

from solver.system.terminal import Printing, bare, printable, printing

ANY = st.text(st.characters(), max_size=30)
"""Texts of any characters, lone surrogates too."""


@given(ANY)
def test_nothing_is_left_that_cannot_be_printed_and_what_can_be_stays(text: str) -> None:
    shown, left = printable(text), "".join(char for char in text if char.isprintable())
    assert all(char.isprintable() or char in "\n\t" for char in shown)
    assert (printable(shown), printable(left)) == (shown, left)


@given(st.dictionaries(ANY, ANY | st.integers() | st.lists(ANY)))
def test_json_means_the_same_afterwards(value: object) -> None:
    for indent in (None, 1):
        assert json.loads(printable(json.dumps(value, ensure_ascii=False, indent=indent))) == value


@given(ANY, st.sampled_from(["ascii", "latin-1", "cp1252", "utf-8"]))
def test_no_encoding_is_too_small(text: str, encoding: str) -> None:
    data = io.BytesIO()
    stream = Printing(io.TextIOWrapper(data, encoding, newline=""))
    stream.writelines([json.dumps({"text": text}, ensure_ascii=False)])
    stream.flush()
    assert json.loads(data.getvalue().decode(encoding)) == {"text": text}


def test_escapes_are_those_of_json() -> None:
    assert printable("\x1b[31m \u202e \r \U000e0001 é\n") == "\\u001b[31m \\u202e \\r \\udb40\\udc01 é\n"


def test_bytes_are_data(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with printing():
        print("\x1b")
        sys.stdout.flush()
        sys.stdout.buffer.write(b"\x1b\n")
        sys.stdout.close()  # as rules may do
        sys.stdout.flush()
    assert capfdbinary.readouterr().out == b"\\u001b\n\x1b\n"


def test_the_streams_are_afterwards_what_they_were() -> None:
    before = sys.stdout, sys.stderr
    with printing():
        assert (bare(sys.stdout), bare(sys.stderr)) == before
    assert (sys.stdout, sys.stderr) == before
    assert bare(sys.stdout) is sys.stdout


def test_a_stream_that_was_put_in_place_within_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    other = io.StringIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", sys.stdout)  # to be restored
        with printing():
            sys.stdout = other
        assert sys.stdout is other
