"""States that are not in a file get no answer, in either layout."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from solver import Database, open_database
from solver.errors import UnknownPosition, UnreadablePosition
from tests.support.drawn import drawn
from tests.support.solved import solved_file

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("mnk", {"rows": 2, "columns": 3, "k": 2}, {}),
    ("mnk", {"rows": 2, "columns": 3, "k": 2}, {"fold": True}),
    ("connect", {"rows": 3, "columns": 3, "k": 3}, {"fold": True}),
    ("dots-and-boxes", {"rows": 1, "columns": 2}, {}),
    ("ponghauki", {}, {}),
]


@pytest.fixture(
    scope="module", params=[(*case, layout) for case in CASES for layout in ("readable", "packed")]
)
def solved(request: pytest.FixtureRequest) -> Iterator[tuple[Database, list[int]]]:
    """A database, and all states that it answers for, in order."""
    name, parameters, options, layout = request.param
    with open_database(solved_file(name, parameters, layout=layout, **options)) as db:
        known = {db.game.parse(text) for text in db}
        if db.folded:
            known |= {symmetry.state(state) for state in known for symmetry in db.game.symmetries()}
        yield db, sorted(known)


AT = st.integers(0, 10_000)
STRAY = st.one_of(
    st.tuples(st.just("flip"), st.integers(0, 70), AT),
    st.tuples(st.just("add"), st.sampled_from([-1, 1, 2**62, 2**63, -(2**63), 10**30]), AT),
    st.tuples(st.just("is"), st.integers(-(10**31), 10**31), st.just(0)),
    st.tuples(st.just("is"), st.sampled_from([2**62, 2**63, 2**63 - 1, 2**64, 10**30, -1]), st.just(0)),
)


def stray(known: list[int], how: tuple[str, int, int]) -> int:
    kind, number, at = how
    state = known[at % len(known)]
    return number if kind == "is" else state ^ 1 << number if kind == "flip" else state + number


@drawn(20, 200, how=STRAY)
def test_state_missing_from_the_file_is_unknown(solved: tuple[Database, list[int]], how: Any) -> None:
    db, known = solved
    state = stray(known, how)
    if state in known:
        assert db.probe(state) == db.probe(db.game.position(state))
        return
    with pytest.raises((UnknownPosition, UnreadablePosition)):
        db.probe(state)
    with pytest.raises((UnknownPosition, UnreadablePosition)):
        db.lookup([known[0], state])  # type: ignore[list-item]
    for dtype, least, most in (("i8", -(2**63), 2**63 - 1), ("u8", 0, 2**64 - 1), ("O", -(10**40), 10**40)):
        if least <= state <= most:
            assert db.present(np.array([known[0], state], dtype))[0].tolist() == [True, False]
            with pytest.raises((UnknownPosition, UnreadablePosition)):
                db.lookup(np.array([known[0], state], dtype))


@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.uint16, np.int16, int])
def test_state_may_be_any_kind_of_integer(solved: tuple[Database, list[int]], kind: Any) -> None:
    db, known = solved
    few = [state for state in known if state < 2**15][:20]
    for state in few:
        assert db.probe(kind(state)) == db.probe(db.game.position(state))
    actual = db.lookup(np.array(few, kind))
    assert actual.value.tolist() == [db.probe(state).value for state in few]
    present, values, _ = db.present(np.array(few, kind))
    assert present.all()
    assert values.tolist() == actual.value.tolist()


@pytest.mark.parametrize("other", [True, 1.0, np.float64(1), None, b"x", (1,), np.True_, [1]])
def test_only_texts_and_integers_are_positions(solved: tuple[Database, list[int]], other: Any) -> None:
    db, _ = solved
    with pytest.raises(UnreadablePosition, match="a text, or a state that is an integer"):
        db.probe(other)
    with pytest.raises(UnreadablePosition):
        db.lookup([other])
    with pytest.raises(UnreadablePosition):
        db.lookup(np.array([1.5, 2.0]))
    with pytest.raises(UnreadablePosition):
        db.lookup(np.array([[1], [2]]))
    assert not db.present([other, "\ud800", "?", ""])[0].any()
