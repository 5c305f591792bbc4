"""Little, constant, absent: the kernel is always defined, finite, symmetric and within its bounds."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from tests.kernels.tck_data import waves
from tkae.data.collection import Collection
from tkae.models.tck import TCK


def gap(n: int = 40) -> Collection:
    """Nobody is observed in the middle third of the steps."""
    x = waves(n, steps=30, missing=0.3)
    removed = np.zeros(x.shape, dtype=bool)
    removed[:, 10:20] = True
    return x.without(removed)


def series_gone() -> Collection:
    x = waves(40, missing=0.5)
    removed = np.zeros(x.shape, dtype=bool)
    removed[3] = removed[9] = True
    return x.without(removed)


def variate(value: float | None) -> Collection:
    """Variate 1 is constant, or never observed."""
    x = waves(40, missing=0.5)
    values, removed = x.values.copy(), np.zeros(x.shape, dtype=bool)
    values[:, :, 1] = 0.0 if value is None else value
    removed[:, :, 1] = value is None
    return x.replace(values).without(removed)


def everything_gone() -> Collection:
    x = waves(12)
    return x.without(np.ones(x.shape, dtype=bool))


def long_and_wide() -> Collection:
    """Products of 25 x 15 densities below phi(3) underflow: log space does not."""
    rng = np.random.default_rng(0)
    return Collection(10.0 * rng.normal(size=(110, 60, 20)))


CASES = {
    "gap": gap(),
    "series gone": series_gone(),
    "variate gone": variate(None),
    "constant variate": variate(0.1),
    "large constant variate": variate(1e9 / 3),
    "everything gone": everything_gone(),
    "all constant": Collection(np.full((20, 8, 2), 3.0)),
    "one variate": waves(30, width=1, missing=0.5),
    "one step": waves(30, steps=1),
    "five steps": waves(30, steps=5, missing=0.3),
    "seven steps": waves(30, steps=7, missing=0.3),
    "one series": waves(1),
    "one series, one step, one variate": Collection(np.ones((1, 1, 1))),
    "two series": waves(2),
    "mostly missing": waves(120, missing=0.98),
    "identical series": Collection(np.repeat(waves(1).values, 30, axis=0)),
    "long and wide": long_and_wide(),
    "huge values": Collection(waves(30).values * 1e100),
    "tiny values": Collection(waves(30).values * 1e-100),
}


@pytest.mark.parametrize("case", CASES)
def test_defined(case: str) -> None:
    x = CASES[case]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tck = TCK(G=3, C=8).learn(x)
        other = x.replace(x.values + 1.0)
        kernels = [tck.kernel(), tck.kernel(None, other), tck.kernel(other)]
    for fitted in (tck.theta_, tck.mu_, tck.s2_):
        assert np.isfinite(fitted).all()
    assert (tck.s2_ > 0).all() and (tck.theta_ >= 0).all()
    for kernel in kernels:
        assert np.isfinite(kernel).all()
        assert kernel.min() >= 0.0 and kernel.max() <= 21.0 + 1e-9
    np.testing.assert_allclose(np.diag(kernels[0]), 21.0)


def test_a_series_with_nothing_observed_has_the_prior_as_posterior() -> None:
    tck = TCK(G=2, C=5).learn(series_gone())
    kernel = tck.kernel()
    np.testing.assert_allclose(kernel[3], kernel[9])
    assert kernel[3, 9] == pytest.approx(8.0)


def test_variates_without_spread_say_nothing() -> None:
    constant, gone = (TCK(G=2, C=5).learn(x) for x in (variate(0.1), variate(None)))
    assert np.array_equal(constant.kernel(), gone.kernel())
    assert 1 not in constant.variates_
