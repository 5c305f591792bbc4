"""What is allowed and still looks wrong: whoever is told of it can say whether it is meant."""

from __future__ import annotations

import numpy as np

from tkae.data.collection import Collection


def doubts(x: Collection) -> list[str]:
    """A sentence for each thing about series that a model learns from and nobody would want."""
    low = np.where(x.observed, x.values, np.inf).min(axis=(0, 1))  # (V)
    high = np.where(x.observed, x.values, -np.inf).max(axis=(0, 1))
    empty = [
        name
        for name, seen in zip(x.variates, np.asarray(x.observed.any(axis=(0, 1))), strict=True)
        if not seen
    ]
    flat = [name for name, same in zip(x.variates, low == high, strict=True) if same]
    gone = [
        name for name, seen in zip(x.names, np.asarray(x.observed.any(axis=(1, 2))), strict=True) if not seen
    ]
    found = []
    if empty:
        found.append(f"{_named('variate', empty)} never observed: nothing can be learned of it; leave it out")
    if flat and len(x) * int(x.lengths.max()) > 1:
        found.append(f"{_named('variate', flat)} the same wherever it is observed: it tells nothing")
    if gone:
        found.append(f"{_named('series', gone)} without any observed value: nothing can be learned from it")
    return found


def _named(kind: str, names: list[str]) -> str:
    """`variate 'p' is`, or `variate 'p' and 3 more are`."""
    if len(names) == 1:
        return f"{kind} '{names[0]}' is"
    return f"{kind} '{names[0]}' and {len(names) - 1} more are each"
