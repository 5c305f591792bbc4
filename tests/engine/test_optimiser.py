"""The optimiser's two passes against the formulas as they are printed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tkae.engine.optimiser import add_penalty, advance, penalise, power, update
from tkae.engine.replicas import Hyperparameters, State

SIZES = [1, 15, 16, 17, 333]


def _numbers(count: int, dtype: Any) -> Any:
    theta, grad, m, v, decay = np.random.default_rng(count).normal(size=(5, count))
    return (array.astype(dtype) for array in (theta, grad, m, v**2, np.round(abs(decay))))


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 1e-6), (np.float64, 1e-14)])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("large", [0.01, 10.0])
def test_an_update_is_adams_after_clipping(size: int, large: float, dtype: Any, tolerance: float) -> None:
    theta, grad, m, v, _ = _numbers(size, dtype)
    grad *= dtype(large)
    g = grad.astype(np.float64)
    norm = float(np.sum(g**2))
    g = g / max(1.0, np.sqrt(norm))
    wanted_m, wanted_v = 0.9 * m.astype(float) + 0.1 * g, 0.999 * v.astype(float) + 0.001 * g**2
    step = 0.01 * (wanted_m / (1 - 0.9**3)) / (np.sqrt(wanted_v / (1 - 0.999**3)) + 1e-8)
    wanted = theta.astype(float) - step
    update(theta, grad, norm, m, v, 3, 0.01)
    for found, expected in ((theta, wanted), (m, wanted_m), (v, wanted_v)):
        np.testing.assert_allclose(found, expected, rtol=10 * tolerance, atol=tolerance)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 1000, 1_500_001])
def test_a_power_is_a_product(count: int) -> None:
    assert power(0.999, count) == pytest.approx(0.999**count, rel=1e-11)
    assert power(2.0, min(count, 1000)) == 2.0 ** min(count, 1000)


@pytest.mark.parametrize("size", SIZES)
def test_the_penalty_and_its_gradient(size: int) -> None:
    theta, grad, _, _, decay = _numbers(size, np.float64)
    total, l2 = grad + 0.3 * decay * theta, 0.5 * np.sum(decay * theta**2)
    found = grad.copy()
    assert add_penalty(theta, found, decay, 0.3) == pytest.approx(l2)
    np.testing.assert_allclose(found, total, rtol=1e-13)
    part = grad.copy()
    start = size // 3
    found_l2, norm = penalise(theta, part, start, size - start, 2.0, 0.3)
    assert found_l2 == pytest.approx(np.sum(theta[start:] ** 2))
    np.testing.assert_allclose(part[start:], grad[start:] + 0.6 * theta[start:], rtol=1e-13)
    assert np.array_equal(part[:start], grad[:start]) and norm == pytest.approx(np.sum(part[start:] ** 2))


@pytest.mark.parametrize(("loss", "entry"), [(np.nan, 0.5), (1.0, np.inf), (1.0, np.nan)])
def test_what_is_not_finite_ends_the_replica_and_changes_nothing(loss: float, entry: float) -> None:
    theta, grad, m, v, decay = (array[None] for array in _numbers(20, np.float32))
    state = State(theta, m, v, np.zeros(1, np.int64), np.ones(1, bool))
    one = np.ones(1)
    settings = Hyperparameters(one, one, one, one, np.zeros(1, np.int64), np.zeros(1, np.uint64), decay[0])
    before = [array.copy() for array in (theta, m, v)]
    assert advance(state, settings, 0, grad[0], 1.0) and state.steps[0] == 1 and state.live[0]
    assert not np.array_equal(theta, before[0])
    before = [array.copy() for array in (theta, m, v)]
    grad[0, 19] = entry
    assert not advance(state, settings, 0, grad[0], loss) and state.steps[0] == 1 and not state.live[0]
    assert all(np.array_equal(a, b) for a, b in zip((theta, m, v), before, strict=True))
