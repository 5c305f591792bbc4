"""How long cells will take, from times that are measured here and now.

Every model is timed on a few series as long and wide as the dataset's (`Model.seconds`), with as many
replicas side by side as a run has, and scaled to their number, its epochs and its mixtures. Preparing and
measuring are not counted, and a training that stops early is counted whole: the estimate tells hours from
minutes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from tkae.data.collection import Collection
from tkae.data.dataset import Dataset, Extent
from tkae.data.files import Files
from tkae.data.missingness import Untouched
from tkae.errors import DataError
from tkae.fields import identity
from tkae.runs.cell import Cell
from tkae.runs.plan import by_training, groups
from tkae.runs.worker import THREADS
from tkae.seeding import stream

SERIES = 64  # of the sample


def estimates(cells: Sequence[Cell], files: Files, workers: int = 1) -> dict[str, float]:
    """Seconds on one core of each cell, by its key; what costs the same is measured once.

    What several cells share (a fit, mixtures, a kernel) counts for the first of them.
    """
    from threadpoolctl import threadpool_limits

    here = _Here(Extents(files))
    found = {cell.key: 0.0 for cell in cells}
    with threadpool_limits(THREADS):
        for group in groups(cells, workers):
            fits = list(by_training(group).values())
            for fit in fits:
                found[fit[0].key] = here.seconds(fit[0], len(fits))
    return found


def footprints(cells: Sequence[Cell], files: Files) -> dict[str, int]:
    """Bytes that the largest cell of each pair takes, as far as it is known how much there is of its data."""
    extents, found = Extents(files), dict[str, int]()
    for cell in cells:
        if (extent := extents.of(cell)) is not None:
            found[cell.pair] = max(found.get(cell.pair, 0), cell.model.footprint(extent))
    return found


@dataclass
class Extents:
    """How much there is of each dataset, as far as that is known on this machine."""

    files: Files
    known: dict[str, Extent | None] = field(default_factory=dict)

    def of(self, cell: Cell) -> Extent | None:
        """What a model of the cell is fitted to."""
        data = _data(cell)
        if data not in self.known:
            self.known[data] = _extent(cell.dataset, replace(self.files, offline=True))
        extent = self.known[data]
        if extent is None or not cell.series:
            return extent
        return replace(extent, train=min(extent.train, cell.series), test=min(extent.test, cell.series))


def _data(cell: Cell) -> str:
    return json.dumps([cell.dataset.name, identity(cell.dataset)], sort_keys=True)


@dataclass
class _Here:
    """What was measured on this machine."""

    extents: Extents
    known: dict[str, float] = field(default_factory=dict)  # seconds of a fit, by what they depend on
    counted: set[str] = field(default_factory=set)  # what is shared and was counted already
    fixed: dict[str, bool] = field(default_factory=dict)  # datasets that are the same for every seed

    def seconds(self, cell: Cell, replicas: int) -> float:
        data, extent = _data(cell), self.extents.of(cell)
        if extent is None:
            return 0.0
        about = sample(extent.longest, extent.variates)
        alike = f"{data} {cell.series} {cell.model.name} {cell.model.shared_settings()} {replicas}"
        if alike not in self.known:
            self.known[alike] = cell.model.seconds(about, extent, replicas)
        return self.known[alike] + self._shared(cell, about, extent, data)

    def _shared(self, cell: Cell, sample: Collection, extent: Extent, data: str) -> float:
        shared = cell.model.shared(sample, extent, cell.seed)
        if not shared or (cell.model.aligned and cell.data.get("kernels")):  # which are the authors' own
            return 0.0
        series = [cell.identity.get(part) for part in ("missingness", "data", "series", "protocol")]
        seed = None if self._fixed(cell, data) else cell.seed
        total = 0.0
        for what, seconds in shared.items():
            key = f"{data} {series} {seed} {what}"
            total += 0.0 if key in self.counted else seconds
            self.counted.add(key)
        return total

    def _fixed(self, cell: Cell, data: str) -> bool:
        """Whether all seeds see the same series with the same holes."""
        if cell.missingness.name != Untouched.name and not cell.data["masks"]:
            return False
        if data not in self.fixed:
            try:
                files = replace(self.extents.files, offline=True)
                first, second = (cell.dataset.load(files, seed).train for seed in (0, 1))
                self.fixed[data] = first.fingerprint == second.fingerprint
            except DataError:
                self.fixed[data] = True
        return self.fixed[data]


def _extent(dataset: Dataset, here: Files) -> Extent | None:
    try:
        return dataset.extent(here)
    except DataError:  # not on this machine yet, and not in the paper's table either
        return None


@cache
def sample(steps: int, width: int) -> Collection:
    """Random series with half of their entries missing."""
    rng = stream(0, "sample")
    shape = (SERIES, steps, width)
    return Collection(rng.standard_normal(shape), rng.random(shape) < 0.5)
