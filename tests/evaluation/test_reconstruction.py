"""MSE, MAE and CORR against literal loops and scipy; what lies outside the entries never counts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import pearsonr

from tkae.data.collection import Bools, Floats
from tkae.evaluation.reconstruction import corr, mae, mean_over_series, mse

Case = tuple[Floats, Floats, Bools]


def literal(kind: str, truth: Floats, estimate: Floats, entries: Bools) -> list[float]:
    """Entry by entry, as one would explain it."""
    figures = []
    n, steps, width = truth.shape
    for i in range(n):
        a, b = [], []
        for t in range(steps):
            for v in range(width):
                if entries[i, t, v]:
                    a.append(float(truth[i, t, v]))
                    b.append(float(estimate[i, t, v]))
        if not a or (kind == "corr" and len(set(a)) == 1):
            figures.append(math.nan)
        elif kind == "mse":
            figures.append(math.fsum((x - y) ** 2 for x, y in zip(a, b, strict=True)) / len(a))
        elif kind == "mae":
            figures.append(math.fsum(abs(x - y) for x, y in zip(a, b, strict=True)) / len(a))
        else:
            mean_a, mean_b = math.fsum(a) / len(a), math.fsum(b) / len(b)
            above = math.fsum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
            below = math.fsum((x - mean_a) ** 2 for x in a) * math.fsum((y - mean_b) ** 2 for y in b)
            figures.append(above / math.sqrt(below) if len(set(b)) > 1 else 0.0)
    return figures


@pytest.fixture(params=range(4))
def case(request: pytest.FixtureRequest) -> Case:
    rng = np.random.default_rng(request.param)
    truth = rng.normal(size=(8, 7, 3)) * 2 + 1
    estimate = 0.6 * truth + rng.normal(size=truth.shape)
    entries = rng.random(truth.shape) < (0.1, 0.5, 0.9, 1.0)[request.param]
    entries[2] = False  # a series without entries
    estimate[3] = 0.3  # a constant estimate
    return truth, estimate, entries


@pytest.mark.parametrize("metric", [mse, mae, corr])
def test_against_the_literal_version(case: Case, metric: type) -> None:
    got = metric(*case)
    np.testing.assert_allclose(got, literal(metric.__name__, *case), rtol=1e-11, atol=1e-12)
    assert np.isnan(got[2])


@pytest.mark.parametrize("metric", [mse, mae, corr])
@pytest.mark.parametrize("garbage", [np.nan, np.inf, 1e100, -1.0])
def test_what_lies_outside_never_counts(case: Case, metric: type, garbage: float) -> None:
    truth, estimate, entries = case
    before = metric(*case)
    after = metric(np.where(entries, truth, garbage), np.where(entries, estimate, -7 * garbage / 8), entries)
    assert before.tobytes() == after.tobytes()


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8])
@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_correlation_is_pearsons_whatever_the_unit(offset: float, unit: float) -> None:
    rng = np.random.default_rng(9)
    truth = rng.normal(size=(3, 6, 2))
    estimate = truth + rng.normal(size=truth.shape)
    truth, estimate = (truth + offset) * unit, (estimate + offset) * unit
    got = corr(truth, estimate, np.ones(truth.shape, dtype=bool))
    for i in range(3):
        assert got[i] == pytest.approx(pearsonr(truth[i].ravel(), estimate[i].ravel()).statistic, abs=1e-6)


def test_correlation_at_its_ends() -> None:
    truth = np.random.default_rng(0).normal(size=(2, 5, 3))
    every = np.ones(truth.shape, dtype=bool)
    np.testing.assert_allclose(corr(truth, 3 * truth + 1, every), 1)
    np.testing.assert_allclose(corr(truth, -truth, every), -1)
    assert (np.abs(corr(truth, 0.1 * truth, every)) <= 1).all()
    np.testing.assert_allclose(corr(truth, truth**3, every), corr(truth**3, truth, every))


@pytest.mark.parametrize("constant", [0.0, 0.1, -1e5])
def test_a_constant_estimate_correlates_with_nothing_and_a_constant_truth_has_no_figure(
    constant: float,
) -> None:
    varied, flat = np.random.default_rng(0).normal(size=(1, 9, 3)), np.full((1, 9, 3), constant)
    every = np.ones(varied.shape, dtype=bool)
    assert corr(varied, flat, every)[0] == 0
    assert np.isnan(corr(flat, varied, every)[0]) and np.isnan(corr(flat, flat, every)[0])
    one = np.zeros(varied.shape, dtype=bool)
    one[0, 4, 1] = True
    assert np.isnan(corr(varied, varied, one)[0])


def test_a_perfect_estimate_has_no_error(case: Case) -> None:
    truth, _, entries = case
    assert np.nanmax(mse(truth, truth, entries)) == 0 and np.nanmax(mae(truth, truth, entries)) == 0


def test_every_series_weighs_the_same() -> None:
    """A long series counts as much as a short one: the mean is over series, not over entries."""
    truth, estimate = np.zeros((2, 10, 1)), np.ones((2, 10, 1))
    estimate[1] = 3.0
    entries = np.ones(truth.shape, dtype=bool)
    entries[1, 1:] = False
    assert mean_over_series(mse(truth, estimate, entries)) == (1 + 9) / 2
    assert mean_over_series(mae(truth, estimate, entries)) == (1 + 3) / 2


def test_series_without_a_figure_are_left_out_of_the_mean() -> None:
    assert mean_over_series(np.array([1.0, np.nan, 3.0])) == 2.0
    assert math.isnan(mean_over_series(np.array([np.nan, np.nan])))
