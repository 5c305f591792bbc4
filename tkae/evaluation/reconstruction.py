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

    An estimate that is constant says nothing about the series' course: 0. A truth that is constant (or a
    single entry) has no course to speak of, whatever the estimate: NaN, no figure.
    """
    a, spread_a = _centred(truth, entries)
    b, spread_b = _centred(estimate, entries)
    flat = (spread_a == 0) | (spread_b == 0)
    value = (a * b).sum(axis=(1, 2)) / np.where(flat, 1.0, spread_a * spread_b)
    return np.where(spread_a == 0, np.nan, np.where(flat, 0.0, np.clip(value, -1.0, 1.0)))


def about_the_mean(truth: Floats, entries: Bools) -> Floats:
    """(N): the error of each variate's mean, said everywhere: the data's variance, counted as errors are."""
    inside = np.where(entries, truth, 0.0)
    means = inside.sum(axis=(0, 1)) / np.maximum(entries.sum(axis=(0, 1)), 1)
    return mse(truth, np.broadcast_to(means, truth.shape), entries)


def amplitude(truth: Floats, estimate: Floats, entries: Bools) -> float:
    """How far estimates swing about their means, beside how far the series do: 1 as far, 0 not at all.

    Over all series at once, since one that hardly moves has no amplitude to compare with; NaN if none moves.
    """
    swings, own = (np.sqrt((_centred(values, entries)[1] ** 2).sum()) for values in (estimate, truth))
    return float(swings / own) if own else float("nan")


def mean_over_series(figures: Floats) -> float:
    """The mean over the series that have a figure."""
    have = figures[~np.isnan(figures)]
    return float(have.mean()) if len(have) else float("nan")


def _per_series(quantity: Floats, entries: Bools) -> Floats:
    """(N): mean of `quantity` over `entries`; NaN for a series without any."""
    counts = entries.sum(axis=(1, 2))
    total = np.where(entries, quantity, 0.0).sum(axis=(1, 2))
    return np.where(counts > 0, total / np.maximum(counts, 1), np.nan)


def _centred(quantity: Floats, entries: Bools) -> tuple[Floats, Floats]:
    """Deviations (N, T, V) from each series' mean, and their norm (N): 0 where only rounding is left."""
    inside = np.where(entries, quantity, 0.0)
    deviations = np.where(entries, inside - _per_series(inside, entries)[:, None, None], 0.0)
    norm = np.sqrt((deviations**2).sum(axis=(1, 2)))
    return deviations, np.where(norm <= 1e-14 * np.sqrt((inside**2).sum(axis=(1, 2))), 0.0, norm)
