"""Small collections of every awkward kind, and the same with other numbers where there are no data."""

from __future__ import annotations

import numpy as np

from tkae.data.collection import Bools, Collection, Floats
from tkae.data.prepare import Split, Task

N, T, V = 12, 9, 3


def awkward() -> dict[str, Collection]:
    """A collection of each kind that everything must take, all with V = 3 variates and T = 9 steps."""
    rng = np.random.default_rng(7)
    values = rng.normal(size=(N, T, V)).cumsum(axis=1) * [1.0, 2.0, 0.5] + [0.0, 3.0, -1.0]
    labels = np.arange(N) % 3
    complete = Collection(values, labels=labels, names=tuple(f"s{i}" for i in range(N)))
    half_missing = complete.without(rng.random(values.shape) < 0.5)
    variate, series = np.zeros((2, N, T, V), dtype=bool)
    variate[:, :, 1] = True
    series[4] = True
    lengths = rng.integers(3, T + 1, size=N)
    lengths[0] = T
    valid = np.broadcast_to((np.arange(T) < lengths[:, None])[:, :, None], values.shape)
    ragged = Collection(values, valid & (rng.random(values.shape) < 0.8), lengths, labels)
    return {
        "complete": complete,
        "half_missing": half_missing,
        "missing_variate": half_missing.without(variate),
        "missing_series": half_missing.without(series),
        "ragged": ragged,
        "single": half_missing.take([3]),
    }


def planted(x: Collection) -> Collection:
    """The same series with large numbers under padding and missing entries, where nobody may look."""
    copy = x.padded(x.shape[1])
    values: Floats = np.where(x.observed, x.values, 1e3 + np.arange(x.values.size).reshape(x.shape))
    values.flags.writeable = False
    object.__setattr__(copy, "values", values)  # a Collection would put 0 there
    return copy


def small_task() -> Task:
    """Complete series to learn from and ragged ones to judge by, of three classes, 40 % of each removed."""
    made = awkward()
    return Task(
        _split(made["complete"], 0), _split(made["ragged"], 1), ("a", "b", "c"), positive=1, masks_from="here"
    )


def _split(original: Collection, seed: int) -> Split:
    removed: Bools = original.observed & (np.random.default_rng(seed).random(original.shape) < 0.4)
    return Split(original, original.without(removed), removed)
