"""The generators: against literal slow versions, their laws, and their seeds."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tkae.data.files import Files
from tkae.data.sets.generated import standardised
from tkae.data.sets.ode import ODE, integrate, random_system
from tkae.data.sets.sinusoids import Sinusoids
from tkae.seeding import stream

FILES = Files(offline=True)


def literal_integration(a: np.ndarray, start: np.ndarray, times: np.ndarray, inner: int = 200) -> np.ndarray:
    """(T, V): one series, one component at a time, by the classical Runge-Kutta rule in small steps."""

    def slope(y: list[float]) -> list[float]:
        return [sum(a[i, j] * float(np.tanh(y[j])) for j in range(len(y))) for i in range(len(y))]

    def moved(y: list[float], by: list[float], h: float) -> list[float]:
        return [p + h * q for p, q in zip(y, by, strict=True)]

    y = [float(p) for p in start]
    rows = [y]
    for before, after in pairwise(times):
        h = (after - before) / inner
        for _ in range(inner):
            k1 = slope(y)
            k2 = slope(moved(y, k1, h / 2))
            k3 = slope(moved(y, k2, h / 2))
            k4 = slope(moved(y, k3, h))
            y = [p + h / 6 * (q + 2 * r + 2 * s + t) for p, q, r, s, t in zip(y, k1, k2, k3, k4, strict=True)]
        rows.append(y)
    return np.array(rows)


def test_integration_agrees_with_the_literal_one() -> None:
    rng = stream(0, "test")
    a = random_system(3, 0.5, 0.8, rng)
    starts, times = rng.standard_normal((4, 3)), np.linspace(0.0, 4.0, 9)
    ours = integrate(a, starts, times)
    slow = np.stack([literal_integration(a, start, times, inner=20) for start in starts])
    np.testing.assert_allclose(ours, slow, atol=1e-7)


@pytest.mark.parametrize(("duration", "end"), [(None, 4.0), (7.0, 7.0)])
def test_series_follow_their_system_over_the_stated_time(duration: float | None, end: float) -> None:
    ode = ODE(train=2, test=1, variates=3, steps=8, duration=duration)
    series = ode.load(FILES, 3).train.values
    a = random_system(3, 0.5, 0.8, ode.chance(3, "A", 0))
    for one in series:
        slow = literal_integration(a, one[0], np.linspace(0.0, end, 8), inner=20)
        np.testing.assert_allclose(one, slow, atol=1e-7)


@pytest.mark.parametrize("width", [1, 2, 5, 20])
def test_systems_have_the_radius_and_the_zeros(width: int) -> None:
    for seed in range(5):
        a = random_system(width, 0.5, 0.8, stream(seed, "A"))
        assert np.abs(np.linalg.eigvals(a)).max() == pytest.approx(0.8)
        assert (a == 0).sum() == round(0.5 * width**2)


def test_ode_fix_and_var() -> None:
    fix = ODE(train=20, test=30).load(FILES, 0)
    assert fix.train.shape == (20, 90, 10) and fix.test.shape == (30, 90, 10)
    assert (fix.train.lengths == 90).all() and not fix.scaled and fix.train.labels is None
    var = ODE(train=200, test=300, shortest=30).load(FILES, 0)
    assert var.train.lengths.min() == 30 and var.train.lengths.max() == 90
    assert not var.train.observed[var.train.lengths == 30][:, 30:].any()


def test_a_cut_series_is_the_start_of_the_whole_one_and_a_warped_one_is_not() -> None:
    whole = ODE(train=10, test=1, shortest=90).load(FILES, 0).train
    cut = ODE(train=10, test=1, shortest=30).load(FILES, 0).train
    warped = ODE(train=10, test=1, shortest=30, warped=True).load(FILES, 0).train
    for i, length in enumerate(cut.lengths):
        np.testing.assert_array_equal(cut.values[i, :length], whole.values[i, :length])
        assert warped.lengths[i] == length
        np.testing.assert_allclose(warped.values[i, length - 1], whole.values[i, -1], atol=1e-6)


def test_seeds_give_new_systems_and_draw_fixes_one() -> None:
    def first(seed: int, **settings: int) -> np.ndarray:
        return ODE(train=3, test=3, steps=10, **settings).load(FILES, seed).train.values

    np.testing.assert_array_equal(first(0), first(0))
    assert not np.allclose(first(0), first(1))
    np.testing.assert_array_equal(first(5, draw=1), first(1))
    ode = ODE(train=3, test=3)
    splits = ode.load(FILES, 0)
    assert not np.allclose(splits.train.values, splits.test.values)


def test_several_systems_are_classes() -> None:
    splits = ODE(train=8, test=4, steps=10, systems=4, start="normal", duration=7.0).load(FILES, 0)
    assert splits.classes == ("0", "1", "2", "3") and splits.train.labels is not None
    assert np.bincount(splits.train.labels).tolist() == [2, 2, 2, 2]


def test_series_are_standardised_over_their_own_steps() -> None:
    splits = ODE(train=5, test=5, shortest=30, standardise="series").load(FILES, 0)
    assert splits.scaled
    for i in range(5):
        series = splits.train.series(i)
        np.testing.assert_allclose(series.mean(axis=0), 0, atol=1e-9)
        np.testing.assert_allclose(series.std(axis=0), 1)
    flat = Sinusoids(train=2, test=2).load(FILES, 0).train.replace(np.ones((2, 101, 1)))
    assert (standardised(flat).values == 0).all()


def test_sinusoids() -> None:
    normal = Sinusoids(train=500, test=700).load(FILES, 0)
    assert normal.train.shape == (500, 101, 1) and normal.test.shape == (700, 101, 1)
    assert normal.scaled  # the printed errors are those of the raw sinusoids
    uniform = Sinusoids(coefficients="uniform", steps=100).load(FILES, 0).train.values[:, :, 0]
    assert uniform.shape == (200, 100)
    # sin(a (t + 1) + b) + sin(a (t - 1) + b) = 2 cos(a) sin(a t + b): one factor for the whole series
    inner = uniform[:, 1:-1]
    cosine = ((uniform[:, 2:] + uniform[:, :-2]) * inner).sum(axis=1) / (2 * inner**2).sum(axis=1)
    a, b = np.arccos(cosine), np.arcsin(uniform[:, 0])
    assert 0 < a.min() < a.max() < 1 and 0 < b.min() < b.max() < 1
    np.testing.assert_allclose(np.sin(np.outer(a, np.arange(100)) + b[:, None]), uniform, atol=1e-4)
