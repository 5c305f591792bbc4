"""Components, densities and their overlap: against what is known in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tkae.evaluation.density import fisher_ratio, kernel_density, overlap, principal_components

HALVES = np.repeat([0, 1], 60)


def two(distance: float, dimensions: int = 2, seed: int = 0) -> np.ndarray:
    """Twice the same 60 points, the second time moved along the first axis."""
    points = np.random.default_rng(seed).normal(size=(60, dimensions))
    moved = points + distance * np.eye(dimensions)[0]
    return np.concatenate([points, moved])


def test_components_are_those_of_the_covariance() -> None:
    codes = np.random.default_rng(0).normal(size=(40, 5)) * [3, 1, 0.5, 2, 0.1] + 7
    found = principal_components(codes)
    values, axes = np.linalg.eigh(np.cov(codes.T))
    expected = (codes - codes.mean(axis=0)) @ axes[:, [-1, -2]]
    assert np.allclose(np.abs(found), np.abs(expected))
    assert np.allclose(found.var(axis=0, ddof=1), values[[-1, -2]])
    assert (found[np.abs(found).argmax(axis=0), [0, 1]] > 0).all()  # the sign does not hang on the solver


def test_codes_without_a_second_axis_have_zeros_there() -> None:
    line = np.arange(6.0)[:, None] * [[1.0, 2.0, 2.0]]
    found = principal_components(line)
    assert np.array_equal(found[:, 1], np.zeros(6)) and np.ptp(found[:, 0]) == pytest.approx(15)
    assert np.array_equal(principal_components(np.full((4, 3), 2.5)), np.zeros((4, 2)))
    assert principal_components(np.arange(5.0)[:, None]).shape == (5, 2)


def test_a_density_is_the_sum_of_gaussians() -> None:
    points = np.random.default_rng(0).normal(size=(20, 2)) * [1, 3]
    density = kernel_density(points)
    assert density is not None
    covariance = np.cov(points.T) * 20 ** (-2 / 6)  # Scott's factor, squared
    at = np.array([0.3, -1.0])
    gaps = points - at
    heights = np.exp(-0.5 * np.einsum("ni,ij,nj->n", gaps, np.linalg.inv(covariance), gaps))
    expected = heights.mean() / (2 * math.pi * math.sqrt(np.linalg.det(covariance)))
    assert density(at[:, None])[0] == pytest.approx(expected)


@pytest.mark.parametrize("dimensions", [1, 2])
def test_overlap_is_1_of_the_same_and_0_of_far_densities(dimensions: int) -> None:
    assert overlap(two(0.0, dimensions), HALVES) == pytest.approx(1, abs=1e-3)
    assert overlap(two(40.0, dimensions), HALVES) == pytest.approx(0, abs=1e-6)
    between = [overlap(two(distance, dimensions), HALVES) for distance in (0.5, 1.0, 2.0, 4.0)]
    assert between == sorted(between, reverse=True) and 0 < between[-1] < between[0] < 1


def test_overlap_of_two_normal_densities_in_closed_form() -> None:
    """Many points on the quantiles: the estimate is nearly a normal density, a little wider."""
    from scipy.stats import norm

    quantiles = norm.ppf((np.arange(2000) + 0.5) / 2000)
    points = np.concatenate([quantiles, quantiles + 2.0])[:, None]
    wider = math.sqrt(quantiles.var() * (1 + 2000 ** (-2 / 5)))
    expected = 2 * norm.cdf(-1.0 / wider)
    assert overlap(points, np.repeat([0, 1], 2000)) == pytest.approx(expected, abs=0.003)


def test_overlap_does_not_see_scale_or_the_order_of_series() -> None:
    points = two(1.3)
    mixed = np.random.default_rng(1).permutation(len(points))
    assert overlap(points[mixed], HALVES[mixed]) == pytest.approx(overlap(points, HALVES))
    assert overlap(points * [1e-3, 50.0] + 3, HALVES) == pytest.approx(overlap(points, HALVES))


def test_of_several_classes_it_is_the_mean_over_pairs() -> None:
    a, b = np.split(two(0.0, 1), 2)
    three = np.concatenate([a, b, a + 50])
    assert overlap(three, np.repeat([0, 1, 2], 60)) == pytest.approx(1 / 3, abs=0.02)


def test_a_class_without_a_density_leaves_no_overlap() -> None:
    points = two(1.0)
    assert math.isnan(overlap(points, np.array([0] * 119 + [1])))  # one series
    assert math.isnan(overlap(np.zeros((120, 2)), HALVES))
    assert math.isnan(overlap(points, np.zeros(120)))  # one class
    assert kernel_density(np.arange(6.0)[:, None] * [[1.0, 2.0]]) is None


def test_fisher_ratio_of_two_classes_is_their_squared_distance() -> None:
    """(m_1 - m_2)^T S^-1 (m_1 - m_2) n_1 n_2 / n^2, with S the covariance within."""
    points = two(1.5) * [2.0, 0.5]
    first, second = np.split(points, 2)
    within = (np.cov(first.T, ddof=0) + np.cov(second.T, ddof=0)) / 2
    gap = first.mean(axis=0) - second.mean(axis=0)
    assert fisher_ratio(points, HALVES) == pytest.approx(gap @ np.linalg.inv(within) @ gap / 4)
    assert fisher_ratio(two(0.0), HALVES) == pytest.approx(0)
    assert math.isnan(fisher_ratio(np.zeros((120, 2)), HALVES))
