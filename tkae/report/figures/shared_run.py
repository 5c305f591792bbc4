"""What a figure of single runs shows: the first run that all its methods have, under the methods' names."""

from __future__ import annotations

from collections.abc import Sequence

from tkae.experiments.base import Arrays
from tkae.report.drawing import StoredArrays
from tkae.report.summary import Row


def first_shared_run(rows: Sequence[Row], arrays: StoredArrays) -> tuple[int, dict[str, Arrays]] | None:
    """The smallest seed of which every method has arrays, and these by what the method is called.

    A method without any is left out: those of older versions kept none. None while there is no such seed.
    """
    firsts: dict[str, Row] = {}
    for row in rows:  # the rows of one method are its metrics: all have the same cells
        firsts.setdefault(method_label(row), row)
    stored = {name: found for name, row in firsts.items() if (found := arrays(row))}
    shared = set.intersection(*(set(by_seed) for by_seed in stored.values())) if stored else set()
    if not shared:
        return None
    seed = min(shared)
    return seed, {name: by_seed[seed] for name, by_seed in stored.items()}


def method_label(row: Row, besides: str = "") -> str:
    """A method in a figure: its title and what tells it from others in its table, `besides` one key."""
    keys = [key for key in (*row.changed, *row.further_keys) if key != besides]
    return row.method_title + "".join(f", {key}={row.facts.get(key)}" for key in keys)
