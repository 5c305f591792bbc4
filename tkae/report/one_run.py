"""What a figure of single runs shows: the first run that all its methods have."""

from __future__ import annotations

from collections.abc import Sequence

from tkae.report.drawing import Arrays, Kept
from tkae.report.summary import Row


def one_run(rows: Sequence[Row], kept: Kept) -> tuple[int, dict[str, Arrays]] | None:
    """The smallest seed of which every method has arrays, and these by what the method is called.

    None while there is no such seed.
    """
    firsts: dict[str, Row] = {}
    for row in rows:  # the rows of one method are its metrics: all have the same cells
        firsts.setdefault(label(row), row)
    held = {name: kept(row) for name, row in firsts.items()}
    shared = set.intersection(*(set(arrays) for arrays in held.values())) if held else set()
    if not shared:
        return None
    seed = min(shared)
    return seed, {name: arrays[seed] for name, arrays in held.items()}


def label(row: Row, besides: str = "") -> str:
    """A method in a figure: its title and what tells it from others in its table, `besides` one key."""
    keys = [key for key in (*row.changed, *row.told_apart) if key != besides]
    return row.method_title + "".join(f", {key}={row.facts.get(key)}" for key in keys)
