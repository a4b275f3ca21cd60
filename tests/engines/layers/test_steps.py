from itertools import pairwise

from hypothesis import given, strategies as st

from solver.engines.storage.steps import even_ranges


@given(st.integers(0, 500), st.integers(1, 60), st.integers(1, 8))
def test_work_is_divided_evenly_among_workers(items: int, at_most: int, workers: int) -> None:
    ranges = even_ranges(items, at_most, workers)
    assert [nth for begin, end in ranges for nth in range(begin, end)] == list(range(items))
    sizes = [end - begin for begin, end in ranges]
    assert max(sizes, default=0) <= at_most
    assert all(one == other for one, other in pairwise(sizes[:-1]))
    rounds = -(-len(sizes) // workers)
    assert items > (rounds - 1) * workers * at_most or not items  # in fewer rounds they would not fit
