"""Which modules of the layers engine work piece by piece, for tests that make the pieces small."""

PIECED = (
    "backward",
    "external_sort",
    "orbits",
    "sort_search",
    "windows.child_streams",
    "windows.label_streams",
    "windows.merge",
)
