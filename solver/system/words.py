"""Counts in words."""


def number_of(count: int, one: str, more: str | None = None) -> str:
    """A count with its noun, as "1 state" or "2,000 states"; `more` is the plural if it is no "s" more."""
    return f"{count:,} {one if count == 1 else more or f'{one}s'}"
