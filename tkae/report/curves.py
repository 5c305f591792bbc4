"""Training curves, from what is kept beside the records: the errors at some hundred epochs of each run.

Curves are looked at over the logarithm of the epoch, where a hundred points in even steps would crowd at the
end: so some thirty epochs are picked that lie evenly there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tkae.data.collection import Floats, Ints
from tkae.experiments.base import Arrays

POINTS = 36  # at most, of a curve that is drawn
RECONSTRUCTION, WEIGHTS, ALIGNMENT = range(3)  # the columns of what is kept: parts of the loss, unweighted


@dataclass(frozen=True)
class Curves:
    """One part of the loss of some runs at the same epochs; a run that ended before has no number there."""

    epochs: Ints  # (E)
    by_seed: dict[int, Floats]  # (E)

    @property
    def values(self) -> Floats:
        """All runs: (S, E)."""
        return np.stack(list(self.by_seed.values()))


def curves(stored: Mapping[int, Arrays], part: int = RECONSTRUCTION) -> Curves | None:
    """Of the runs that have the same epochs, which are all but those of another budget; none if none has any.

    `stored` are the arrays of the kind `curve` by seed.
    """
    kept = {seed: arrays for seed, arrays in stored.items() if "losses" in arrays}
    if not kept:
        return None
    epochs = next(iter(kept.values()))["epochs"]
    picked = _picked(epochs)
    alike = {
        seed: arrays["losses"][picked, part].astype(np.float64)
        for seed, arrays in kept.items()
        if np.array_equal(arrays["epochs"], epochs)
    }
    if not any(np.isfinite(values).any() and np.nanmax(values) > 0 for values in alike.values()):
        return None
    return Curves(epochs[picked], alike)


def _picked(epochs: Ints) -> Ints:
    """The places of epochs that lie evenly over their logarithm."""
    wanted = np.geomspace(epochs[0], epochs[-1], POINTS)
    nearest = np.abs(np.log(epochs)[:, None] - np.log(wanted)[None]).argmin(axis=0)
    return np.unique(nearest).astype(np.int64)
