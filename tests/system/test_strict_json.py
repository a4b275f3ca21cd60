"""JSON is read within bounds; anything beyond them is refused."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from exporters import plan_json
from solver import Database, make_plan
from solver.errors import ForeignFile, MissingFile, PlanTooLarge
from solver.system.strict_json import MAX_DEPTH, MAX_NUMBER_LENGTH, MAX_TEXT_LENGTH, parse_json, read_json


def nested(depth: int) -> Any:
    actual: Any = 1
    for level in range(depth):
        actual = [actual] if level % 2 else {"x": actual}
    return actual


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, [], {}, "", "ä\U0001d4b3\x00", 1.5, -(2**63), [1, [2]], {"a": {"a": 1}}),
        *(10 ** (MAX_NUMBER_LENGTH - 1), nested(MAX_DEPTH), "x" * MAX_TEXT_LENGTH),
    ],
)
def test_valid_json_is_read(tmp_path: Path, value: Any) -> None:
    path = tmp_path / "some.json"
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1)):
        for encoding in ("utf-8", "utf-8-sig"):  # the second as Windows writes it, with a byte order mark
            path.write_text(text, encoding)
            assert read_json(path) == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "Expecting value"),
        (b"{", "Expecting property name"),
        (b'{"a": 1, "b": {"c": 1, "d": 2, "c": 1}}', "the key 'c' comes twice"),
        (b"[NaN]", "NaN is not a number"),
        (b"[-Infinity]", "-Infinity is not a number"),
        (b"1e999", "the number 1e999 is too large"),
        (b"1" * (MAX_NUMBER_LENGTH + 1), "has more than 100 characters"),
        (b"0." + b"1" * MAX_NUMBER_LENGTH, "has more than 100 characters"),
        (json.dumps(nested(MAX_DEPTH + 1)).encode(), "more than 20 arrays and objects are nested"),
        (b"[" * 100_000, "too deep"),
        (rb'["\ud800"]', "surrogates not allowed"),
        (rb'{"\udfff": 1}', "surrogates not allowed"),
        (b'["' + b"x" * (MAX_TEXT_LENGTH + 1) + b'"]', "has more than 100,000 characters"),
        (b"\xff\xfe{}", "it should be text in UTF-8"),
    ],
)
def test_invalid_json_is_refused(text: bytes, says: str) -> None:
    with pytest.raises(ForeignFile, match="from somewhere is not JSON: .*" + says):
        parse_json(text, "what comes from somewhere")


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match=r"none\.json does not exist"):
        read_json(tmp_path / "none.json")
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(MissingFile, match=r"pipe\.json is no regular file"):
        read_json(tmp_path / "pipe.json")


def test_too_large_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "zeros").touch()
    os.truncate(tmp_path / "zeros", 2**34)
    with pytest.raises(ForeignFile, match="zeros is too large: it has more than 16,777,216 bytes"):
        read_json(tmp_path / "zeros")
    with pytest.raises(ForeignFile, match="text is too large: it has more than 1,000,000 values"):
        parse_json(b"[" + b"1," * 1_000_000 + b"1]", "the text")


@pytest.mark.parametrize(("bound", "says"), [("MAX_BYTES", "bytes"), ("MAX_VALUES", "values")])
def test_plan_too_large_to_be_read_is_not_written(
    tictactoe: Database, monkeypatch: pytest.MonkeyPatch, bound: str, says: str
) -> None:
    plan = make_plan(tictactoe)
    parse_json(plan_json.render(plan).encode(), "the plan")
    monkeypatch.setattr(f"solver.system.strict_json.{bound}", 100)
    with pytest.raises(PlanTooLarge, match=f"it has more than 100 {says}; choose a later position"):
        plan_json.render(plan)
