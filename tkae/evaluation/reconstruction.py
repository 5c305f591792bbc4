"""Errors of series against their originals: per series over the entries that count, then averaged.

A series with no such entry (nothing was removed from it, say) has no figure: its value is NaN and it
does not enter `mean_over_series`, which returns NaN only if no series has one.
"""

from __future__ import annotations

import numpy as np

from tkae.data.collection import Bools, Floats


def mse(truth: Floats, estimate: Floats, entries: Bools) -> Floats:
    """(N): mean squared error over each series' `entries` (N, T, V)."""
    return _per_series((truth - estimate) ** 2, entries)


def mae(truth: Floats, estimate: Floats, entries: Bools) -> Floats:
    """(N): mean absolute error over each series' `entries` (N, T, V)."""
    return _per_series(np.abs(truth - estimate), entries)


def corr(truth: Floats, estimate: Floats, entries: Bools) -> Floats:
    """(N): Pearson correlation over each series' `entries` (N, T, V), all variates together.

    It is 0 where one side is constant: such an estimate says nothing about the series' course.
    """
    a = np.where(entries, truth - _per_series(truth, entries)[:, None, None], 0.0)
    b = np.where(entries, estimate - _per_series(estimate, entries)[:, None, None], 0.0)
    spread = np.sqrt((a * a).sum(axis=(1, 2)) * (b * b).sum(axis=(1, 2)))
    scale = np.sqrt(_energy(truth, entries) * _energy(estimate, entries))
    flat = spread <= 1e-14 * scale
    value = (a * b).sum(axis=(1, 2)) / np.where(flat, 1.0, spread)
    return np.where(entries.any(axis=(1, 2)), np.where(flat, 0.0, np.clip(value, -1.0, 1.0)), np.nan)


def mean_over_series(figures: Floats) -> float:
    """The mean over the series that have a figure."""
    have = figures[~np.isnan(figures)]
    return float(have.mean()) if len(have) else float("nan")


def _per_series(quantity: Floats, entries: Bools) -> Floats:
    """(N): mean of `quantity` over `entries`; NaN for a series without any."""
    counts = entries.sum(axis=(1, 2))
    total = np.where(entries, quantity, 0.0).sum(axis=(1, 2))
    return np.where(counts > 0, total / np.maximum(counts, 1), np.nan)


def _energy(quantity: Floats, entries: Bools) -> Floats:
    return np.asarray(np.where(entries, quantity * quantity, 0.0).sum(axis=(1, 2)))
