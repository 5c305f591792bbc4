"""How long cells will take, from times that are measured here and now.

Every model is timed on a few series as long and wide as the dataset's (`Model.seconds`) and scaled to
their number, its epochs and its mixtures. Preparing and measuring are not counted,
and a training that stops early is counted whole: the estimate tells hours from minutes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from tkae.data.collection import Collection
from tkae.data.dataset import Dataset, Extent
from tkae.data.files import Files
from tkae.errors import DataError
from tkae.fields import identity
from tkae.runs.cell import Cell
from tkae.runs.worker import THREADS
from tkae.seeding import stream

SERIES = 64  # of the sample


def estimates(cells: Sequence[Cell], files: Files) -> dict[str, float]:
    """Seconds on one core of each cell, by its key; what costs the same is measured once."""
    from threadpoolctl import threadpool_limits

    known: dict[str, float] = {}
    found = {}
    with threadpool_limits(THREADS):
        for cell in cells:
            data = [cell.dataset.name, identity(cell.dataset), cell.series]
            alike = json.dumps([*data, cell.model.name, cell.model.shape()], sort_keys=True)
            if alike not in known:
                known[alike] = _seconds(cell, replace(files, offline=True))
            found[cell.key] = known[alike]
    return found


def _seconds(cell: Cell, here: Files) -> float:
    extent = _extent(cell.dataset, here)
    if extent and cell.series:
        extent = replace(extent, train=min(extent.train, cell.series))
    return cell.model.seconds(_sample(extent.longest, extent.variates), extent) if extent else 0.0


def _extent(dataset: Dataset, here: Files) -> Extent | None:
    try:
        return dataset.extent(here)
    except DataError:  # not on this machine yet, and not in the paper's table either
        return None


@cache
def _sample(steps: int, width: int) -> Collection:
    """Random series with half of their entries missing."""
    rng = stream(0, "sample")
    shape = (SERIES, steps, width)
    return Collection(rng.standard_normal(shape), rng.random(shape) < 0.5)
