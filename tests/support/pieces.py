"""Which modules of the layers engine work piece by piece, for tests that make the pieces small."""

from importlib.util import find_spec

PIECED = (
    "backward",
    "external_sort",
    "orbits",
    "sort_search",
    "windows.streams",
    *(["windows.merge"] if find_spec("numba") else []),
)
