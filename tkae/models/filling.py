"""What stands in for a missing value before a model that cannot see gaps reads the series."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tkae.data.collection import Collection, Floats, Ints

T = TypeVar("T", bound=np.generic)


def zero(x: Collection) -> Floats:
    """0 at missing entries: the mean, if the variates are standardised. (N, T, V), 0 in the padding."""
    return np.where(x.observed, x.values, 0.0)


def carry_forward(x: Collection, start: Floats | float = 0.0) -> Floats:
    """The last observed value of the variate; `start` (one number, or V) before the first. (N, T, V)."""
    n, steps, width = x.shape
    last = np.broadcast_to(np.asarray(start, dtype=np.float64), (n, width))
    filled = np.empty(x.shape)
    for t in range(steps):
        last = np.where(x.observed[:, t], x.values[:, t], last)
        filled[:, t] = last
    return np.where(x.valid, filled, 0.0)


def in_steps(array: npt.NDArray[T], steps: int) -> npt.NDArray[T]:
    """(N, T, V) cut to `steps` steps, or padded with 0; itself where it has as many."""
    n, have, width = array.shape
    if have == steps:
        return array
    made = np.zeros((n, steps, width), dtype=array.dtype)
    made[:, : min(have, steps)] = array[:, :steps]
    return made


def within(array: Floats, lengths: Ints) -> Floats:
    """(N, max(lengths), V): cut or padded to the longest, and 0 beyond each length."""
    steps = int(lengths.max())
    valid = (np.arange(steps) < lengths[:, None])[:, :, None]
    return np.where(valid, in_steps(array, steps), 0.0)


FILLS: dict[str, Callable[[Collection], Floats]] = {"zero": zero, "locf": carry_forward}


def observed_means(x: Collection) -> Floats:
    """(V): the mean of each variate's observed entries, 0 for a variate that was never observed."""
    counts = x.observed.sum(axis=(0, 1))
    return np.asarray(zero(x).sum(axis=(0, 1)) / np.maximum(counts, 1))
