"""Standardisation of each variate, with statistics of the training split or of each split's own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tkae.data.collection import Bools, Collection, Floats
from tkae.errors import DataError


@dataclass(frozen=True)
class Standardiser:
    """Subtracts `mean` (V) and divides by `deviation` (V)."""

    mean: Floats
    deviation: Floats

    @classmethod
    def of(cls, x: Collection, entries: Bools | None = None) -> Standardiser:
        """Statistics of the observed entries of each variate, or of `entries` (N, T, V) among them.

        The deviation has the divisor n - 1, as in the authors' files. A variate that is constant, or
        observed at most once, is only centred; one without entries is left as it is.
        """
        use = x.observed if entries is None else x.observed & entries
        counts = use.sum(axis=(0, 1))
        with np.errstate(over="ignore", invalid="ignore"):
            mean = np.where(use, x.values, 0.0).sum(axis=(0, 1)) / np.maximum(counts, 1)
            squares = np.where(use, (x.values - mean) ** 2, 0.0).sum(axis=(0, 1))
            deviation = np.sqrt(squares / np.maximum(counts - 1, 1))
        sizes = np.where(use, np.abs(x.values), 0.0)
        largest = sizes.max(axis=(0, 1))
        for v in np.flatnonzero(~np.isfinite(mean) | ~np.isfinite(deviation))[:1]:
            series = x.names[int(sizes[:, :, v].max(axis=1).argmax())]
            raise DataError(
                f"series '{series}' has {largest[v]:.3g} in the variate '{x.variates[v]}', which is too "
                "large to be standardised: correct it, or leave it empty if it stands for a missing value"
            )
        flat = deviation <= 1e-12 * largest  # rounding of the mean, whatever the unit
        return cls(mean, np.where(flat, 1.0, deviation))

    def scale(self, x: Collection) -> Collection:
        return x.replace((x.values - self.mean) / self.deviation)

    def unscale(self, x: Collection) -> Collection:
        return x.replace(x.values * self.deviation + self.mean)
