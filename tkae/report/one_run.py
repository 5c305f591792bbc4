"""Which run a figure shows, where it shows one: the first that all its rows have."""

from __future__ import annotations

from collections.abc import Sequence

from tkae.report.drawing import Arrays, Kept
from tkae.report.summary import Row


def one_run(rows: Sequence[Row], kept: Kept) -> tuple[int, dict[str, tuple[Arrays, Row]]] | None:
    """The smallest seed of which every method has arrays, and these with a row of its, by what it is called.

    None while there is no such seed.
    """
    firsts: dict[str, Row] = {}
    for row in rows:  # the rows of one method are its metrics: all have the same cells
        firsts.setdefault(row.method_title, row)
    held = {title: (kept(row), row) for title, row in firsts.items()}
    shared = set.intersection(*(set(arrays) for arrays, _ in held.values())) if held else set()
    if not shared:
        return None
    seed = min(shared)
    return seed, {title: (dict(arrays[seed]), row) for title, (arrays, row) in held.items()}
