"""Sorted keys without duplicates."""

import numpy as np

from solver.rules.arrays import Keys, Labels


def distinct(keys: Keys) -> Keys:
    """The keys in ascending order, without duplicates."""
    if len(keys) and not (keys[1:] > keys[:-1]).all():
        keys = np.sort(keys)
        keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))]
    return keys


def distinct_pairs(keys: Keys, labels: Labels) -> tuple[Keys, Labels]:
    """Return the keys in ascending order, without duplicates, and their labels.

    If key and label fit into 63 bits, they are sorted as one integer, which takes a quarter of the time.
    """
    bits = 8 * labels.itemsize
    if keys.max(initial=0) >> (63 - bits) == 0:
        pairs = distinct(keys << bits | labels.view(f"u{labels.itemsize}"))
        return pairs >> bits, pairs.astype(labels.dtype)
    order = np.argsort(keys)
    keys, labels = keys[order], labels[order]
    first = np.concatenate((keys[:1] == keys[:1], keys[1:] != keys[:-1]))
    return keys[first], labels[first]
