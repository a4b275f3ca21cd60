"""The choice of moves in a certificate: lists, covers and ranks, against their definitions."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from solver.analysis.certificates import cover as covers
from solver.analysis.certificates.cover import BY_SHARING, WAYS, Lists, Options, cover, ranks


def lists_of(rows: list[set[int]]) -> Lists:
    places = np.array([place for place, row in enumerate(rows) for _ in row], np.int64)
    return Lists.of_pairs(len(rows), places, np.array([item for row in rows for item in row], np.int64))


def rows_of(lists: Lists) -> list[list[int]]:
    ends = zip(lists.bounds[:-1], lists.bounds[1:], strict=True)
    return [lists.items[begin:end].tolist() for begin, end in ends]


ROWS = st.lists(st.sets(st.integers(0, 40), max_size=5), max_size=9)


@given(ROWS, st.data())
def test_lists_are_sorted_and_selected_by_place(rows: list[set[int]], data: Any) -> None:
    lists = lists_of(rows)
    assert rows_of(lists) == [sorted(row) for row in rows]
    assert lists.places().tolist() == [place for place, row in enumerate(rows) for _ in row]
    places = data.draw(st.lists(st.sampled_from(range(len(rows))))) if rows else []
    assert rows_of(lists.at(np.array(places, np.int64))) == [sorted(rows[place]) for place in places]


@st.composite
def options(draw: Any) -> tuple[Options, set[int]]:
    """The options of some states, and what is needed anyway."""
    needs = draw(st.lists(st.sets(st.integers(0, 12), max_size=4), min_size=1, max_size=8))
    some = st.sets(st.sampled_from(range(len(needs))), min_size=1)
    labels = st.lists(st.integers(-2, 5), min_size=len(needs), max_size=len(needs)).map(np.array)
    of_states = lists_of(draw(st.lists(some, min_size=1, max_size=6)))
    return Options(of_states, lists_of(needs), draw(labels), draw(labels)), draw(st.sets(st.integers(0, 12)))


def as_defined(given_options: Options, needed: set[int], way: int) -> list[list[int]]:
    """The cover by the words of its definition."""
    mine, needs = rows_of(given_options.of_states), rows_of(given_options.needs)
    shared = [sum(option in row for row in mine) for option in range(len(needs))]
    taken = dict[int, int]()
    for _ in range(covers.MAX_ROUNDS):
        before = dict(taken)
        for place in sorted(range(len(mine)), key=lambda place: len(mine[place])):
            others = {need for nth, option in taken.items() if nth != place for need in needs[option]}
            added = {option: len({*needs[option]} - others - needed) for option in mine[place]}

            def worth(option: int, added: dict[int, int] = added) -> tuple[Any, ...]:
                last = -given_options.values[option], given_options.remoteness[option], option
                if way == BY_SHARING:
                    return (bool(needs[option]), bool(added[option]), -shared[option], *last)
                return (added[option] / shared[option], -shared[option], *last)

            best = min(mine[place], key=worth)
            if place not in taken or added[best] < added[taken[place]]:
                taken[place] = best
        if taken == before:
            break
    return [needs[taken[place]] for place in range(len(mine))]


@given(options(), st.sampled_from(WAYS))
def test_cover_matches_its_definition(drawn: tuple[Options, set[int]], way: int) -> None:
    given_options, needed = drawn
    made = cover(given_options, np.array(sorted(needed), np.int64), way)
    assert rows_of(made) == as_defined(given_options, needed, way)


@given(ROWS)
def test_ranks_are_one_above_the_highest_successor(rows: list[set[int]]) -> None:
    after = [{item for item in row if place < item < len(rows)} for place, row in enumerate(rows)]
    expected = dict[int, int]()
    for place in reversed(range(len(rows))):
        expected[place] = max((expected[item] + 1 for item in after[place]), default=0)
    assert ranks(lists_of(after)).tolist() == [expected[place] for place in range(len(rows))]


def test_machine_code_matches_the_definitions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covers, "COMPILED_FROM", 0)
    for test in (test_cover_matches_its_definition, test_ranks_are_one_above_the_highest_successor):
        settings(max_examples=100)(test)()
