"""The names that there are, told to somebody who asked for one that there is not."""

from collections.abc import Iterable


def names_instead(asked: str, known: Iterable[str], begin: str = "there are", end: str = "") -> str:
    """The known names in words, and those that `asked` is most like, if it is like any.

    "there are kayles, nim" or, where "nin" was asked, "there are kayles, nim; did you mean nim?".
    """
    names = list(known)
    near = alike(asked, names)
    return f"{begin} {', '.join(names)}{end}" + (f"; did you mean {' or '.join(near)}?" if near else "")


def alike(asked: str, known: Iterable[str]) -> list[str]:
    """At most two of the known names, those most like `asked`, whatever its case; none if none is like it."""
    from difflib import get_close_matches  # which only mistakes need

    lowered = {name.lower(): name for name in known}
    return [lowered[name] for name in get_close_matches(asked.lower(), lowered, n=2, cutoff=0.6)]
