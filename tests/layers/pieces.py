"""Which modules of the layers engine work piece by piece, for tests that make the pieces small."""

PIECED = (
    "backward",
    "external_sort",
    "sort_search",
    "standing",
    "unfolding",
    "windows.child_streams",
    "windows.label_streams",
)
