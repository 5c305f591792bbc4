"""The vectors' own functions against NumPy's in higher precision, and the turning of batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tkae.compiled.jit import jit
from tkae.compiled.lanes import Lanes, lanewise, sigmoid, tanh
from tkae.compiled.products import outer, product
from tkae.compiled.transpose import turn


@lanewise
def _both(x: Lanes) -> tuple[Lanes, ...]:
    return sigmoid(x), tanh(x)


@jit
def _apply(work: Any, n: int) -> None:
    _both(work, 1, n, n, (0, n, 2 * n))


@pytest.mark.parametrize(("dtype", "most"), [(np.float32, 1.8e-7), (np.float64, 1e-15)])
def test_sigmoid_and_tanh_are_accurate(dtype: Any, most: float) -> None:
    chance = np.random.default_rng(0)
    x = np.concatenate([chance.normal(size=4000) * scale for scale in (1e-3, 1, 5, 100)]).astype(dtype)
    work = np.concatenate([x, x, x])
    _apply(work, x.size)
    exact = x.astype(np.longdouble)
    _, left, right = work.reshape(3, -1)
    assert np.abs(left - 1 / (1 + np.exp(-exact))).max() < most
    assert np.abs(right - np.tanh(exact)).max() < most


def test_what_is_large_saturates_and_zero_is_zero() -> None:
    work = np.zeros(48, np.float32)
    work[:4] = 1e30, -1e30, np.inf, -np.inf
    _apply(work, 16)
    assert work[16:20] == pytest.approx([1, 0, 1, 0], abs=1e-30)
    assert list(work[32:36]) == [1, -1, 1, -1] and not work[36:].any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("rows", "terms", "lanes"), [(1, 1, 16), (13, 7, 48), (28, 30, 32)])
def test_products_of_every_block_size(dtype: Any, rows: int, terms: int, lanes: int) -> None:
    """Of whole numbers, whose sums are exact in any order."""
    chance = np.random.default_rng(1)
    a, x, y = (
        chance.integers(-8, 9, shape).astype(dtype)
        for shape in ((rows, terms), (terms, lanes), (rows, lanes))
    )
    for add in (0, 1):
        found = y.copy()
        product(a.ravel(), 0, terms, 1, rows, terms, x.ravel(), 0, found.reshape(-1), 0, lanes, lanes, add)
        assert np.array_equal(found, a @ x + add * y)
    gained = a.copy()
    outer(y.ravel(), 0, 0, rows, x.ravel(), 0, 0, terms, lanes, 1, lanes, gained.reshape(-1), 0, terms)
    assert np.array_equal(gained, a + y @ x.T)


@pytest.mark.parametrize("lanes", [16, 48])
@pytest.mark.parametrize("rows", [5, 16, 37])
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.bool_])
def test_series_are_turned_into_lanes(lanes: int, rows: int, kind: Any) -> None:
    chance = np.random.default_rng(2)
    values = (chance.normal(size=(9, rows)) > 0.3).astype(kind)
    order, limits = chance.integers(0, 9, lanes), chance.integers(0, rows + 1, lanes)
    work = np.full((rows + 1, lanes), 7, np.float32)
    turn(work.reshape(-1), 0, lanes, values.ravel(), order * rows, limits.copy(), rows)
    wanted = np.where(np.arange(rows) < limits[:, None], values[order], 0).T
    assert np.array_equal(work[:rows], wanted) and (work[rows] == 7).all()
