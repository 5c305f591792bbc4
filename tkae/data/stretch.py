"""Linear stretching of every series to one length, as the authors did with Japanese Vowels."""

from __future__ import annotations

import numpy as np

from tkae.data.collection import Collection
from tkae.errors import DataError


def stretch(x: Collection, steps: int) -> Collection:
    """Every series resampled by linear interpolation to `steps` steps, ends kept; needs complete series."""
    if x.missing.any():
        raise DataError("series with missing entries cannot be stretched: interpolation would need them")
    values = np.empty((len(x), steps, x.shape[2]))
    for i, length in enumerate(x.lengths):
        grid = np.linspace(0, length - 1, steps)
        for v in range(x.shape[2]):
            values[i, :, v] = np.interp(grid, np.arange(length), x.values[i, :length, v])
    return Collection(values, labels=x.labels, names=x.names, variates=x.variates)
