"""Standardisation: numpy's own statistics, one variate at a time, as the oracle."""

from __future__ import annotations

import numpy as np
import pytest

from tkae.data.collection import Collection
from tkae.data.scaling import Standardiser


@pytest.mark.parametrize("case", ["complete", "half_missing", "missing_series", "ragged", "single"])
def test_statistics_are_those_of_the_observed_entries(collections: dict[str, Collection], case: str) -> None:
    x = collections[case]
    fitted = Standardiser.of(x)
    for v in range(x.shape[2]):
        entries = x.values[:, :, v][x.observed[:, :, v]]
        assert fitted.mean[v] == pytest.approx(np.mean(entries), rel=1e-12, abs=1e-12)
        assert fitted.deviation[v] == pytest.approx(np.std(entries, ddof=1), rel=1e-12)
    scaled = fitted.scale(x)
    again = Standardiser.of(scaled)
    np.testing.assert_allclose(again.mean, 0, atol=1e-12)
    np.testing.assert_allclose(again.deviation, 1, rtol=1e-12)
    assert np.array_equal(scaled.observed, x.observed) and (scaled.values[~x.observed] == 0).all()


def test_only_the_chosen_entries_count(complete: Collection) -> None:
    chosen = np.random.default_rng(0).random(complete.shape) < 0.5
    assert np.array_equal(
        Standardiser.of(complete, chosen).mean, Standardiser.of(complete.without(~chosen)).mean
    )
    changed = complete.replace(np.where(chosen, complete.values, 1e6))
    ours, theirs = Standardiser.of(complete, chosen), Standardiser.of(changed, chosen)
    assert np.array_equal(ours.mean, theirs.mean) and np.array_equal(ours.deviation, theirs.deviation)


def test_entries_that_were_never_observed_cannot_be_chosen(half_missing: Collection) -> None:
    ours, theirs = (
        Standardiser.of(half_missing),
        Standardiser.of(half_missing, np.ones(half_missing.shape, bool)),
    )
    assert np.array_equal(ours.mean, theirs.mean) and np.array_equal(ours.deviation, theirs.deviation)


def test_what_cannot_be_scaled_is_only_centred() -> None:
    values = np.random.default_rng(1).normal(size=(3, 5, 4))
    values[:, :, 1] = 0.1  # constant: its mean is not exactly 0.1
    observed = np.ones(values.shape, dtype=bool)
    observed[:, :, 2] = False  # never observed
    observed[:, :, 3] = False
    observed[1, 2, 3] = True  # observed once
    x = Collection(values, observed)
    fitted = Standardiser.of(x)
    assert fitted.deviation[1] == fitted.deviation[2] == fitted.deviation[3] == 1
    assert fitted.mean[2] == 0 and fitted.mean[3] == values[1, 2, 3]
    scaled = fitted.scale(x)
    assert np.isfinite(scaled.values).all() and np.abs(scaled.values[:, :, 1:]).max() < 1e-12


@pytest.mark.parametrize("unit", [1e-15, 1e-6, 1.0, 1e9])
def test_the_unit_does_not_matter(complete: Collection, unit: float) -> None:
    small = complete.replace(complete.values * unit)
    ours, theirs = Standardiser.of(small).scale(small), Standardiser.of(complete).scale(complete)
    np.testing.assert_allclose(ours.values, theirs.values, atol=1e-10)


def test_unscale_undoes_scale(ragged: Collection) -> None:
    fitted = Standardiser.of(ragged)
    np.testing.assert_allclose(fitted.unscale(fitted.scale(ragged)).values, ragged.values, atol=1e-12)
