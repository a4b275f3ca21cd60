"""A name that is not known is answered with those that are most like it."""

import pytest

from solver.system.plugins import alike, entries, names_instead

GROUPS = ("games", "players", "commands", "exporters")


@pytest.mark.parametrize("group", GROUPS)
def test_a_name_with_one_letter_wrong_is_understood(group: str) -> None:
    names = list(entries(group))
    for name in (each for each in names if len(each) >= 4):
        for at in range(len(name)):
            for mistyped in (name[:at] + name[at + 1 :], name[:at] + "?" + name[at + 1 :], name.upper()):
                assert name in alike(mistyped, names) or name.startswith(alike(mistyped, names)[0]), mistyped


def test_what_is_like_no_name_is_answered_with_all() -> None:
    assert names_instead("zzz", ["nim", "kayles"]) == "there are nim, kayles"
    assert names_instead("", ["nim"]) == "there are nim"
    assert names_instead("nin", ["nim", "kayles"]) == "there are nim, kayles; did you mean nim?"
    assert names_instead("rwos", ["rows", "k"], "it has") == "it has rows, k; did you mean rows?"
    assert names_instead("x", [], end=", or your own") == "there are , or your own"


def test_names_that_are_hostile_take_no_time() -> None:
    assert alike("x" * 100_000, ["nim", "y" * 100_000]) == []
